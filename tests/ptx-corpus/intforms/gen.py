#!/usr/bin/env python3
"""Writes intforms.case and intforms.sm_75.ptx: one kernel for each integer instruction form, over edge values crossed with random ones.

The forms are PTX ISA's integer arithmetic, logic, shift, field, comparison, conversion and video instructions. What a kernel computes
was recorded on an NVIDIA H200 (record.sh); needs nothing but Python. Run in this folder.
"""
import itertools,re,struct
forms=[]  # (text with d,a,b,c ; types d,a,b,c)
def F(t,*ty): forms.append((t,ty))
I32=['u32','s32'];
for t in ['u16','s16','u32','s32','u64','s64']:
    b='b'+t[1:]
    for op in ['add','sub','mul.lo','mul.hi','min','max','div','rem']: F(f'{op}.{t} d, a, b;',b,b,b)
    F(f'mad.lo.{t} d, a, b, c;',b,b,b,b)
    if t!='u16' and t[1:]!='16': F(f'mad.hi.{t} d, a, b, c;',b,b,b,b)
    F(f'sad.{t} d, a, b, c;',b,b,b,b)
    F(f'shr.{t} d, a, b;',b,b,'b32')
    for c in ['lt','ge']: F(f'set.{c}.u32.{t} d, a, b;','b32',b,b)
    if t[0]=='s': F(f'abs.{t} d, a;',b,b); F(f'neg.{t} d, a;',b,b)
for t in ['u16','s16','u32','s32']: F(f'mul.wide.{t} d, a, b;','b'+str(2*int(t[1:])),'b'+t[1:],'b'+t[1:])
for t in ['u32','s32']:
    for m in ['lo','hi']: F(f'mul24.{m}.{t} d, a, b;','b32','b32','b32'); F(f'mad24.{m}.{t} d, a, b, c;','b32','b32','b32','b32')
F('add.sat.s32 d, a, b;','b32','b32','b32');F('sub.sat.s32 d, a, b;','b32','b32','b32');F('mad.hi.sat.s32 d, a, b, c;','b32','b32','b32','b32')
for b in ['b16','b32','b64']: F(f'shl.{b} d, a, b;',b,b,'b32'); F(f'not.{b} d, a;',b,b); F(f'cnot.{b} d, a;',b,b)
for b in ['b32','b64']:
    for op in ['popc','clz']: F(f'{op}.{b} d, a;','b32',b)
    F(f'brev.{b} d, a;',b,b); F(f'bfi.{b} d, a, b, c, e;',b,b,b,'b32','b32')
for t in ['u32','s32','u64','s64']:
    b='b'+t[1:]; F(f'bfe.{t} d, a, b, c;',b,b,'b32','b32'); F(f'bfind.{t} d, a;','b32',b); F(f'bfind.shiftamt.{t} d, a;','b32',b)
for m in ['','.f4e','.b4e','.rc8','.ecl','.ecr','.rc16']: F(f'prmt.b32{m} d, a, b, c;','b32','b32','b32','b32')
for l in [0x1b,0x96,0xe8,0xca,0x80]: F(f'lop3.b32 d, a, b, c, {l};','b32','b32','b32','b32')
for m in ['l.clamp','l.wrap','r.clamp','r.wrap']: F(f'shf.{m}.b32 d, a, b, c;','b32','b32','b32','b32')
F('fns.b32 d, a, b, c;','b32','b32','b32','b32')
for t in ['u32','s32']:
    for m in ['clamp','wrap']: F(f'szext.{m}.{t} d, a, b;','b32','b32','b32'); 
for m in ['clamp','wrap']: F(f'bmsk.{m}.b32 d, a, b;','b32','b32','b32')
for x in itertools.product(['u32','s32'],repeat=2):
    F(f'dp4a.{x[0]}.{x[1]} d, a, b, c;','b32','b32','b32','b32')
    for m in ['lo','hi']: F(f'dp2a.{m}.{x[0]}.{x[1]} d, a, b, c;','b32','b32','b32','b32')
