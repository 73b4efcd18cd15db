#pragma once
// The few macros of the runtime.

// GS_FN marks a function that runs on the host and inside kernels. Under nvcc it is compiled for both; under g++ it is
// an ordinary function, and its mark an attribute where the plugin is loaded that refuses what runs on the device
// without it (compiler/device_marks).
#if defined(__CUDACC__)
#define GS_FN __host__ __device__
#elif __has_attribute(gridstride_device)
#define GS_FN __attribute__((gridstride_device))
#else
#define GS_FN
#endif

// Before a loop none of whose turns reads what another one writes. (nvcc takes g++'s pragma.)
#if defined(__clang__)
#define GS_INDEPENDENT_TURNS _Pragma("clang loop vectorize(assume_safety)")
#else
#define GS_INDEPENDENT_TURNS _Pragma("GCC ivdep")
#endif

// The flavour this translation unit is compiled in. Everything in `gs` lives in an inline namespace of that name, so
// plain and checked objects can't be linked into one program by mistake.
#if defined(GRIDSTRIDE_CHECKED) && GRIDSTRIDE_CHECKED
#define GS_FLAVOUR checked
#else
#define GS_FLAVOUR plain
#endif

// The checked flavour's kernel sources are compiled so that the instruments see every access. GS_UNOBSERVED marks the
// runtime's own functions in them whose accesses are none of the kernel's.
#if defined(__SANITIZE_THREAD__)
#define GS_UNOBSERVED __attribute__((no_sanitize("thread")))
#else
#define GS_UNOBSERVED
#endif
