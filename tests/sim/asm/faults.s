// Kernels with one seeded fault each, and their sound twins (name_ok). Arguments: a pointer to 64 dwords.
// build.sh assembles this for each chip; tests/unit/sim_faults.c says what each must report.
.amdgcn_target "amdgcn-amd-amdhsa--unknown"

.macro kernel name
	.globl \name
	.p2align 8
	.type \name,@function
\name:
	s_load_dwordx2 s[0:1], s[0:1], 0x0
	v_and_b32 v0, 0x3ff, v0
	v_lshlrev_b32 v1, 2, v0
	s_waitcnt lgkmcnt(0)
.endm
.macro done name, vgprs=8, lds=0
	s_endpgm
	.size \name, .-\name
	.section .rodata,"a",@progbits
	.p2align 6
	.amdhsa_kernel \name
		.amdhsa_group_segment_fixed_size \lds
		.amdhsa_private_segment_fixed_size 0
		.amdhsa_kernarg_size 8
		.amdhsa_user_sgpr_kernarg_segment_ptr 1
		.amdhsa_user_sgpr_count 15
		.amdhsa_wavefront_size32 1
		.amdhsa_next_free_vgpr \vgprs
		.amdhsa_next_free_sgpr 32
	.end_amdhsa_kernel
	.text
.endm
.macro store reg
	global_store_dword v1, \reg, s[0:1]
.endm

.text
kernel plain
	v_add_nc_u32 v2, 5, v0
	store v2
done plain

// ---- waits ----
kernel wait_read
	global_load_dword v2, v1, s[0:1]
	v_add_nc_u32 v2, 1, v2
	store v2
done wait_read
kernel wait_read_ok
	global_load_dword v2, v1, s[0:1]
	s_waitcnt vmcnt(0)
	v_add_nc_u32 v2, 1, v2
	store v2
done wait_read_ok
// Of an addend's high half, which the low half of the sum does not depend on, anything may be read.
kernel wait_high_half_ok
	global_load_dword v2, v1, s[0:1]
	global_load_dword v3, v1, s[0:1]
	s_waitcnt vmcnt(1)
	v_mad_u64_u32 v[4:5], null, v0, v1, v[2:3]
	s_waitcnt vmcnt(0)
	v_add_nc_u32 v4, v4, v3
	store v4
done wait_high_half_ok
kernel wait_high_half
	v_mov_b32 v2, 5
	global_load_dword v3, v1, s[0:1]
	v_mad_u64_u32 v[4:5], null, v0, v1, v[2:3]
	s_waitcnt vmcnt(0)
	store v5
done wait_high_half
kernel wait_low_half
	global_load_dword v2, v1, s[0:1]
	v_mad_u64_u32 v[4:5], null, v0, v1, v[2:3]
	store v4
done wait_low_half
kernel wait_factor
	v_mov_b32 v2, 5
	global_load_dword v3, v1, s[0:1]
	v_mad_u64_u32 v[4:5], null, v0, v3, v[2:3]
	store v4
done wait_factor
kernel wait_overwrite
	global_load_dword v2, v1, s[0:1]
	v_mov_b32 v2, 1
	store v2
done wait_overwrite
kernel wait_count
	global_load_dword v2, v1, s[0:1]
	global_load_dword v3, v1, s[0:1]
	s_waitcnt vmcnt(1)
	v_add_nc_u32 v2, v2, v3
	store v2
done wait_count
kernel wait_count_ok
	global_load_dword v2, v1, s[0:1]
	global_load_dword v3, v1, s[0:1]
	s_waitcnt vmcnt(1)
	v_add_nc_u32 v2, 1, v2
	store v2
done wait_count_ok
// Scalar loads return in any order: only lgkmcnt(0) will do.
kernel wait_smem
	s_load_dword s4, s[0:1], 0x0
	s_load_dword s5, s[0:1], 0x4
	s_waitcnt lgkmcnt(1)
	v_mov_b32 v2, s4
	store v2