R=['rn','rz','rm','rp']
for r in R:
    for z in ['','.ftz','.sat','.ftz.sat']:
        for op in ['add','sub','mul']: F(f'{op}.{r}{z}.f32 d, a, b;','f32','f32','f32')
        F(f'fma.{r}{z}.f32 d, a, b, c;','f32','f32','f32','f32')
    for op in ['add','sub','mul','div']: F(f'{op}.{r}.f64 d, a, b;','f64','f64','f64')
    F(f'fma.{r}.f64 d, a, b, c;','f64','f64','f64','f64')
    for z in ['','.ftz']: F(f'div.{r}{z}.f32 d, a, b;','f32','f32','f32'); F(f'rcp.{r}{z}.f32 d, a;','f32','f32'); F(f'sqrt.{r}{z}.f32 d, a;','f32','f32')
    F(f'rcp.{r}.f64 d, a;','f64','f64'); F(f'sqrt.{r}.f64 d, a;','f64','f64')
for op in ['min','max']:
    for z in ['','.ftz','.NaN','.ftz.NaN','.xorsign.abs','.ftz.NaN.xorsign.abs']: F(f'{op}{z}.f32 d, a, b;','f32','f32','f32')
    F(f'{op}.f64 d, a, b;','f64','f64','f64')
    for z in ['','.ftz','.NaN','.NaN.xorsign.abs']: F(f'{op}{z}.f16 d, a, b;','b16','b16','b16'); F(f'{op}{z}.f16x2 d, a, b;','b32','b32','b32')
    for z in ['','.NaN','.xorsign.abs']: F(f'{op}{z}.bf16 d, a, b;','b16','b16','b16'); F(f'{op}{z}.bf16x2 d, a, b;','b32','b32','b32')
for op in ['abs','neg']:
    for z in ['','.ftz']: F(f'{op}{z}.f32 d, a;','f32','f32')
    F(f'{op}.f64 d, a;','f64','f64'); F(f'{op}.f16 d, a;','b16','b16'); F(f'{op}.f16x2 d, a;','b32','b32'); F(f'{op}.bf16 d, a;','b16','b16'); F(f'{op}.bf16x2 d, a;','b32','b32')
for t,b in [('f16','b16'),('f16x2','b32')]:
    for z in ['','.ftz','.sat','.ftz.sat']:
        for op in ['add','sub','mul']: F(f'{op}.rn{z}.{t} d, a, b;',b,b,b)
        F(f'fma.rn{z}.{t} d, a, b, c;',b,b,b,b)
    for z in ['.relu','.ftz.relu']: F(f'fma.rn{z}.{t} d, a, b, c;',b,b,b,b)
for t,b in [('bf16','b16'),('bf16x2','b32')]:
    for op in ['add','sub','mul']: F(f'{op}.rn.{t} d, a, b;',b,b,b)
    F(f'fma.rn.{t} d, a, b, c;',b,b,b,b); F(f'fma.rn.relu.{t} d, a, b, c;',b,b,b,b)
for t in ['f32','f64']:
    F(f'copysign.{t} d, a, b;',t,t,t)
    for c in ['eq','ne','lt','le','gt','ge','equ','neu','ltu','leu','gtu','geu','num','nan']:
        for z in (['','.ftz'] if t=='f32' else ['']): F(f'set.{c}{z}.u32.{t} d, a, b;','b32',t,t)
    for c in ['finite','infinite','number','notanumber','normal','subnormal']: F(f'testp.{c}.{t} p, a; selp.b32 d, 1, 0, p;','b32',t)
F('slct.s32.s32 d, a, b, c;','b32','b32','b32','b32'); F('slct.f32.f32 d, a, b, c;','f32','f32','f32','f32'); F('slct.ftz.f32.f32 d, a, b, c;','f32','f32','f32','f32')
ints=['u8','s8','u16','s16','u32','s32','u64','s64']; flts=['f16','f32','f64','bf16']
reg=lambda t: {'u8':'b16','s8':'b16','f16':'b16','bf16':'b16','f32':'f32','f64':'f64'}.get(t,'b'+t[1:])
for d in ints:
    for s in ints:
        if d!=s:
            F(f'cvt.{d}.{s} d, a;',reg(d),reg(s)); F(f'cvt.sat.{d}.{s} d, a;',reg(d),reg(s))
    for s in ['f16','f32','f64']:
        for r in ['rni','rzi','rmi','rpi']: F(f'cvt.{r}.{d}.{s} d, a;',reg(d),reg(s))
        F(f'cvt.rzi.sat.{d}.{s} d, a;',reg(d),reg(s))
        if s=='f32': F(f'cvt.rni.ftz.{d}.f32 d, a;',reg(d),'f32')
    for s in ['f16','f32','f64']:
        for r in R: F(f'cvt.{r}.{s}.{d} d, a;',reg(s),reg(d))
