#pragma once
// Errors as CUDA gives them: CUDA Runtime API, "Error Handling". A call that fails returns its code and leaves it for
// cudaGetLastError(); a fault in a kernel stays until the program ends. The engine knows more than a code: what it says
// goes to standard error, once.

#include <exception>
#include <string>

enum cudaError {
  cudaSuccess = 0,
  cudaErrorInvalidValue = 1,
  cudaErrorMemoryAllocation = 2,
  cudaErrorInitializationError = 3,
  cudaErrorInvalidConfiguration = 9,
  cudaErrorInvalidPitchValue = 12,
  cudaErrorInvalidSymbol = 13,
  cudaErrorInvalidDevicePointer = 17,
  cudaErrorInvalidMemcpyDirection = 21,
  cudaErrorInsufficientDriver = 35,
  cudaErrorInvalidDeviceFunction = 98,
  cudaErrorNoDevice = 100,
  cudaErrorInvalidDevice = 101,
  cudaErrorInvalidResourceHandle = 400,
  cudaErrorIllegalState = 401,
  cudaErrorNotReady = 600,
  cudaErrorIllegalAddress = 700,
  cudaErrorLaunchOutOfResources = 701,
  cudaErrorLaunchTimeout = 702,
  cudaErrorPeerAccessAlreadyEnabled = 704,
  cudaErrorPeerAccessNotEnabled = 705,
  cudaErrorAssert = 710,
  cudaErrorHostMemoryAlreadyRegistered = 712,
  cudaErrorHostMemoryNotRegistered = 713,
  cudaErrorIllegalInstruction = 715,
  cudaErrorLaunchFailure = 719,
  cudaErrorCooperativeLaunchTooLarge = 720,
  cudaErrorNotSupported = 801,
  cudaErrorStreamCaptureUnsupported = 900,
  cudaErrorStreamCaptureInvalidated = 901,
  cudaErrorStreamCaptureMerge = 902,
  cudaErrorStreamCaptureUnmatched = 903,
  cudaErrorStreamCaptureUnjoined = 904,
  cudaErrorStreamCaptureIsolation = 905,
  cudaErrorStreamCaptureImplicit = 906,
  cudaErrorCapturedEvent = 907,
  cudaErrorStreamCaptureWrongThread = 908,
  cudaErrorUnknown = 999
};
using cudaError_t = cudaError;

const char* cudaGetErrorName(cudaError_t error);
const char* cudaGetErrorString(cudaError_t error);
/// The last error of this thread of the host, which is then forgotten; a fault of a kernel never is.
cudaError_t cudaGetLastError();
cudaError_t cudaPeekAtLastError();

namespace dialect {

/// What a kernel throws for a failed assert, and for __trap().
struct device_stop {
  cudaError_t code;
  std::string text;
};

/// What a call throws that is refused: its code, and a sentence for standard error.
struct call_refused {
  cudaError_t code;
  std::string text;
};

/// Says on standard error, after what the program itself has printed, why a call was refused: the error's name, and a
/// sentence.
void print_refusal(const char* error, const std::string& sentence);

/// Notes the error for cudaGetLastError() and returns it.
cudaError_t failed(cudaError_t code);
/// The same with a sentence for standard error.
cudaError_t failed(cudaError_t code, const std::string& sentence);
/// The same for what was thrown.
cudaError_t failed(const std::exception_ptr& thrown);
/// A fault of a kernel, cudaSuccess if there was none.
cudaError_t sticky_error();
/// The program begins anew.
void forget_errors();

/// A call begins: what the one before has returned was used, unless it was dropped. A call ends (unchecked_errors.h).
void begin_call();
void end_call(cudaError_t result);
/// What the last call has returned isn't for the program.
void take_result();

/// A call of the runtime: `work` throws gs::error, or returns a code.
template <class Work>
cudaError_t guarded(Work work) {
  begin_call();
  const cudaError_t result = [&] {
    if (const cudaError_t fault = sticky_error(); fault != cudaSuccess) return failed(fault);
    try {
      const cudaError_t code = work();
      return code == cudaSuccess ? code : failed(code);
    } catch (...) {
      return failed(std::current_exception());
    }
  }();
  end_call(result);
  return result;
}

}  // namespace dialect
