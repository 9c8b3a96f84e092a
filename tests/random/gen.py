#!/usr/bin/env python3
"""gen.py SEED | ops: writes a random program to standard output, or one of every operation of random.h with edge values. It is device code for nvcc and clang -x cuda, and a host program that prints what
the device must compute; random.h and random_main.h are the two sides. Every program ends, reads nothing undefined and has one answer."""
import random
import sys

INTS = ['u8', 'i8', 'u16', 'i16', 'u32', 'i32', 'u64', 'i64', 'u128', 'i128']
BITS = {t: int(t[1:]) for t in INTS + ['f32', 'f64']}
WORK = {8: 'u32', 16: 'u32', 32: 'u32', 64: 'u64', 128: 'u128'}

# Operations of random.h: name, result, operands.
OPS = [l.split() for l in '''
popc32 u32 u32|popc64 u32 u64|clz32 u32 u32|clz64 u32 u64|brev32 u32 u32|brev64 u64 u64|bfind_u32 u32 u32|bfind_s32 u32 i32
bfind_u64 u32 u64|bfind_s64 u32 i64|bfind_sh u32 u32|neg_s16 i16 i16|cnot32 u32 u32|abs_s64 i64 i64
mulhi_u32 u32 u32 u32|mulhi_s32 i32 i32 i32|mulhi_u64 u64 u64 u64|mulhi_s64 i64 i64 i64|mulhi_u16 u16 u16 u16
mulwide_u16 u32 u16 u16|mulwide_s16 i32 i16 i16|mulwide_u32 u64 u32 u32|mulwide_s32 i64 i32 i32
mul24lo_u u32 u32 u32|mul24lo_s i32 i32 i32|mul24hi_u u32 u32 u32|addsat i32 i32 i32|subsat i32 i32 i32
shl_clamp u32 u32 u32|shr_clamp_u u32 u32 u32|shr_clamp_s i32 i32 u32|shl_clamp64 u64 u64 u32|shr_clamp_u64 u64 u64 u32
shr_clamp_s64 i64 i64 u32|shr_clamp_s16 i16 i16 u32|shl_clamp16 u16 u16 u32|min_s16 i16 i16 i16|max_u16 u16 u16 u16
min_u32 u32 u32 u32|max_s32 i32 i32 i32|min_s64 i64 i64 i64|max_u64 u64 u64 u64|bmsk u32 u32 u32
mad_u32 u32 u32 u32 u32|madhi_u32 u32 u32 u32 u32|madhi_s32 i32 i32 i32 i32|mad_u64 u64 u64 u64 u64|madwide_u32 u64 u32 u32 u64
madwide_s32 i64 i32 i32 i64|madwide_s16 i32 i16 i16 i32|mad24_s i32 i32 i32 i32|sad_u32 u32 u32 u32 u32|sad_s32 u32 i32 i32 u32
sad_u16 u16 u16 u16 u16|prmt u32 u32 u32 u32|shf_l_wrap u32 u32 u32 u32|shf_r_wrap u32 u32 u32 u32|shf_l_clamp u32 u32 u32 u32
shf_r_clamp u32 u32 u32 u32|bfe_u32 u32 u32 u32 u32|bfe_s32 i32 i32 u32 u32|bfe_u64 u64 u64 u32 u32|bfe_s64 i64 i64 u32 u32
dp4a_u u32 u32 u32 u32|dp4a_s i32 i32 i32 i32|dp4a_su i32 i32 u32 i32|slct_s32 u32 u32 u32 i32|slct_f32 u32 u32 u32 f32
bfi32 u32 u32 u32 u32 u32|bfi64 u64 u64 u64 u32 u32|addc3 u64 u32 u32 u32 u32 u32|subc3 u64 u32 u32 u32 u32 u32|madc2 u64 u32 u32 u32 u32
guarded u32 u32 u32 i32|setx u32 u32 f32 f32|lop3_0x1b u32 u32 u32 u32|lop3_0x96 u32 u32 u32 u32|lop3_0xe8 u32 u32 u32 u32
lop3_0xca u32 u32 u32 u32|lop3_0x6f u32 u32 u32 u32|lop3_0x80 u32 u32 u32 u32|half2_add u32 u32 u32|wide u128 u64 u64
f32_to_i32 i32 f32|f32_to_u32 u32 f32|f32_to_i32_rm i32 f32|f64_to_i32 i32 f64|f64_to_u32 u32 f64|f32_to_i64 i64 f32|f32_to_u64 u64 f32
f64_to_i64 i64 f64|f64_to_u64 u64 f64|bits32 u32 f32|bits64 u64 f64
add_rz_f32 f32 f32 f32|add_rm_f32 f32 f32 f32|sub_rp_f32 f32 f32 f32|mul_rz_f32 f32 f32 f32|mul_rp_f32 f32 f32 f32|div_rm_f32 f32 f32 f32
fma_rn_f32 f32 f32 f32 f32|fma_rz_f32 f32 f32 f32 f32|fma_rm_f32 f32 f32 f32 f32|sqrt_rn_f32 f32 f32|rint_f32 f32 f32|floor_f32 f32 f32
trunc_f32 f32 f32|fabs_f32 f32 f32|fneg_f32 f32 f32|fmin_f32 f32 f32 f32|fmax_f32 f32 f32 f32
add_rz_f64 f64 f64 f64|add_rm_f64 f64 f64 f64|sub_rp_f64 f64 f64 f64|mul_rz_f64 f64 f64 f64|mul_rp_f64 f64 f64 f64|div_rm_f64 f64 f64 f64
fma_rn_f64 f64 f64 f64 f64|fma_rz_f64 f64 f64 f64 f64|fma_rm_f64 f64 f64 f64 f64|sqrt_rn_f64 f64 f64|rint_f64 f64 f64|floor_f64 f64 f64
trunc_f64 f64 f64|fabs_f64 f64 f64|fneg_f64 f64 f64|fmin_f64 f64 f64 f64|fmax_f64 f64 f64 f64
add_ftz f32 f32 f32|max_ftz f32 f32 f32|add_sat f32 f32 f32|copysign32 f32 f32 f32|f64_to_f32_rz f32 f64|f64_to_f32_rp f32 f64
i32_to_f32_rz f32 i32|u32_to_f32_rp f32 u32|i64_to_f32 f32 i64|u64_to_f32 f32 u64|i64_to_f64 f64 i64|u64_to_f64 f64 u64
u32_to_f64 f64 u32|i32_to_f64 f64 i32|half_add f32 f32 f32|half_sub f32 f32 f32|half_mul f32 f32 f32|from_half f32 u16|to_half u16 f32
make32 f32 u32|make64 f64 u64
'''.replace('\n', '|').split('|') if l]
BY_RESULT = {}
for op in OPS:
    if op[0] == 'from_half':  # a NaN of f16 has bits of its own
        continue
    BY_RESULT.setdefault(op[1], []).append(op)