for r in R:
    for z in ['','.sat','.ftz','.ftz.sat']: F(f'cvt.{r}{z}.f16.f32 d, a;','b16','f32') if 'ftz' not in z or r else None; F(f'cvt.{r}{z}.f32.f64 d, a;','f32','f64')
    F(f'cvt.{r}.f16.f64 d, a;','b16','f64')
for r in ['rn','rz']:
    for z in ['','.relu']:
        F(f'cvt.{r}{z}.f16x2.f32 d, a, b;','b32','f32','f32'); F(f'cvt.{r}{z}.bf16x2.f32 d, a, b;','b32','f32','f32'); F(f'cvt.{r}{z}.bf16.f32 d, a;','b16','f32')
F('cvt.rna.tf32.f32 d, a;','b32','f32')
for z in ['','.ftz','.sat']: F(f'cvt{z}.f32.f16 d, a;','f32','b16'); F(f'cvt{z}.f64.f32 d, a;','f64','f32')
F('cvt.f64.f16 d, a;','f64','b16'); F('cvt.f32.bf16 d, a;','f32','b16')
for t in ['f16','f32','f64']:
    for r in ['rni','rzi','rmi','rpi']: F(f'cvt.{r}.{t}.{t} d, a;',reg(t),reg(t))
for t in ['u32','s32']:
    for op in ['vadd','vsub','vabsdiff','vmin','vmax']: F(f'{op}.{t}.s32.u32 d, a.b1, b.h1;','b32','b32','b32') if 0 else F(f'{op}.{t}.u32.s32.sat d, a.b1, b.h1;','b32','b32','b32'); F(f'{op}.{t}.s32.s32.add d, a.b3, b.b0, c;','b32','b32','b32','b32')
    F(f'vshl.{t}.u32.u32.clamp d, a, b;','b32','b32','b32');F(f'vshr.{t}.{t}.u32.wrap d, a, b;','b32','b32','b32')
for e in ['e4m3x2','e5m2x2']:
    F(f'cvt.rn.satfinite.{e}.f32 d, a, b;','b16','f32','f32'); F(f'cvt.rn.f16x2.{e} d, a;','b32','b16')
W={'b16':16,'b32':32,'b64':64,'f32':32,'f64':64}
def kernel(k,form,ty):
    lines=[f'.visible .entry k{k}(.param .u64 pa, .param .u64 pb, .param .u64 pc, .param .u64 pd)','{','\t.reg .pred p;','\t.reg .b32 t, u, n, e;','\t.reg .b64 x, y, w;']
    names='dabc'
    for n,t in zip(names,ty): lines.append(f'\t.reg .{t} {n};')
    lines+=['\tmov.u32 t, %tid.x;','\tmov.u32 u, %ctaid.x;','\tmad.lo.u32 n, u, 128, t;']
    for i,n in enumerate('abc'):
        if i+1<len(ty):
            w=W[ty[i+1]]
            lines+=[f'\tld.param.u64 x, [p{n}];',f'\tmul.wide.u32 y, n, {w//8};','\tadd.u64 x, x, y;',f'\tld.global.{ty[i+1]} {n}, [x];']
            if n=='c' : lines+=['\tshr.u32 e, n, 3;','\tand.b32 e, e, 63;']
    w=W[ty[0]]
    lines+=[f'\t{form}','\tld.param.u64 x, [pd];',f'\tmul.wide.u32 y, n, {w//8};','\tadd.u64 x, x, y;',f'\tst.global.{ty[0]} [x], d;','\tret;','}']
    return '\n'.join(lines)