done wait_smem
kernel wait_lds
	ds_write_b32 v1, v0
	ds_read_b32 v2, v1
	store v2
done wait_lds, 8, 256
kernel wait_lds_smem
	ds_write_b32 v1, v0
	s_waitcnt lgkmcnt(0)
	ds_read_b32 v2, v1
	s_load_dword s4, s[0:1], 0x0
	s_waitcnt lgkmcnt(1)
	store v2
done wait_lds_smem, 8, 256
kernel wait_store_data_ok
	v_mov_b32 v2, 7
	store v2
	v_mov_b32 v2, 8
done wait_store_data_ok
kernel wait_flat
	v_mov_b32 v3, s1
	v_add_co_u32 v2, vcc_lo, s0, v1
	v_add_co_ci_u32 v3, vcc_lo, 0, v3, vcc_lo
	flat_load_dword v4, v[2:3]
	s_waitcnt vmcnt(0)
	store v4
done wait_flat
kernel wait_barrier
	ds_write_b32 v1, v0
	s_barrier
	v_xor_b32 v3, 4, v1
	ds_read_b32 v2, v3
	s_waitcnt lgkmcnt(0)
	store v2
done wait_barrier, 8, 256

kernel wait_barrier_read
	ds_write_b32 v1, v0
	s_waitcnt lgkmcnt(0)
	s_barrier
	v_xor_b32 v3, 4, v1
	ds_read_b32 v2, v3
	s_barrier
	s_waitcnt lgkmcnt(0)
	store v2
done wait_barrier_read, 8, 256

// ---- never-written values ----
kernel uninit_store
	store v5
done uninit_store
kernel uninit_move_ok
	v_mov_b32 v5, v6
	v_add_nc_u32 v5, 1, v5
	v_mov_b32 v5, 3
	store v5
done uninit_move_ok
kernel uninit_compute
	v_add_nc_u32 v5, v6, v0
	store v5
done uninit_compute
kernel uninit_lanes
	v_and_b32 v3, 31, v0
	v_cmp_gt_u32 vcc_lo, 16, v3
	s_and_saveexec_b32 s4, vcc_lo
	v_mov_b32 v2, 1
	s_mov_b32 exec_lo, s4
	store v2
done uninit_lanes
kernel uninit_address
	v_mov_b32 v2, 1
	global_store_dword v6, v2, s[0:1]
done uninit_address
kernel uninit_branch
	s_cmp_eq_u32 s20, 0
	s_cbranch_scc1 1f
	store v0
1:
done uninit_branch
kernel uninit_exec
	s_mov_b32 exec_lo, s20
	store v0
done uninit_exec
kernel uninit_mask_ok
	s_and_b32 s20, s20, 0
	s_mov_b32 exec_lo, s20
	store v0
done uninit_mask_ok
kernel uninit_lds
	ds_read_b32 v2, v1
	s_waitcnt lgkmcnt(0)
	store v2
done uninit_lds, 8, 256
// one dword of two was written: the other alone may not be used
kernel uninit_half_ok
	v_lshlrev_b32 v4, 3, v0
	ds_write_b32 v4, v0
	ds_read_b64 v[2:3], v4
	s_waitcnt lgkmcnt(0)
	store v2
done uninit_half_ok, 8, 512
kernel uninit_half
	v_lshlrev_b32 v4, 3, v0
	ds_write_b32 v4, v0
	ds_read_b64 v[2:3], v4
	s_waitcnt lgkmcnt(0)
	store v3
done uninit_half, 8, 512
// atomics on words of which the low half was written: those that leave the other alone
kernel uninit_atomic_ok
	v_mov_b32 v2, 5
	v_mov_b32 v3, 0x100
	ds_write_b16 v1, v2
	ds_or_b32 v1, v3
	s_waitcnt lgkmcnt(0)
	ds_read_u16 v4, v1
	s_waitcnt lgkmcnt(0)
	store v4
