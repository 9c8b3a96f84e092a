#!/bin/sh
# fresh.sh RUN DIR: compiles the kernels into DIR and runs them, where clang-22, lld-22 and zstd are installed.
for tool in clang-22 ld.lld-22 zstd; do
	if ! command -v $tool >/dev/null; then
		echo "skipped: $tool is not installed"
		echo "0 passed, 0 failed, 1 skipped"
		exit 0
	fi
done
rm -rf "$2"
"$(dirname "$0")/build.sh" "$2" && exec "$1" "$2"