hdr='.version 8.6\n.target sm_90\n.address_size 64\n'
# forms that ptxas does not take: nothing can saturate
refused={'cvt.sat.u16.u8 d, a;','cvt.sat.s16.u8 d, a;','cvt.sat.s16.s8 d, a;','cvt.sat.u32.u8 d, a;','cvt.sat.u32.u16 d, a;','cvt.sat.s32.u8 d, a;','cvt.sat.s32.s8 d, a;','cvt.sat.s32.u16 d, a;','cvt.sat.s32.s16 d, a;','cvt.sat.u64.u8 d, a;','cvt.sat.u64.u16 d, a;','cvt.sat.u64.u32 d, a;','cvt.sat.s64.u8 d, a;','cvt.sat.s64.s8 d, a;','cvt.sat.s64.u16 d, a;','cvt.sat.s64.s16 d, a;','cvt.sat.s64.u32 d, a;','cvt.sat.s64.s32 d, a;'}
ok=[k for k,(t,ty) in enumerate(forms) if not re.search(r'f16|f32|f64|tf32|e4m3|e5m2',t) and t not in refused]
E16=[0,1,2,3,7,8,15,16,31,63,100,0x7f,0x80,0xff,0x100,0x3ff,0x400,0x401,0x3800,0x3bff,0x3c00,0x3c01,0x4000,0x4200,0x5640,0x7bff,0x7c00,0x7c01,0x7e00,0x7fff,0x8000,0x8001,0x83ff,0x8400,0xbc00,0xbc01,0xc000,0xfbff,0xfc00,0xfe01,0xffff,0x3f80,0x3f81,0x7f7f,0x7f80,0x7fc0,0xbf80,0xff7f,0xff80,0x4248,0x1234,0x5678,0x9abc,0xdef0,0x00f0,0x0f00,0x3555,0x6400,0x77ff,0x78ff,0xfeed,0x2e66,0xaaaa,0x5555]
E32=[0,1,2,3,5,8,16,31,32,33,63,64,0x7f,0x80,0xff,0x100,0x7fff,0x8000,0xffff,0x10000,0x7fffff,0x800000,0x800001,0xffffff,0x1000000,0x33800000,0x3f000000,0x3f7fffff,0x3f800000,0x3f800001,0x40000000,0x40490fdb,0x42ff0000,0x43000000,0x437f8000,0x47000000,0x477fe000,0x477ff000,0x4b000000,0x4b7fffff,0x4effffff,0x4f000000,0x4f7fffff,0x4f800000,0x5f000000,0x7f7fffff,0x7f800000,0x7f800001,0x7fc00000,0x7fffffff,0x80000000,0x80000001,0x807fffff,0x80800000,0xbf000000,0xbf800000,0xc0200000,0xcf000000,0xff7fffff,0xff800000,0xffc12345,0xffffffff,0x12345678,0x9abcdef0]
E64=[struct.unpack('<Q',struct.pack('<d',x))[0] for x in [0.5,1.0,1.0000000000000002,-1.0,1.5,2.5,-2.5,3.7,1e-310,5e-324,2.2250738585072014e-308,1e308,255.5,65504.0,65519.9,65520.0,2147483647.5,2147483648.0,-2147483648.5,4294967295.5,9.2233720368547758e18,1.8446744073709552e19,-9.3e18,1e-45,1.4e-45,3.4028235677973366e38,3.4028236e38,1e39,0.1,1/3.0]]+[0,1<<63,0x7ff0000000000000,0xfff0000000000000,0x7ff0000000000001,0x7ff8000000000000,0xfff8123456789abc,0x7fffffffffffffff,0xffffffffffffffff,1,2,3,31,63,64,65,0xff,0xffff,0xffffffff,0x100000000,0x7fffffff,0x80000000,0x123456789abcdef0,0xfedcba9876543210,0x8000000000000001,0x3ff0000000000001,0x3fefffffffffffff,0x000fffffffffffff,0x0010000000000001,0x800fffffffffffff,0x36a0000000000000,0x369fffffffffffff,0x47efffffefffffff,0x41e0000000100000]
import random
random.seed(5)
N=3968
open('intforms.sm_75.ptx','w').write(hdr+'\n'.join(kernel(k,*forms[k]) for k in ok))
with open('intforms.case','w') as f:
    f.write('program intforms\nnot sm_100\nnot clang\nnot amdgpu\n')
    for nm,L,ty in (('16',E16,'u16'),('32',E32,'u32'),('64',E64,'u64')):
        w=int(nm)
        rnd=[random.getrandbits(w) for _ in range(40)]
        for c,ln in (('a',64),('b',61),('c',59)):
            v=(L[:ln-(0 if c=='a' else 8)]+rnd)[:ln]; 
            if c!='a': random.shuffle(v)
            f.write(f'buffer {c}{nm} {ty} {N} values({",".join(map(str,v))})\n')
    for k in ok:
        ty=forms[k][1]; w=W[ty[0]]
        f.write(f'buffer d{k} u{w} {N} zero\n')
    for k in ok:
        ty=forms[k][1]
        args=[f'@{n}{W[ty[i+1]] if i+1<len(ty) else 32}' for i,n in enumerate('abc')]
        f.write(f'launch k{k} grid 31 block 128 args {" ".join(args)} @d{k}\n')
    for k in ok: f.write(f'output d{k} exact because "{forms[k][0]}"\n')
print(len(ok),'forms of',len(forms))