done uninit_atomic_ok, 8, 256
kernel uninit_atomic
	v_mov_b32 v2, 5
	v_mov_b32 v3, 0x10000
	ds_write_b16 v1, v2
	ds_or_b32 v1, v3
	s_waitcnt lgkmcnt(0)
done uninit_atomic, 8, 256
// an exchange of one half, as the loop does that compares the word
kernel uninit_swap_ok
	v_mov_b32 v2, 5
	v_mov_b32 v3, 7
	ds_write_b16 v1, v2
	ds_read_b32 v2, v1
	s_waitcnt lgkmcnt(0)
	v_bfi_b32 v3, 0xffff, v3, v2
.if GFX11
	ds_cmpstore_rtn_b32 v4, v1, v3, v2
.else
	ds_cmpst_rtn_b32 v4, v1, v2, v3
.endif
	s_waitcnt lgkmcnt(0)
	v_cmp_eq_u32 vcc_lo, v4, v2
	s_mov_b32 exec_lo, vcc_lo
	store v4
done uninit_swap_ok, 8, 256
// nothing of the word was written
kernel uninit_swap
	v_mov_b32 v3, 7
	ds_read_b32 v2, v1
	s_waitcnt lgkmcnt(0)
.if GFX11
	ds_cmpstore_rtn_b32 v4, v1, v3, v2
.else
	ds_cmpst_rtn_b32 v4, v1, v2, v3
.endif
	s_waitcnt lgkmcnt(0)
done uninit_swap, 8, 256
// a bit field in a byte that was never written: the byte's other bits do not matter
kernel uninit_field_ok
	ds_read_u8 v2, v1
	s_waitcnt lgkmcnt(0)
	v_and_b32 v2, 0xe0, v2
	v_and_or_b32 v2, v0, 31, v2
	ds_write_b8 v1, v2
	s_waitcnt lgkmcnt(0)
	ds_read_i8 v3, v1
	s_waitcnt lgkmcnt(0)
	v_bfe_i32 v4, v3, 0, 5
	v_lshlrev_b32 v5, 27, v3
	v_ashrrev_i32 v5, 27, v5
	v_xor_b32 v4, v4, v5
	store v4
done uninit_field_ok, 8, 256
kernel uninit_field
	ds_read_u8 v2, v1
	s_waitcnt lgkmcnt(0)
	v_and_b32 v2, 0xe0, v2
	v_and_or_b32 v2, v0, 31, v2
	ds_write_b8 v1, v2
	s_waitcnt lgkmcnt(0)
	ds_read_u8 v3, v1
	s_waitcnt lgkmcnt(0)
	v_bfe_u32 v4, v3, 4, 2
	store v4
done uninit_field, 8, 256
// bytes of a register, one by one
kernel uninit_bytes_ok
	v_mov_b32 v3, 0x03020104
	v_perm_b32 v2, v0, v6, v3
	v_bfi_b32 v2, 0xff00, v0, v2
	v_lshl_or_b32 v2, v0, 16, v2
	v_and_b32 v2, 0xffff, v2
	store v2
done uninit_bytes_ok
kernel uninit_bytes
	v_mov_b32 v3, 0x03020104
	v_perm_b32 v2, v0, v6, v3
	v_bfi_b32 v2, 0xff00, v0, v2
	store v2
done uninit_bytes
kernel uninit_sum_ok
	v_lshlrev_b32 v6, 24, v6
	v_lshl_add_u32 v2, v0, 8, v6
	v_mul_lo_u32 v2, v2, 3
	v_sub_nc_u32 v2, v2, v0
	v_and_b32 v2, 0xffffff, v2
	store v2
done uninit_sum_ok
kernel uninit_sum
	v_lshlrev_b32 v6, 8, v6
	v_add_nc_u32 v2, v0, v6
	v_lshrrev_b32 v2, 7, v2
	store v2