RARE = {'div_rm_f32', 'div_rm_f64', 'sqrt_rn_f32', 'sqrt_rn_f64'}


class Func:
    def __init__(self, name, ret, params, coll=False):
        self.name, self.ret, self.params, self.coll = name, ret, params, coll
        self.cost = 0


class Gen:
    def __init__(self, seed):
        self.r = random.Random(seed)
        self.out, self.ind = [], 0
        self.funcs, self.structs, self.pointed = [], [], []
        self.n = 0
        r = self.r
        # A program leans to some types and operations.
        self.iw = {t: w for t, w in zip(INTS, [2, 2, 2, 2, 8, 8, 5, 5, 1, 1])}
        for t in r.sample(INTS, 3):
            self.iw[t] += r.randrange(8)
        self.fw = r.choice([0, 1, 1, 3])
        self.opw = r.choice([0.05, 0.2, 0.4])
        self.bias = r.choice(['none', 'none', 'arrays', 'control', 'warps'])
        self.small = r.random() < 0.5
        if r.random() < 0.5:
            self.iw['u128'] = self.iw['i128'] = 0

    # -- text
    def line(self, s):
        self.out.append('\t' * self.ind + s)

    def open(self, s):
        self.line(s + ' {' if s else '{')
        self.ind += 1

    def close(self, s=''):
        self.ind -= 1
        self.line('}' + s)

    def fresh(self, p):
        self.n += 1
        return f'{p}{self.n}'

    def chance(self, p):
        return self.r.random() < p

    # -- types
    def itype(self):
        return self.r.choices(INTS, [self.iw[t] for t in INTS])[0]

    def type(self):
        if self.r.random() < 0.08 * self.fw:
            return self.r.choice(['f32', 'f32', 'f64'])
        return self.itype()

    # -- expressions
    def const(self, t):
        r = self.r
        if t == 'f32':
            return r.choice(['0.0f', '-0.0f', '1.0f', '-1.5f', '0.1f', '3.0e38f', '1.0e-40f', '16777215.0f', '2147483648.0f',
                             f'make32({r.getrandbits(32):#x}u)', 'make32(0x7f800000u)', 'make32(0x00800000u)', '12345.678f'])
        if t == 'f64':
            return r.choice(['0.0', '-0.0', '1.0', '-2.75', '0.1', '1.0e300', '4.9e-324', '9007199254740991.0',
                             f'make64({r.getrandbits(64):#x}ull)', 'make64(0x7ff0000000000000ull)', '4294967295.5'])
        b = BITS[t]
        v = r.choice([0, 1, 2, 3, -1, -2, 7, 10, 1 << (b - 1), (1 << (b - 1)) - 1, 1 << r.randrange(b), (1 << r.randrange(b)) - 1,
                      r.getrandbits(b), r.getrandbits(8), -r.getrandbits(5), 0xff, 0xffff, 0x80, 100])
        v &= (1 << b) - 1
        if b == 128:
            return f'(({t})wide({v >> 64:#x}ull, {v & (1 << 64) - 1:#x}ull))'
        return f'(({t}){v:#x}{"ull" if b == 64 else "u"})'

    def index(self, n, d=1):
        return f'({self.expr("u32", d)} & {n - 1})' if n & (n - 1) == 0 else f'({self.expr("u32", d)} % {n}u)'

    def cast(self, t, f, e):
        if t == f:
            return e
        if t[0] in 'iu' and f[0] in 'iu':
            return f'(({t}){e})'
        if t[0] == 'f' and f[0] in 'iu':
            b = 64 if BITS[f] > 32 else 32
            op = self.r.choice([o for o in {'f32': ['i32_to_f32_rz', 'u32_to_f32_rp', 'i64_to_f32', 'u64_to_f32', 'make32'],
                                            'f64': ['i64_to_f64', 'u64_to_f64', 'u32_to_f64', 'i32_to_f64', 'make64']}[t]])
            a = [o for o in OPS if o[0] == op][0][2]
            return f'{op}(({a}){e})'
        if t == 'f32':
            return f'((f32){e})' if self.chance(0.5) else f'f64_to_f32_r{self.r.choice("zp")}({e})'
        if t == 'f64':
            return f'((f64){e})'
        op = self.r.choice(['f32_to_i32', 'f32_to_u32', 'f32_to_i64', 'f32_to_u64', 'bits32'] if f == 'f32' else
                           ['f64_to_i32', 'f64_to_u32', 'f64_to_i64', 'f64_to_u64', 'bits64'])
        return f'(({t}){op}({e}))'

    def leaf(self, t):
        r = self.r
        k = r.random()
        same = [v for v in self.vars if v[0] == t]
        if k < 0.5 and same:
            return r.choice(same)[1]
        if k < 0.65:
            return self.const(t)
        if k < (0.7 if self.bias == 'arrays' else 0.85) and self.vars:
            v = r.choice(self.vars)
            return self.cast(t, v[0], v[1])
        if k < (0.97 if self.bias == 'arrays' else 0.93) and self.arrays:
            a = r.choice(self.arrays)
            return self.cast(t, a[0], f'{a[1]}[{self.index(a[2], 0)}]')
        if k < 0.96 and self.consts:
            a = r.choice(self.consts)
            return self.cast(t, a[0], f'{a[1]}[{self.index(a[2], 0)}]')
        if t[0] in 'iu':
            return f'(({t})in[{self.index(256, 0)}])'
        return self.cast(t, 'u32', f'in[{self.index(256, 0)}]')

    def expr(self, t, d):
        r = self.r
        if d <= 0 or self.chance(0.1):
            return self.leaf(t)
        k = r.random()
        if k < self.opw:
            op = r.choice(BY_RESULT.get(t, [['']]))
            if op[0] and (op[0] not in RARE or self.chance(0.3)) and (self.fw or 'f' not in ''.join(x[0] for x in op[1:])):
                return f'{op[0]}({", ".join(self.expr(a, d - 1) for a in op[2:])})'
        if k > 0.9:
            return f'mix_{t}({self.cond(d - 1)}, {self.expr(t, d - 1)}, {self.expr(t, d - 1)})' if t[0] != 'f' and self.chance(0.3) else \
                f'({self.cond(d - 1)} ? {self.expr(t, d - 1)} : {self.expr(t, d - 1)})'
        if k > 0.82:
            f = self.type()
            return self.cast(t, f, self.expr(f, d - 1))
        a = self.expr(t, d - 1)
        if t[0] == 'f':
            return f'({a} {r.choice("+-**+-/" if self.chance(0.2) else "+-*")} {self.expr(t, d - 1)})'
        b, w = BITS[t], WORK[BITS[t]]
        o = r.choices(['+', '-', '*', '&', '|', '^', '<<', '>>', '/', '%', 'cmp', '~', 'neg', 'rot', '/c'],
                      [5, 5, 4, 3, 3, 4, 3, 3, 0.4 if b > 32 else 0.8, 0.4 if b > 32 else 0.8, 2, 1, 1, 1, 1])[0]
        if o in '+-*':
            return f'(({t})(({w}){a} {o} ({w}){self.expr(t, d - 1)}))'
        if o in '&|^':
            return f'(({t})({a} {o} {self.expr(t, d - 1)}))'
        if o == '<<':
            s = r.randrange(b) if self.chance(0.5) else f'((u32){self.expr("u32", d - 1)} & {b - 1})'
            return f'(({t})(({w}){a} << {s}))'
        if o == '>>':
            s = r.randrange(b) if self.chance(0.5) else f'((u32){self.expr("u32", d - 1)} & {b - 1})'
            return f'(({t})({a} >> {s}))'
        if o in '/%':
            return f'{"div" if o == "/" else "rem"}_{t}({a}, {self.expr(t, d - 1)})'
        if o == '/c':
            c = r.choice([2, 3, 5, 7, 8, 10, 11, 13, 16, 60, 100, 127, 64, 25, 125])
            if b > 8 and self.chance(0.3):
                c = r.choice([1000, 641, 4096, 10000, 30000, 256])
            return f'(({t})({a} {r.choice("/%")} ({t}){c}))'
        if o == 'cmp':
            return f'(({t}){self.cond(d - 1)})'
        if o == '~':
            return f'(({t})~{a})'
        if o == 'neg':
            return f'(({t})(0 - ({w}){a}))'
        if b == 128:
            return f'(({t})((u128){a} << 17 | (u128){a} >> 111))' if len(a) < 200 else a
        s = r.randrange(1, b)
        u = f'u{b}'
        return f'(({t})(({u}){a} << {s} | ({u}){a} >> {b - s}))' if len(a) < 200 else a

    def cond(self, d):
        r = self.r
        k = r.random()
        if d > 0 and k < 0.2:
            return f'({self.cond(d - 1)} {r.choice(["&&", "||", "!=", "=="])} {self.cond(d - 1)})'
        if d > 0 and k < 0.27:
            return f'(!{self.cond(d - 1)})'
        if k < 0.4:
            return f'(({self.expr("u32", d)} & {r.choice([1, 1, 2, 3, 4, 7, 12])}) {r.choice(["==", "!="])} 0)'
        t = self.type()
        return f'({self.expr(t, d)} {r.choice(["<", "<=", ">", ">=", "==", "!="])} {self.expr(t, d)})'

    def callable(self, coll=False):
        have = [s['name'] for s in self.structs] + [(a[0], a[2]) for a in self.arrays]
        fits = lambda k, t: k not in ('sval', 'sptr', 'arr') or t in have
        return [f for f in self.funcs if f.coll == coll and f.cost * self.w < 4000 and all(fits(k, t) for k, t in f.params)]

    def args(self, f, d):
        out = []
        for kind, t in f.params:
            if kind == 'val':
                out.append(self.expr(t, d))
            elif kind == 'arr':
                a = [a for a in self.arrays if a[0] == t[0] and a[2] >= t[1]]
                out.append(self.r.choice(a)[1])
            elif kind == 'depth':
                out.append(f'({self.expr("u32", 1)} & 3)')
            elif kind == 'sval':
                out.append(f'sv_{t}')
            elif kind == 'sptr':
                out.append(f'&sv_{t}')
            elif kind == 'fixed':
                out.append(self.r.choice(self.bases) if t == 'my' else t)
        return ', '.join(out)

    # -- statements
    def lvalue(self):
        r = self.r
        if self.arrays and self.chance(0.6 if self.bias == 'arrays' else 0.2):
            a = r.choice([a for a in self.arrays])
            return a[0], f'{a[1]}[{self.index(a[2])}]'
        return self.variable()

    def variable(self):
        return self.r.choice([v for v in self.vars if v[2]])[:2]

    def assign(self, d=3):
        t, l = self.lvalue()
        self.line(f'{l} = {self.expr(t, d)};')

    def fold(self):
        t = self.type()
        self.line(f'h = fold(h, as_u64({self.expr(t, 2)}));')

    def struct_stmt(self):
        s = self.r.choice(self.structs)
        k = self.r.random()
        n = f'sv_{s["name"]}'
        f = self.r.choice(s['fields'])
        if k < 0.5:
            if f[2]:
                self.line(f'{n}.{f[1]}[{self.index(f[2])}] = {self.expr(f[0], 2)};')
            else:
                self.line(f'{n}.{f[1]} = {self.expr(f[0], 2)};')
        elif k < 0.65:
            self.line(f'sw_{s["name"]} = {n};')
        elif k < 0.75:
            self.line(f'if ({self.cond(1)}) {n} = sw_{s["name"]};')
        elif k < 0.9:
            e = f'{n}.{f[1]}' + (f'[{self.index(f[2])}]' if f[2] else '')
            self.line(f'h = fold(h, as_u64(({f[0]}){e}));')
        else:
            self.line(f'{n} = *({self.cond(1)} ? &{n} : &sw_{s["name"]});')

    def memory(self):
        r = self.r
        k = r.randrange(12)
        size = r.choice([1, 2, 4, 8])
        my = r.choice(self.bases)
        at = f'{my} + ({self.expr("u32", 1)} & {(63 // size) * 1 if size == 1 else 64 // size - 1}) * {size}'
        e = lambda t: self.expr(t, 2)
        if k == 0:
            self.line(f'poke<u{size * 8}>({at}, {e(f"u{size * 8}")});')
        elif k == 1:
            self.line(f'poke<u{size * 8}>({my} + ({self.expr("u32", 1)} % {65 - size}u), {e(f"u{size * 8}")});')
        elif k == 2:
            self.line(f'h = fold(h, peek<u{size * 8}>({my} + ({self.expr("u32", 1)} % {65 - size}u)));')
        elif k == 3:
            self.line(f'st_u{size * 8}({at}, {e("u32" if size == 1 else f"u{size * 8}")});')
        elif k == 4:
            n, t, s = r.choice([('ld_s8', 'i32', 1), ('ld_s16', 'i32', 2), ('ld_u8', 'u32', 1), ('ld_u16', 'u16', 2), ('ld_u32', 'u32', 4),
                                ('ld_u64', 'u64', 8), ('ld_v2', 'u64', 8), ('ld_v4', 'u64', 16), ('ld_v4b', 'u32', 4), ('ld_v2h', 'u32', 4)])
            self.line(f'h = fold(h, as_u64({n}({my} + ({self.expr("u32", 1)} & {64 // s - 1}) * {s})));')
        elif k == 5:
            self.line(f'st_v2({my} + ({self.expr("u32", 1)} & 7) * 8, {e("u32")}, {e("u32")});')
        elif k == 6:
            self.line(f'st_v4h({my} + ({self.expr("u32", 1)} & 7) * 8, {", ".join(e("u16") for _ in range(4))});')
        elif k == 7:
            self.line(f'st_v4b({my} + ({self.expr("u32", 1)} & 15) * 4, {", ".join(e("u32") for _ in range(4))});')
        elif k == 8:
            f, t = r.choice([('b', 'u32'), ('d', 'u64'), ('c', 'u16'), ('e', 'u8')])
            self.line(f'((odd32 *)({my} + ({self.expr("u32", 1)} & 31)))->{f} = {e(t)};')
        elif k == 9:
            f = r.choice('abcde')
            self.line(f'h = fold(h, ((odd32 *)({my} + ({self.expr("u32", 1)} & 31)))->{f});')
        elif self.arrays:
            a = r.choice([a for a in self.arrays if a[0][0] != 'f'] or [None])
            if not a:
                return self.assign()
            n = a[2] * BITS[a[0]] // 8
            if k == 10:
                self.line(f'h = fold(h, ((const u8 *){a[1]})[{self.index(n)}]);')
            else:
                self.line(f'poke<u{size * 8}>((u8 *){a[1]} + ({self.expr("u32", 1)} % {n - size + 1 if n > size else 1}u), {e(f"u{size * 8}")});'
                          if n >= size else f'((u8 *){a[1]})[0] = 1;')

    def pointer(self):
        if not self.arrays:
            return
        r = self.r
        t = r.choice(self.arrays)[0]
        cand = [a for a in self.arrays if a[0] == t]
        p = self.fresh('p')
        a, b = r.choice(cand), r.choice(cand)
        n = min(a[2], b[2])
        self.open('')
        self.line(f'{t} *{p} = {self.cond(1)} ? &{a[1]}[{self.index(a[2], 0)} & ~3u] : {b[1]};')
        for _ in range(r.randrange(1, 3)):
            e = f'{p}[{self.index(4)}]'
            if self.chance(0.6):
                self.line(f'{e} = {self.expr(t, 2)};')
            else:
                self.line(f'h = fold(h, as_u64({e}));')
        self.close()

    def atomic(self):
        k = self.r.randrange(13)
        e = self.expr('u32', 2)
        i = self.r.randrange(4)
        sel = f'({self.expr("u32", 1)} & 3)'
        dst = 'atom' if self.chance(0.7) or not self.kernel else 'sh_atom'
        self.line([f'red_add_u32(&{dst}[{sel}], {e});', f'red_add_u64((u64 *)&{dst}[8] + {sel}, {self.expr("u64", 2)});',
                   f'red_min_s32(&{dst}[16 + {sel}], {e});', f'red_max_u32(&{dst}[20 + {sel}], {e});',
                   f'red_and_b32(&{dst}[24 + {sel}], {e});', f'red_or_b32(&{dst}[28 + {sel}], {e});',
                   f'red_xor_b32(&{dst}[4 + {sel}], {e});', f'red_xor_b64((u64 *)&{dst}[32] + {sel}, {self.expr("u64", 2)});',
                   f'atom_add_u32(&{dst}[{i}], {e});', f'atom_add_u64((u64 *)&{dst}[8 + {2 * i}], {self.expr("u64", 2)});',
                   f'atom_max_u32(&{dst}[20 + {i}], {e});', f'atom_xor_b32(&{dst}[4 + {i}], {e});',
                   f'cas_add(&{dst}[{sel}], {e});'][k])

    def body(self, n, depth):
        for _ in range(n):
            self.stmt(depth)

    def stmt(self, depth):
        r = self.r
        self.cost += self.w
        self.budget -= 1
        if self.budget < 0:
            return self.assign(2)
        kinds = [('assign', 10), ('fold', 3), ('struct', 2 if self.structs else 0), ('memory', 3), ('pointer', 2), ('atomic', 1), ('call', 4)]
        if depth > 0:
            kinds += [('if', 5), ('for', 3), ('while', 1), ('dowhile', 1), ('switch', 1.5)]
        if self.in_loop:
            kinds += [('break', 1), ('continue', 1)]
        if self.free and self.labels:
            kinds += [('goto', 1)]
        if self.free and self.ret:
            kinds += [('return', 0.5)]
        if self.bias == 'control':
            kinds = [(x, w * 3 if x in ('if', 'for', 'while', 'dowhile', 'switch', 'goto', 'break', 'continue') else w) for x, w in kinds]
        k = r.choices([x[0] for x in kinds], [x[1] for x in kinds])[0]
        if k == 'assign':
            self.assign()
        elif k == 'fold':
            self.fold()
        elif k == 'struct':
            self.struct_stmt()
        elif k == 'memory':
            self.memory()
        elif k == 'pointer':
            self.pointer()
        elif k == 'atomic':
            self.atomic()
        elif k == 'call':
            self.call_stmt()
        elif k == 'break' or k == 'continue':
            self.line(f'if ({self.cond(2)}) {k if k == "break" or self.in_loop == 2 else "break"};')
        elif k == 'goto':
            self.line(f'if ({self.cond(1)} && --fuel > 0) goto {r.choice(self.labels)};')
        elif k == 'return':
            self.line(f'if ({self.cond(2)}) return {self.expr(self.ret, 2)};')
        elif k == 'if':
            self.open(f'if ({self.cond(2)})')
            self.body(r.randrange(1, 4), depth - 1)
            while self.chance(0.2):
                self.close(f' else if ({self.cond(2)}) {{')
                self.ind += 1
                self.body(r.randrange(1, 3), depth - 1)
            if self.chance(0.5):
                self.close(' else {')
                self.ind += 1
                self.body(r.randrange(1, 4), depth - 1)
            self.close()
        elif k in ('for', 'while', 'dowhile'):
            self.loop(k, depth)
        else:
            self.switch(depth)
        self.label()

    def label(self):
        if self.free and self.todo and self.chance(0.15):
            self.line(f'{self.todo.pop()}: ;')

    def loop(self, k, depth):
        r = self.r
        was, w = self.in_loop, self.w
        trips = r.choice([3, 7, 7, 15])
        if self.w * trips > 300:
            trips = 3
        self.in_loop, self.w = 2, self.w * ((trips + 1) // 2)
        if k == 'for':
            c = r.choice(self.counters)
            self.counters.remove(c)
            start = f'(i32)({self.expr("u32", 2)} & {trips})' if self.chance(0.75) else str(r.randrange(1, trips + 1))
            step = r.choice([1, 1, 1, 2])
            self.vars.append(('i32', c, False))
            if self.chance(0.5):
                self.open(f'for ({c} = {start}; {c} > 0; {c} -= {step})')
            else:
                lim = self.r.choice(['lim0', 'lim1'])
                if lim in self.limits:
                    self.limits.remove(lim)
                    self.open(f'for ({c} = 0, {lim} = {start}; {c} < {lim}; {c} += {step})')
                else:
                    lim = None
                    self.open(f'for ({c} = {start}; {c} > 0; {c} -= {step})')
            self.body(r.randrange(1, 5), depth - 1)
            self.close()
            self.vars.remove(('i32', c, False))
            self.counters.append(c)
            self.limits = ['lim0', 'lim1'] if depth > 2 else self.limits
        elif k == 'while':
            self.open(f'while ({self.cond(2)} && --fuel > 0)')
            self.body(r.randrange(1, 4), depth - 1)
            self.close()
        else:
            self.open('do')
            self.body(r.randrange(1, 4), depth - 1)
            self.close(f' while ({self.cond(2)} && --fuel > 0);')
        self.in_loop, self.w = was, w

    def switch(self, depth):
        r = self.r
        was = self.in_loop
        n = r.randrange(2, 9)
        sparse = self.chance(0.3)
        t = r.choice(['u32', 'u32', 'i32', 'u64', 'u8'])
        vals = sorted(r.sample(range(-50, 120) if t == 'i32' else range(0, 120), n)) if sparse else range(n)
        e = self.expr(t, 2)
        self.open(f'switch ({e})' if sparse else f'switch ({e} & {r.choice([3, 7, 7, 15])})')
        self.in_loop = self.in_loop or 1
        d = r.randrange(n + 1)
        for i, v in enumerate(vals):
            if i == d:
                self.line('default:')
            self.line(f'case {v}:')
            if self.chance(0.85):
                self.ind += 1
                self.body(r.randrange(1, 3), depth - 1)
                if self.chance(0.7):
                    self.line('break;')
                self.ind -= 1
        self.line(';')
        self.close()
        self.in_loop = was

    def call_stmt(self):
        ok = self.callable()
        if self.pointed and self.kernel and self.chance(0.3) and max(f.cost for f in self.pointed) * self.w < 4000:
            self.cost += self.w * max(f.cost for f in self.pointed)
            n = len(self.pointed)
            self.line(f'h = fold(h, table[{self.index(n)}]({self.expr("u32", 2)}, {self.expr("i32", 2)}));')
        elif ok and self.may_call:
            f = self.r.choice(ok)
            self.cost += self.w * f.cost
            t, l = self.variable()
            self.line(f'{l} = {self.cast(t, f.ret, f"{f.name}({self.args(f, 2)})")};')
        else:
            self.assign()

    # -- collective statements: all lanes of self.mask are here, in step
    def coll(self, depth):
        r = self.r
        m = self.mask
        full = m == 'FULL'
        self.cost += self.w
        k = r.random()
        if k < (0.2 if self.bias == 'warps' else 0.35) or self.budget < 0:
            was = self.free, self.ret, self.in_loop, self.labels
            self.labels = [self.fresh('L') for _ in range(r.choice([0, 0, 1, 2]))]
            self.free, self.ret, self.in_loop, self.todo = True, None, 0, list(self.labels)
            self.body(r.randrange(1, 4), min(depth, 2))
            while self.todo:
                self.line(f'{self.todo.pop()}: ;')
            self.free, self.ret, self.in_loop, self.labels = was
        elif k < 0.6:
            self.warp_op(full)
        elif k < 0.75 and depth > 0:
            c, a = self.fresh('c'), self.fresh('m')
            self.open('')
            self.line(f'bool {c} = {self.cond(2)};')
            self.line(f'u32 {a} = ballot({m}, {c});')
            was = self.mask, self.block
            self.mask, self.block = a, False
            self.open(f'if ({c})')
            for _ in range(r.randrange(1, 4)):
                self.coll(depth - 1)
            if self.chance(0.5):
                self.close(' else {')
                self.ind += 1
                self.mask = f'({m} & ~{a})'
                for _ in range(r.randrange(1, 3)):
                    self.coll(depth - 1)
            self.close()
            self.close()
            self.mask, self.block = was
        elif k < 0.85 and depth > 0 and self.w < 200:
            c, a, i = self.fresh('c'), self.fresh('m'), self.fresh('turn')
            was = self.mask, self.block, self.w
            uniform = self.chance(0.4)
            self.open('')
            if uniform:
                self.open(f'for (u32 {i} = 0; {i} < {r.randrange(2, 5)}; {i}++)')
                self.vars.append(('u32', i, False))
            else:
                self.line(f'u32 {a} = {m}, {i} = {self.expr("u32", 1)} & {r.choice([3, 7])};')
                self.vars.append(('u32', i, False))
                self.open('for (;;)')
                self.line(f'bool {c} = {i} != 0;')
                self.line(f'{a} = ballot({a}, {c});')
                self.line(f'if (!{c}) break;')
                self.line(f'{i}--;')
                self.mask, self.block = a, False
            self.w *= 4
            for _ in range(r.randrange(1, 4)):
                self.coll(depth - 1)
            self.close()
            self.close()
            self.vars.pop()
            self.mask, self.block, self.w = was
        elif k < 0.93 and self.block and self.kernel:
            self.block_op()
        elif k < 0.94 and depth > 0 and self.kernel:  # whole warps
            was = self.block
            self.block = False
            self.open(f'if (tid >> 5 & 1)' if self.chance(0.5) else 'if (tid < 32)')
            for _ in range(r.randrange(1, 3)):
                self.coll(depth - 1)
            self.close()
            self.block = was
        else:
            ok = self.callable(True)
            if ok:
                f = r.choice(ok)
                self.cost += f.cost * self.w
                t, l = self.variable()
                self.line(f'{l} = {self.cast(t, f.ret, f"{f.name}({m}, {self.args(f, 2)})")};')
            else:
                self.warp_op(full)

    def warp_op(self, full):
        r = self.r
        m = self.mask
        e = self.expr('u32', 2)
        t, l = r.choice([v[:2] for v in self.vars if v[2] and v[0] in ('u32', 'i32', 'u64', 'i64')])
        k = r.randrange(11)
        w = r.choice([32, 32, 16, 8, 4])
        c = (32 - w) << 8
        if k < 3 and full:
            x = r.choice([f'shfl_idx(FULL, {e}, {self.expr("u32", 1)} & 31, {c | 31:#x})', f'shfl_down(FULL, {e}, {r.randrange(w)}, {c | 31:#x})',
                          f'shfl_up(FULL, {e}, {self.expr("u32", 1)} & {w - 1}, {c:#x})', f'shfl_bfly(FULL, {e}, {r.randrange(1, w)}, {c | 31:#x})',
                          f'shfl_p(FULL, {e}, {r.choice([1, 2, 4, 16])}, {c:#x})'])
        elif k < 5:
            x = f'shfl_idx({m}, {e}, nth_bit({m}, {self.expr("u32", 1)}), 31)'
        elif k == 5:
            x = f'ballot({m}, {self.cond(2)})'
        elif k == 6:
            x = f'vote_{r.choice(["any", "all", "uni"])}({m}, {self.cond(2)})'
        elif k == 7:
            x = f'match_any({m}, {self.expr("u32", 2)} & {r.choice([1, 3, 7])})'
        elif k == 8:
            x = f'match_all({m}, {self.cond(1)})'
        elif k == 9:
            x = f'match_any64({m}, (u64)({self.expr("i32", 1)} & 3) << 32)'
        else:
            x = f'popc32(ballot({m}, {self.cond(1)}) & ((1u << lane_id()) - 1))'
        self.line(f'{l} ^= ({t}){x};')

    def block_op(self):
        r = self.r
        k = r.randrange(5)
        t, l = r.choice([v[:2] for v in self.vars if v[2] and v[0] in ('u32', 'i32', 'u64', 'i64')])
        if k == 0:
            self.line(f'{l} ^= ({t}){r.choice(["count", "or", "and"])}_block({self.cond(2)});')
        elif k < 4:
            s = r.choice(self.shared)
            self.line(f'{s[1]}[tid] = {self.expr(s[0], 2)};')
            self.line('sync_block();')
            if self.chance(0.3):
                self.line(f'if ((tid & 1) == 0) {s[1]}[tid] = {self.cast(s[0], s[0], s[1])}[tid ^ 1];')
                self.line('sync_block();')
            self.line(f'{l} ^= {self.cast(t, s[0], f"{s[1]}[{self.index(self.nthreads)}]")};')
            if self.chance(0.3):
                self.line(f'h = fold(h, ((const u8 *){s[1]})[{self.index(self.nthreads)}]);' if s[0][0] != 'f' else ';')
            self.line('sync_block();')
        else:
            self.line('sync_block();')
            self.line(f'{l} ^= ({t})sh_atom[{r.randrange(40)}];')
            self.line('sync_block();')

    # -- whole functions
    def locals(self):
        r = self.r
        self.vars, self.arrays = [], []
        for t in sorted(set(['u32', 'i32', 'u64'] + [self.type() for _ in range(6)])):
            for _ in range(r.randrange(1, 3)):
                self.vars.append((t, self.fresh('v'), True))

    def declare(self, seed):
        r = self.r
        for t, n, _ in [v for v in self.vars if v[1].startswith('v')]:
            self.line(f'{t} {n} = {self.cast(t, "u32", f"({seed} * {r.getrandbits(16) | 1}u + {r.getrandbits(16)}u)")};')
        for _ in range(r.choice([0, 1, 1, 2, 2])):
            t, n = self.type(), self.fresh('a')
            size = r.choice([4, 4, 8, 8, 16, 5])
            self.line(f'{t} {n}[{size}];')
            self.line(f'for (u32 i = 0; i < {size}; i++) {n}[i] = {self.cast(t, "u32", f"({seed} + i * {r.getrandbits(20)}u)")};')
            if size == 5:
                size = 4
            self.arrays.append((t, n, size))
        for t, n in self.need:
            a = self.fresh('a')
            self.line(f'{t} {a}[{n}];')
            self.line(f'for (u32 i = 0; i < {n}; i++) {a}[i] = {self.cast(t, "u32", f"({seed} ^ i * {r.getrandbits(20)}u)")};')
            self.arrays.append((t, a, n))
        for s in self.structs:
            n = s['name']
            self.line(f'{n} sv_{n}, sw_{n};')
            for f in s['fields']:
                for v in ('sv_', 'sw_'):
                    if f[2]:
                        self.line(f'for (u32 i = 0; i < {f[2]}; i++) {v}{n}.{f[1]}[i] = {self.cast(f[0], "u32", f"({seed} * i)")};')
                    else:
                        self.line(f'{v}{n}.{f[1]} = {self.cast(f[0], "u32", f"({seed} >> {r.randrange(16)})")};')
        self.line('i32 k0 = 0, k1 = 0, k2 = 0, k3 = 0, k4 = 0, lim0 = 0, lim1 = 0, fuel = 9;')
        self.line('(void)k0, (void)k1, (void)k2, (void)k3, (void)k4, (void)lim0, (void)lim1;')
        self.counters = ['k0', 'k1', 'k2', 'k3', 'k4']
        self.limits = ['lim0', 'lim1']
        self.in_loop, self.w, self.cost, self.labels, self.todo = 0, 1, 1, [], []

    def function(self, i):
        r = self.r
        coll = self.chance(0.25)
        rec = not coll and self.chance(0.15)
        pointed = not coll and not rec and self.chance(0.35)
        ret = 'u32' if pointed else self.type()
        name = f'f{i}'
        params = [('val', 'u32'), ('val', 'i32')] if pointed else [('val', self.type()) for _ in range(r.randrange(1, 5))]
        names = [f'x{j}' for j in range(len(params))]
        decl = [f'{t} {n}' for (_, t), n in zip(params, names)]
        self.locals()
        self.vars += [(t, n, True) for (_, t), n in zip(params, names)]
        arr = None
        structs = self.structs
        if not pointed:
            if self.chance(0.4):
                arr = r.choice([x for x in self.arrtypes])
                params.append(('arr', arr))
                decl.append(f'{arr[0]} *ar')
                self.arrays.append((arr[0], 'ar', arr[1]))
            if self.structs and self.chance(0.4):
                s = r.choice(self.structs)
                k = r.choice(['sval', 'sptr'])
                params.append((k, s['name']))
                decl.append(f'{s["name"]} {"*" if k == "sptr" else ""}sx')
                for f in s['fields']:
                    if not f[2] and not f[3]:
                        self.vars.append((f[0], f'sx{"->" if k == "sptr" else "."}{f[1]}', True))
            params += [('fixed', 'in'), ('fixed', 'atom'), ('fixed', 'my')]
            decl += ['const u32 *in', 'u32 *atom', 'u8 *my']
        if rec:
            params.append(('depth', ''))
            decl.append('u32 depth')
        if coll:
            decl.insert(0, 'u32 mask')
        if pointed and len(self.structs) and self.chance(0.7):
            self.structs = []
        attr = r.choice(['__noinline__', '__noinline__', '__forceinline__', 'static']) if not pointed else r.choice(['__noinline__', 'static'])
        self.open(f'__device__ {attr} {ret} {name}({", ".join(decl)})')
        self.kernel, self.may_call, self.block, self.bases = False, not rec, False, ['my']
        save = self.arrays
        self.need = [] if pointed else self.arrtypes
        if pointed:
            self.line('const u32 *in = const_in;')
        self.locals_keep(save)
        if pointed:
            self.line('u64 scratch[8];')
            self.line('for (u32 i = 0; i < 8; i++) scratch[i] = x0 + i;')
            self.line('u8 *my = (u8 *)scratch;')
            self.line('u32 atom_[40];')
            self.line('for (u32 i = 0; i < 40; i++) atom_[i] = i;')
            self.line('u32 *atom = atom_;')
            self.line('(void)atom, (void)my;')
        self.line('u64 h = 7;')
        if rec:
            self.line(f'if (depth == 0) return {self.expr_plain(ret)};')
        self.budget = r.randrange(4, 14)
        self.free = not coll
        self.ret = None if coll else ret
        if coll:
            self.mask = 'mask'
            for _ in range(r.randrange(2, 5)):
                self.coll(2)
        else:
            self.labels = [self.fresh('L') for _ in range(r.choice([0, 0, 1, 2, 3]))]
            self.todo = list(self.labels)
            self.body(r.randrange(2, 6), 3)
            if rec:
                for _ in range(r.choice([1, 2])):
                    t, l = self.variable()
                    a = []
                    for (k, t2), d in zip(params, decl):
                        if k == 'depth':
                            a.append('depth - 1')
                        elif k in ('arr', 'fixed', 'sptr', 'sval'):
                            a.append(d.split()[-1].lstrip('*'))
                        else:
                            a.append(self.expr(t2, 1))
                    self.line(f'{l} = {self.cast(t, ret, f"{name}({chr(44).join(a)})")};')
                    self.body(1, 1)
            while self.todo:
                self.line(f'{self.todo.pop()}: ;')
        self.line(f'return {self.cast(ret, "u64", "h") if self.chance(0.3) else self.expr(ret, 2)};')
        self.close()
        self.line('')
        self.structs = structs
        f = Func(name, ret, params, coll)
        f.cost = self.cost * (12 if rec else 1) + 10
        self.funcs.append(f)
        if pointed:
            self.pointed.append(f)

    def locals_keep(self, arrays):
        keep = arrays
        self.declare('SEED')
        self.arrays = keep + [a for a in self.arrays if a not in keep]

    def expr_plain(self, t):
        self.may_call = False
        e = self.expr(t, 1)
        return e

    def struct(self, i):
        r = self.r
        fields = []
        for j in range(r.randrange(2, 7)):
            t = self.type()
            k = r.random()
            if k < 0.2:
                fields.append((t, f'm{j}', r.choice([2, 3, 4]), 0))
            elif k < 0.45 and t[0] != 'f' and BITS[t] <= 64:
                fields.append((t, f'm{j}', 0, r.randrange(1, BITS[t] + 1)))
            else:
                fields.append((t, f'm{j}', 0, 0))
        name = f'S{i}'
        self.open(f'struct {"__attribute__((packed)) " if self.chance(0.2) and not any(f[2] or BITS[f[0]] == 128 for f in fields) else ""}{name}')
        for t, n, a, b in fields:
            self.line(f'{t} {n}{f"[{a}]" if a else ""}{f" : {b}" if b else ""};')
        self.close(';')
        self.structs.append({'name': name, 'fields': fields})

    def program(self, seed):
        r = self.r
        self.nthreads = r.choice([32, 64, 64, 128])
        self.line(f'/* gen.py {seed} */')
        self.line('#include "random.h"')
        self.line(f'#define GRID {r.choice([1, 1, 2])}')
        self.line(f'#define BLOCK {self.nthreads}')
        self.line('#define FULL 0xffffffffu')
        self.line('#define SEED (in[(tid_x() * 7 + ctaid_x() * 3) & 255] + tid_x())')
        self.line('')
        self.vars, self.arrays, self.consts, self.need = [], [], [], []
        for i in range(r.choice([0, 1, 1, 2])):
            self.struct(i)
        self.arrtypes = [(self.itype(), r.choice([4, 8])) for _ in range(2)]
        for i in range(r.randrange(1, 4)):
            t, n = self.type(), r.choice([4, 16, 32])
            q = r.choice(['__constant__', '__device__ const', '__device__'])
            if t[0] == 'f' or BITS[t] == 128:
                t = 'u64'
            self.line(f'{q} {t} g{i}[{n}] = {{{", ".join(self.const(t) for _ in range(n))}}};')
            self.consts.append((t, f'g{i}', n))
        self.line(f'__constant__ u32 const_in[256] = {{{", ".join(hex(r.getrandbits(r.choice([3, 8, 32]))) + "u" for _ in range(256))}}};')
        self.shared = []
        for i in range(2):
            t = r.choice(['u32', 'u64', 'u8', 'u16', 'i32', self.itype()])
            self.line(f'SHARED {t} sh{i}[BLOCK];')
            self.shared.append((t, f'sh{i}'))
        self.line('SHARED __attribute__((aligned(16))) u32 sh_atom[40];')
        self.line('SHARED __attribute__((aligned(16))) u8 sh_bytes[BLOCK * 64];')
        self.line('')
        for i in range(r.choice([0, 0, 1, 2]) if self.small else r.choice([0, 1, 2, 3, 4])):
            self.function(i)
        if self.pointed:
            self.line(f'__device__ u32 (*table[])(u32, i32) = {{{", ".join(f.name for f in self.pointed)}}};')
            self.line('')
        self.locals()
        self.open('KERNEL kernel(const u32 *in, u64 *out, u32 *atom, u8 *bytes)')
        self.line('u32 tid = tid_x(), gt = ctaid_x() * ntid_x() + tid;')
        self.line('u8 *my = bytes + gt * BYTES_PER;')
        self.line('__attribute__((aligned(16))) u8 loc[64];')
        self.line('for (u32 i = 0; i < 64; i++) loc[i] = (u8)(i * SEED);')
        self.line('u8 *shp = sh_bytes + tid * 64;')
        self.line('for (u32 i = 0; i < 64; i++) shp[i] = (u8)(i ^ SEED);')
        self.line('u8 *any = SEED & 1 ? loc : SEED & 2 ? shp : my;')
        self.bases = r.choice([['my'], ['my', 'loc'], ['my', 'shp', 'loc'], ['my', 'shp', 'loc', 'any']])
        self.line('u64 h = 1;')
        self.line(f'for (u32 i = tid; i < 40; i += BLOCK) sh_atom[i] = i * {r.getrandbits(32)}u;')
        self.line('sh0[tid] = 1;')
        self.line('sh1[tid] = 2;')
        self.line('sync_block();')
        self.kernel, self.may_call, self.need = True, True, self.arrtypes
        self.declare('SEED')
        self.vars.append(('u32', 'tid', False))
        self.vars.append(('u32', 'gt', False))
        self.budget = r.randrange(6, 16) if self.small else r.randrange(10, 40)
        self.mask, self.block, self.free, self.ret = 'FULL', True, False, None
        warps = self.chance(0.6) or self.bias == 'warps'
        self.labels = [] if warps else [self.fresh('L') for _ in range(r.choice([0, 1, 2, 4]))]
        self.todo = list(self.labels)
        self.free = not warps
        for _ in range(r.randrange(3, 6) if self.small else r.randrange(4, 9)):
            if warps:
                self.coll(3)
            else:
                self.stmt(4)
        while self.todo:
            self.line(f'{self.todo.pop()}: ;')
        if warps and self.chance(0.4):  # some lanes leave, the rest go on together
            self.line('u32 rest = FULL;')
            self.open('for (u32 turn = 0; turn < 2; turn++)')
            self.line(f'bool stays = {self.cond(2)};')
            self.line('rest = ballot(rest, stays);')
            self.line('if (!stays) goto done;')
            self.mask, self.block = 'rest', False
            for _ in range(r.randrange(1, 4)):
                self.coll(1)
            self.close()
            self.line('done: ;')
        for v in self.vars:
            self.line(f'h = fold(h, as_u64({v[1]}));')
        self.line('out[gt * OUT_PER] = h;')
        for j in range(1, 4):
            t, v = r.choice([v[:2] for v in self.vars])
            self.line(f'out[gt * OUT_PER + {j}] = as_u64({v});')
        for a in self.arrays:
            self.line(f'for (u32 i = 0; i < {a[2]}; i++) h = fold(h, as_u64({a[1]}[i]));')
        self.line('for (u32 i = 0; i < 64; i++) h = fold(h, loc[i] ^ shp[i] << 8);')
        self.line('out[gt * OUT_PER + 3] += h;')
        self.close()
        self.line('#include "random_main.h"')
        return '\n'.join(self.out) + '\n'


EDGES64 = [0, 1, 1 << 63, (1 << 63) - 1, (1 << 64) - 1, 0x3ff << 52, 0x7ff << 52, 0xfff8 << 48, 5, 1 << 31, 0xffff, 1 | 1 << 52,
           1 | 1 << 63, 0xc00456789abcdef0, 0x41f << 52, 0x123456789abcdef]
EDGES32 = [0, 1, 1 << 31, (1 << 31) - 1, (1 << 32) - 1, 0x3f800000, 0x7f800000, 0x7fc00000, 5, 0x80000001, 0x00800000, 0x807fffff,
           0xc0490fdb, 0x4f800000, 0x3effffff, 0x33333333]


def operations():
    ops = [o for o in OPS if o[0] != 'from_half']
    out = ['#include "random.h"', f'#define GRID {(len(ops) + 3) // 4}', '#define BLOCK 256',
           f'__constant__ u64 e64[16] = {{{", ".join(f"{e:#x}ull" for e in EDGES64)}}};',
           f'__constant__ u32 e32[16] = {{{", ".join(f"{e:#x}u" for e in EDGES32)}}};',
           'KERNEL kernel(const u32 *in, u64 *out, u32 *atom, u8 *bytes) {',
           '\tu32 tid = tid_x(), a = tid & 15, b = tid >> 4, c = (tid * 5 + 3) & 15;',
           '\tu64 *o = out + (ctaid_x() * ntid_x() + tid) * OUT_PER;', '\tswitch (ctaid_x()) {']
    for n, op in enumerate(ops):
        args = []
        for t, i in zip(op[2:], 'abcab'):
            e = f'e{64 if BITS[t] == 64 else 32}[{i}]'
            args.append(f'make{BITS[t]}({e})' if t[0] == 'f' else f'({t}){e}')
        if n % 4 == 0:
            out.append(f'\tcase {n // 4}:')
        out.append(f'\t\to[{n % 4}] = as_u64({op[0]}({", ".join(args)}));')
        if n % 4 == 3:
            out.append('\t\tbreak;')
    return '\n'.join(out + ['\t}', '}', '#include "random_main.h"']) + '\n'


if __name__ == '__main__':
    sys.stdout.write(operations() if sys.argv[1] == 'ops' else Gen(int(sys.argv[1])).program(sys.argv[1]))
