// One kernel that shows its arguments: (u32 a, u8 b, u16 c, u64 d, p, o): o[] = a, b, c, d low, d high, p[0]; and a variable.
.amdgcn_target "amdgcn-amd-amdhsa--unknown"
//: args u32 0 4 by_value, u8 4 1 by_value, u16 6 2 by_value, u64 8 8 by_value, p 16 8 global_buffer, o 24 8 global_buffer
.text
	.globl args
	.p2align 8
	.type args,@function
args:
	s_load_dwordx8 s[4:11], s[0:1], 0x0
	s_waitcnt lgkmcnt(0)
	s_load_dword s12, s[8:9], 0x0
	s_and_b32 s13, s5, 0xff
	s_lshr_b32 s14, s5, 16
	v_mov_b32 v0, 0
	v_mov_b32 v1, s4
	v_mov_b32 v2, s13
	v_mov_b32 v3, s14
	v_mov_b32 v4, s6
	global_store_dwordx4 v0, v[1:4], s[10:11]
	v_mov_b32 v5, s7
	s_waitcnt lgkmcnt(0)
	v_mov_b32 v6, s12
	global_store_dwordx2 v0, v[5:6], s[10:11] offset:16
	s_endpgm
	.size args, .-args
	.section .rodata,"a",@progbits
	.p2align 6
	.amdhsa_kernel args
		.amdhsa_kernarg_size 32
		.amdhsa_user_sgpr_kernarg_segment_ptr 1
		.amdhsa_user_sgpr_count 15
		.amdhsa_wavefront_size32 1
		.amdhsa_next_free_vgpr 8
		.amdhsa_next_free_sgpr 32
	.end_amdhsa_kernel
	.data
	.globl counter
	.protected counter
	.type counter,@object
	.size counter, 4
	.p2align 2
counter:
	.long 42