done uninit_sum
// a half of a register
kernel uninit_d16_ok
	v_lshlrev_b32 v4, 1, v0
	ds_write_b16 v4, v0
	s_waitcnt lgkmcnt(0)
	ds_read_u16_d16_hi v3, v4
	s_waitcnt lgkmcnt(0)
	v_lshrrev_b32 v3, 16, v3
	global_store_short v1, v3, s[0:1]
	ds_read_u16_d16 v5, v4
	s_waitcnt lgkmcnt(0)
	v_pk_add_u16 v5, v5, v5
	global_store_short v1, v5, s[0:1]
done uninit_d16_ok, 8, 256
kernel uninit_d16
	v_lshlrev_b32 v4, 1, v0
	ds_write_b16 v4, v0
	s_waitcnt lgkmcnt(0)
	ds_read_u16_d16_hi v3, v4
	s_waitcnt lgkmcnt(0)
	global_store_short v1, v3, s[0:1]
done uninit_d16, 8, 256
kernel uninit_float
	v_and_b32 v6, 1, v6
	v_cvt_f32_u32 v2, v6
	store v2
done uninit_float
kernel uninit_shift
	v_and_b32 v6, 1, v6
	v_lshlrev_b32 v2, v6, v0
	v_and_b32 v2, 0xfff, v2
	store v2
done uninit_shift
// lanes move with their bits
kernel uninit_move_lanes_ok
	v_and_b32 v2, 0xff00, v6
	v_or_b32 v2, v2, v0
	v_mov_b32_dpp v3, v2 quad_perm:[1,0,3,2] row_mask:0xf bank_mask:0xf
	v_xor_b32 v4, 4, v1
	ds_bpermute_b32 v3, v4, v3
	s_waitcnt lgkmcnt(0)
	v_and_b32 v3, 0xff, v3
	store v3
done uninit_move_lanes_ok
// scalars
kernel uninit_scalar_ok
	s_and_b32 s20, s20, 0xff00
	s_lshl_b32 s20, s20, 8
	s_add_u32 s20, s20, 5
	s_bitcmp1_b32 s20, 2
	s_cbranch_scc0 1f
	s_bfe_u32 s21, s20, 0x100000
	v_mov_b32 v2, s20
	v_and_b32 v2, s21, v2
	store v2
1:
done uninit_scalar_ok
kernel uninit_scalar
	s_and_b32 s20, s20, 0xff00
	s_lshl_b32 s20, s20, 8
	s_bitcmp1_b32 s20, 16
	s_cbranch_scc0 1f
	store v0
1:
done uninit_scalar
kernel uninit_spilled_mask
	s_and_b32 s20, s20, 1
	v_writelane_b32 v2, s20, 0
	v_readlane_b32 s21, v2, 0
	s_mov_b32 exec_lo, s21
	store v0
done uninit_spilled_mask
// a struct with padding is stored whole
kernel padding_ok
	v_and_b32 v2, 0xff, v0
	v_and_b32 v3, 0xffffff00, v6
	v_or_b32 v2, v2, v3
	store v2
	s_waitcnt_vscnt null, 0x0
	global_load_ubyte v4, v1, s[0:1]
	s_waitcnt vmcnt(0)
	store v4
done padding_ok
kernel padding_none
	v_mov_b32 v2, v6
	v_mov_b32 v3, v7
	v_lshlrev_b32 v4, 1, v1
	v_and_b32 v4, 0xf8, v4
	global_store_dwordx2 v4, v[2:3], s[0:1]
done padding_none
kernel padding_used
	v_and_b32 v2, 0xff, v0
	v_and_b32 v3, 0xffffff00, v6
	v_or_b32 v2, v2, v3
	store v2
	s_waitcnt_vscnt null, 0x0
	global_load_dword v4, v1, s[0:1]
	s_waitcnt vmcnt(0)
	v_cmp_eq_u32 vcc_lo, 0, v4
	s_cbranch_vccz 1f
	store v4
1:
done padding_used

// ---- memory ----
kernel oob_global
	global_store_dword v1, v0, s[0:1] offset:192
