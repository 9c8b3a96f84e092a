#!/bin/sh
# Installs what the build and the tests need, from Debian, asking nothing. Does nothing where all of it is there.
set -e
pkgs="gcc g++ make llvm-22-dev re2c bison check libsubunit-dev libzstd-dev zlib1g-dev liblz4-dev zstd"
tests="clang-22 lld-22 llvm-22 libclang-rt-22-dev libamd-comgr-dev"
missing=
for p in $pkgs $tests; do
	dpkg-query -W -f='${Status}\n' "$p" 2>/dev/null | grep -q 'install ok installed' || missing="$missing $p"
done
[ -n "$missing" ] || exit 0
sudo=; [ "$(id -u)" -eq 0 ] || sudo=sudo
export DEBIAN_FRONTEND=noninteractive
$sudo apt-get update
$sudo apt-get install -y --no-install-recommends $missing
