# Cross-compiles for arm64 Linux, and runs what was built under qemu's user emulation. Nothing of the sysroot runs while it is
# made, so that no emulation has to be registered with the kernel:
#
#   apt-get install g++-12-aarch64-linux-gnu qemu-user-static debootstrap
#   debootstrap --foreign --variant=minbase --arch=arm64 --include=libc6-dev,libstdc++-12-dev,libtbb-dev,libboost-context-dev,\
#     libopenblas-dev,libfftw3-dev,libxtensor-dev,libfmt-dev,libcli11-dev,nlohmann-json3-dev,libcairo2-dev,libgtest-dev bookworm DIR
#   for package in DIR/var/cache/apt/archives/*.deb; do dpkg-deb --extract $package DIR; done
#   ARM64_SYSROOT=DIR cmake -S . -B build/arm64 -G Ninja -DCMAKE_BUILD_TYPE=Release --toolchain cmake/toolchains/arm64.cmake
#   cmake --build build/arm64 --target 01_hypot && qemu-aarch64-static -L DIR build/arm64/lessons/01_hypot
#   cmake --build build/arm64 --target tests_runtime && ctest --test-dir build/arm64 -L runtime
#
# Without a registered emulation, tests that start programs are skipped: with_arm64.sh registers it for one command.
set(CMAKE_SYSTEM_NAME Linux)
set(CMAKE_SYSTEM_PROCESSOR aarch64)
set(CMAKE_CXX_COMPILER aarch64-linux-gnu-g++-12)
set(ARM64_SYSROOT "$ENV{ARM64_SYSROOT}" CACHE PATH "The sysroot; kept for when the build configures itself anew")
list(APPEND CMAKE_TRY_COMPILE_PLATFORM_VARIABLES ARM64_SYSROOT)
set(CMAKE_SYSROOT ${ARM64_SYSROOT})
set(CMAKE_FIND_ROOT_PATH ${CMAKE_SYSROOT})
set(CMAKE_FIND_ROOT_PATH_MODE_PROGRAM NEVER)
set(CMAKE_FIND_ROOT_PATH_MODE_LIBRARY ONLY)
set(CMAKE_FIND_ROOT_PATH_MODE_INCLUDE ONLY)
set(CMAKE_FIND_ROOT_PATH_MODE_PACKAGE ONLY)
set(CMAKE_LIBRARY_ARCHITECTURE aarch64-linux-gnu)
# OpenBLAS is where update-alternatives would link to, which nothing has run.
set(openblas /usr/lib/aarch64-linux-gnu/openblas-pthread)
set(CMAKE_CROSSCOMPILING_EMULATOR qemu-aarch64-static -L ${CMAKE_SYSROOT} -E LD_LIBRARY_PATH=${openblas})
set(ENV{PKG_CONFIG_SYSROOT_DIR} ${CMAKE_SYSROOT})
set(ENV{PKG_CONFIG_LIBDIR}
    ${CMAKE_SYSROOT}/usr/lib/aarch64-linux-gnu/pkgconfig:${CMAKE_SYSROOT}${openblas}/pkgconfig:${CMAKE_SYSROOT}/usr/share/pkgconfig)
set(GRIDSTRIDE_ARCH armv8-a CACHE STRING "-march value")
set(GRIDSTRIDE_PLUGIN OFF CACHE BOOL "The plugin would have to be built for the machine that compiles")
set(GRIDSTRIDE_MOLD OFF CACHE FILEPATH "This g++ looks for one of its own")