done oob_global
kernel oob_lds
	ds_write_b32 v1, v0 offset:252
done oob_lds, 8, 256
kernel oob_null
	v_mov_b32 v2, 0
	v_mov_b32 v3, 0
	global_load_dword v4, v[2:3], off
done oob_null
kernel write_code
	s_getpc_b64 s[4:5]
	global_store_dword v1, v0, s[4:5]
done write_code
kernel misaligned_atomic
	v_add_nc_u32 v2, 2, v1
	global_atomic_add v2, v0, s[0:1]
done misaligned_atomic
kernel misaligned_load_ok
	v_mov_b32 v2, 0
	global_load_dword v3, v2, s[0:1] offset:2
	s_waitcnt vmcnt(0)
	store v3
done misaligned_load_ok

// ---- control ----
kernel runaway
1:
	s_branch 1b
done runaway
kernel deadlock
	v_readfirstlane_b32 s4, v0
	s_cmp_eq_u32 s4, 0
	s_cbranch_scc1 2f
1:
	s_sleep 1
	s_branch 1b
2:
	s_barrier
	store v0
done deadlock
kernel early_end_ok
	v_readfirstlane_b32 s4, v0
	s_cmp_lg_u32 s4, 0
	s_cbranch_scc1 2f
	s_barrier
	store v0
2:
done early_end_ok
kernel bad_pc
	s_mov_b64 s[4:5], 0x1000
	s_setpc_b64 s[4:5]
done bad_pc
kernel bad_code
	.long 0xffffffff
done bad_code
kernel trap
	s_trap 2
done trap
kernel bad_vgpr
	v_mov_b32 v100, 1
done bad_vgpr

// ---- visibility between the two waves; checked on request ----
kernel race_store
	store v0
	s_barrier
	buffer_gl0_inv
	v_xor_b32 v2, 128, v1
	global_load_dword v3, v2, s[0:1]
	s_waitcnt vmcnt(0)
done race_store
kernel race_stale
	v_xor_b32 v2, 128, v1
	global_load_dword v3, v2, s[0:1]
	s_waitcnt vmcnt(0)
	s_barrier
	store v0
	s_waitcnt_vscnt null, 0x0
	s_barrier
	global_load_dword v3, v2, s[0:1]
	s_waitcnt vmcnt(0)
done race_stale
kernel race_ok
	v_xor_b32 v2, 128, v1
	global_load_dword v3, v2, s[0:1]
	s_waitcnt vmcnt(0)
	s_barrier
	store v0
	s_waitcnt_vscnt null, 0x0
	s_barrier
	buffer_gl0_inv
	global_load_dword v3, v2, s[0:1]
	s_waitcnt vmcnt(0)
done race_ok
kernel race_polling_ok
	store v0
	s_barrier
	v_xor_b32 v2, 128, v1
	global_load_dword v3, v2, s[0:1] glc
	s_waitcnt vmcnt(0)
done race_polling_ok
kernel race_scalar
	store v0
	s_waitcnt_vscnt null, 0x0
	s_barrier
	s_load_dword s4, s[0:1], 0x0
	s_waitcnt lgkmcnt(0)
done race_scalar

// ---- one byte of a register is written, gfx10 ----
.if GFX11
.else
kernel uninit_sdwa_ok
	v_mov_b32_sdwa v2, v0 dst_sel:BYTE_1 dst_unused:UNUSED_PRESERVE src0_sel:BYTE_0
	v_lshrrev_b32_sdwa v3, v2, v2 dst_sel:DWORD dst_unused:UNUSED_PAD src0_sel:BYTE_1 src1_sel:BYTE_1
	v_add_nc_u32_sdwa v4, v2, v3 dst_sel:DWORD dst_unused:UNUSED_PAD src0_sel:BYTE_1 src1_sel:DWORD
	store v4
