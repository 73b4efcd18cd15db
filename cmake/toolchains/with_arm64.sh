#!/bin/sh
# with_arm64.sh SYSROOT COMMAND...
# Runs the command where the kernel hands programs for arm64 to qemu, also those that tests start themselves. qemu is
# registered in a user namespace of the command's own (Linux 6.7 and later): nothing on the machine changes.
set -eu
QEMU_LD_PREFIX=$(realpath "$1")
export QEMU_LD_PREFIX
shift
# How such a file begins: ELF, 64 bits, little-endian; a program or a shared object; for the machine 0xb7.
magic='\x7fELF\x02\x01\x01\x00\x00\x00\x00\x00\x00\x00\x00\x00\x02\x00\xb7\x00'
mask='\xff\xff\xff\xff\xff\xff\xff\x00\xff\xff\xff\xff\xff\xff\xff\xff\xfe\xff\xff\xff'
exec unshare --map-root-user --mount sh -euc '
  mount -t binfmt_misc none /proc/sys/fs/binfmt_misc
  printf %s "$1" >/proc/sys/fs/binfmt_misc/register
  shift
  exec "$@"' sh ":arm64:M::$magic:$mask:$(command -v qemu-aarch64-static):OF" "$@"
