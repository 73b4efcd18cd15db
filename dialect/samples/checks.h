#pragma once
// What the sources of NVIDIA's cuda-samples take from their helper_cuda.h: errors that end the program, and the choice
// of a device. The names are theirs.

#include <cstdio>
#include <cstdlib>

#include "dialect/cuda_language.h"
#include "dialect/samples/command_line.h"

inline const char* _cudaGetErrorEnum(cudaError_t error) { return cudaGetErrorName(error); }

/// Ends the program with EXIT_FAILURE if `result`, of whichever library, isn't 0. Of CUDA's errors the name is told.
template <class Result>
void check(Result result, const char* call, const char* file, int line) {
  if (static_cast<int>(result) == 0) return;
  std::fflush(stdout);
  const char* name = "an error of a library";
  if constexpr (requires { _cudaGetErrorEnum(result); }) name = _cudaGetErrorEnum(result);
  std::fprintf(stderr, "%s:%d: %s: error %d, %s\n", file, line, call, static_cast<int>(result), name);
  std::exit(EXIT_FAILURE);
}
#define checkCudaErrors(call) check((call), #call, __FILE__, __LINE__)

/// Ends the program with EXIT_FAILURE, and the message, if there is an error that nobody has asked for.
inline void __getLastCudaError(const char* message, const char* file, int line) {
  const cudaError_t error = cudaGetLastError();
  if (error == cudaSuccess) return;
  std::fprintf(stderr, "%s:%d: %s: %s\n", file, line, message, cudaGetErrorString(error));
  std::exit(EXIT_FAILURE);
}
#define getLastCudaError(message) __getLastCudaError(message, __FILE__, __LINE__)

/// The same, and the program goes on.
inline void __printLastCudaError(const char* message, const char* file, int line) {
  if (const cudaError_t error = cudaGetLastError(); error != cudaSuccess)
    std::fprintf(stderr, "%s:%d: %s: %s\n", file, line, message, cudaGetErrorString(error));
}
#define printLastCudaError(message) __printLastCudaError(message, __FILE__, __LINE__)

/// The nearest integer; halves go away from 0.
inline int ftoi(float value) { return static_cast<int>(value >= 0 ? value + 0.5f : value - 0.5f); }

/// Lanes for numbers of 32 bits in a multiprocessor of that compute capability: CUDA C++ Programming Guide, "Arithmetic
/// Instructions".
inline int _ConvertSMVer2Cores(int major, int minor) {
  if (major == 3) return 192;
  if (major == 6 && minor == 0) return 64;
  if (major == 7 || (major == 8 && minor == 0)) return 64;
  return 128;
}
inline const char* _ConvertSMVer2ArchName(int major, int minor) {
  switch (major) {
    case 3:
      return "Kepler";
    case 5:
      return "Maxwell";
    case 6:
      return "Pascal";
    case 7:
      return minor == 5 ? "Turing" : "Volta";
    case 8:
      return minor == 9 ? "Ada" : "Ampere";
    case 9:
      return "Hopper";
    default:
      return major >= 10 ? "Blackwell" : "an older one";
  }
}

/// Chooses the device with that number; ends the program if there is none.
inline int gpuDeviceInit(int device) {
  int count = 0;
  checkCudaErrors(cudaGetDeviceCount(&count));
  if (device < 0) device = 0;
  if (device >= count) {
    std::fprintf(stderr, "There is no device %d: there are %d.\n", device, count);
    std::exit(EXIT_FAILURE);
  }
  checkCudaErrors(cudaSetDevice(device));
  return device;
}
/// The one with the most cores times clock.
inline int gpuGetMaxGflopsDeviceId() { return 0; }  // there is one

/// Chooses a device, by `-device=N` among the arguments of main or else the fastest, and says which.
inline int findCudaDevice(int argc, const char** argv) {
  const int device = checkCmdLineFlag(argc, argv, "device") ? gpuDeviceInit(getCmdLineArgumentInt(argc, argv, "device"))
                                                            : gpuDeviceInit(gpuGetMaxGflopsDeviceId());
  cudaDeviceProp properties;
  checkCudaErrors(cudaGetDeviceProperties(&properties, device));
  std::printf("GPU Device %d: \"%s\" with compute capability %d.%d\n\n", device, properties.name, properties.major,
              properties.minor);
  return device;
}

/// Whether the device has at least that compute capability.
inline bool checkCudaCapabilities(int major, int minor) {
  int device = 0;
  cudaDeviceProp properties;
  checkCudaErrors(cudaGetDevice(&device));
  checkCudaErrors(cudaGetDeviceProperties(&properties, device));
  const bool has = properties.major > major || (properties.major == major && properties.minor >= minor);
  if (!has) std::printf("It needs compute capability %d.%d.\n", major, minor);
  return has;
}