done uninit_sdwa_ok
kernel uninit_sdwa
	v_mov_b32_sdwa v2, v0 dst_sel:BYTE_1 dst_unused:UNUSED_PRESERVE src0_sel:BYTE_0
	v_add_nc_u32_sdwa v4, v2, v0 dst_sel:DWORD dst_unused:UNUSED_PAD src0_sel:BYTE_2 src1_sel:DWORD
	store v4
done uninit_sdwa
.endif

// ---- hazards ----
.if GFX11
kernel trans_use
	v_rcp_f32 v2, v0
	v_add_f32 v2, 1.0, v2
	store v2
done trans_use
kernel trans_use_ok
	v_rcp_f32 v2, v0
	s_waitcnt_depctr 0x0fff
	v_add_f32 v2, 1.0, v2
	store v2
done trans_use_ok
kernel trans_far_ok
	v_rcp_f32 v2, v0
	v_mov_b32 v3, 1
	v_mov_b32 v3, 2
	v_mov_b32 v3, 3
	v_mov_b32 v3, 4
	v_mov_b32 v3, 5
	v_mov_b32 v3, 6
	v_add_f32 v2, 1.0, v2
	store v2
done trans_far_ok
kernel trans_near
	v_rcp_f32 v2, v0
	v_mov_b32 v3, 1
	v_mov_b32 v3, 2
	v_mov_b32 v3, 3
	v_mov_b32 v3, 4
	v_mov_b32 v3, 5
	v_add_f32 v2, 1.0, v2
	store v2
done trans_near
kernel cmpx_permlane
	s_mov_b32 s5, 0
	v_cmpx_le_u32 0, v0
	v_permlane16_b32 v2, v0, s5, s5
	store v2
done cmpx_permlane
kernel cmpx_permlane_ok
	s_mov_b32 s5, 0
	v_cmpx_le_u32 0, v0
	v_mov_b32 v0, v0
	v_permlane16_b32 v2, v0, s5, s5
	store v2
done cmpx_permlane_ok
kernel mad64_overlap
	v_mov_b32 v2, 1
	v_mov_b32 v3, 0
	.long 0xd6fe7c02, 0x040a0500 // v_mad_u64_u32 v[2:3], null, v0, v2, v[2:3]
	store v2
done mad64_overlap
.else
kernel fp_atomic_mode
	global_atomic_fmin v1, v0, s[0:1]
	s_nop 0
	s_denorm_mode 3
done fp_atomic_mode
kernel fp_atomic_mode_ok
	global_atomic_fmin v1, v0, s[0:1]
	s_nop 2
	s_denorm_mode 3
done fp_atomic_mode_ok
.endif
.if GFX101
kernel vmem_sgpr
	global_load_dword v2, v1, s[0:1]
	s_mov_b32 s1, 0
done vmem_sgpr
kernel vmem_sgpr_ok
	global_load_dword v2, v1, s[0:1]
	v_mov_b32 v3, 0
	s_mov_b32 s1, 0
done vmem_sgpr_ok
kernel smem_sgpr
	s_load_dword s4, s[0:1], 0x0
	v_readfirstlane_b32 s0, v0
done smem_sgpr
kernel smem_sgpr_ok
	s_load_dword s4, s[0:1], 0x0
	s_waitcnt lgkmcnt(0)
	v_readfirstlane_b32 s0, v0
done smem_sgpr_ok
kernel cmpx_exec
	s_mov_b32 s4, exec_lo
	v_cmpx_le_u32 0, v0
done cmpx_exec
kernel cmpx_exec_ok
	s_mov_b32 s4, exec_lo
	s_waitcnt_depctr 0xfffe
	v_cmpx_le_u32 0, v0
done cmpx_exec_ok
kernel lds_branch
	ds_write_b32 v1, v0
	s_branch 1f
1:
	store v0
done lds_branch, 8, 256
kernel lds_branch_ok
	ds_write_b32 v1, v0
	s_branch 1f
1:
	s_waitcnt_vscnt null, 0x0
	store v0
done lds_branch_ok, 8, 256
kernel branch_3f
	s_branch 0x3f
done branch_3f
.endif
