#!/bin/sh
# corpus.sh CORPUS: programs of the corpus whose waves and blocks communicate, on weak memory, against the recordings of an NVIDIA H200.
passed=0 failed=0
for p in lookback scan histogram hashtable sync; do
	[ -d "tests/ptx-corpus/$p" ] || continue
	if "$1" --only "$p" --dialect sm_75 --caches --seed 1; then passed=$((passed + 2)); else failed=$((failed + 1)); fi
done
echo "$passed passed, $failed failed"
