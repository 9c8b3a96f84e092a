# The lane functions compute under the rounding direction that MODE asks for; loops over lanes are to be vectorised.
# valu_fused.c says why it is an exception.
VALU_FLAGS := -O3 -fno-trapping-math -fno-math-errno -ffp-contract=off
$(B)/src/sim/valu%.o: ALL_CFLAGS += $(VALU_FLAGS) -frounding-math
$(B)/src/sim/valu_fused.o: ALL_CFLAGS += -fno-rounding-math
# Loops over lanes.
$(B)/src/sim/sim_operand.o: ALL_CFLAGS += -O3
