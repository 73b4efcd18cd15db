#include "dialect/runtime/errors.h"

#include <fmt/format.h>

#include <algorithm>
#include <atomic>
#include <cstdio>
#include <string_view>

#include "dialect/runtime/error_checks.h"
#include "runtime/core/error.h"

namespace {

struct description {
  cudaError code;
  const char *name, *text;
};

// Texts as cudaGetErrorString() gives them (CUDA 13.0).
#define GS_DIALECT_ERROR(name, text) {name, #name, text}
constexpr description descriptions[] = {
    GS_DIALECT_ERROR(cudaSuccess, "no error"),
    GS_DIALECT_ERROR(cudaErrorInvalidValue, "invalid argument"),
    GS_DIALECT_ERROR(cudaErrorMemoryAllocation, "out of memory"),
    GS_DIALECT_ERROR(cudaErrorInitializationError, "initialization error"),
    GS_DIALECT_ERROR(cudaErrorInvalidConfiguration, "invalid configuration argument"),
    GS_DIALECT_ERROR(cudaErrorInvalidPitchValue, "invalid pitch argument"),
    GS_DIALECT_ERROR(cudaErrorInvalidSymbol, "invalid device symbol"),
    GS_DIALECT_ERROR(cudaErrorInvalidDevicePointer, "invalid device pointer"),
    GS_DIALECT_ERROR(cudaErrorInvalidMemcpyDirection, "invalid copy direction for memcpy"),
    GS_DIALECT_ERROR(cudaErrorInsufficientDriver, "CUDA driver version is insufficient for CUDA runtime version"),
    GS_DIALECT_ERROR(cudaErrorInvalidDeviceFunction, "invalid device function"),
    GS_DIALECT_ERROR(cudaErrorNoDevice, "no CUDA-capable device is detected"),
    GS_DIALECT_ERROR(cudaErrorInvalidDevice, "invalid device ordinal"),
    GS_DIALECT_ERROR(cudaErrorInvalidResourceHandle, "invalid resource handle"),
    GS_DIALECT_ERROR(cudaErrorIllegalState, "the operation cannot be performed in the present state"),
    GS_DIALECT_ERROR(cudaErrorNotReady, "device not ready"),
    GS_DIALECT_ERROR(cudaErrorIllegalAddress, "an illegal memory access was encountered"),
    GS_DIALECT_ERROR(cudaErrorLaunchOutOfResources, "too many resources requested for launch"),
    GS_DIALECT_ERROR(cudaErrorLaunchTimeout, "the launch timed out and was terminated"),
    GS_DIALECT_ERROR(cudaErrorPeerAccessAlreadyEnabled, "peer access is already enabled"),
    GS_DIALECT_ERROR(cudaErrorPeerAccessNotEnabled, "peer access has not been enabled"),
    GS_DIALECT_ERROR(cudaErrorAssert, "device-side assert triggered"),
    GS_DIALECT_ERROR(cudaErrorHostMemoryAlreadyRegistered,
                     "part or all of the requested memory range is already mapped"),
    GS_DIALECT_ERROR(cudaErrorHostMemoryNotRegistered, "pointer does not correspond to a registered memory region"),
    GS_DIALECT_ERROR(cudaErrorIllegalInstruction, "an illegal instruction was encountered"),
    GS_DIALECT_ERROR(cudaErrorLaunchFailure, "unspecified launch failure"),
    GS_DIALECT_ERROR(cudaErrorCooperativeLaunchTooLarge, "too many blocks in cooperative launch"),
    GS_DIALECT_ERROR(cudaErrorNotSupported, "operation not supported"),
    GS_DIALECT_ERROR(cudaErrorStreamCaptureUnsupported, "operation not permitted when stream is capturing"),
    GS_DIALECT_ERROR(cudaErrorStreamCaptureInvalidated, "operation failed due to a previous error during capture"),
    GS_DIALECT_ERROR(cudaErrorStreamCaptureMerge, "operation would result in a merge of separate capture sequences"),
    GS_DIALECT_ERROR(cudaErrorStreamCaptureUnmatched, "capture was not ended in the same stream as it began"),
    GS_DIALECT_ERROR(cudaErrorStreamCaptureUnjoined, "capturing stream has unjoined work"),
    GS_DIALECT_ERROR(cudaErrorStreamCaptureIsolation, "dependency created on uncaptured work in another stream"),
    GS_DIALECT_ERROR(cudaErrorStreamCaptureImplicit,
                     "operation would make the legacy stream depend on a capturing blocking stream"),
    GS_DIALECT_ERROR(cudaErrorCapturedEvent, "operation not permitted on an event last recorded in a capturing stream"),
    GS_DIALECT_ERROR(cudaErrorStreamCaptureWrongThread,
                     "attempt to terminate a thread-local capture sequence from another thread"),
    GS_DIALECT_ERROR(cudaErrorUnknown, "unknown error"),
};
#undef GS_DIALECT_ERROR

const description* describe(cudaError code) {
  const auto found = std::ranges::find(descriptions, code, &description::code);
  return found == std::end(descriptions) ? nullptr : found;
}

thread_local cudaError last_error = cudaSuccess;
std::atomic<cudaError> sticky{cudaSuccess};

cudaError_t stick(cudaError_t code, const std::string& sentence) {
  sticky = code;
  return dialect::failed(code, sentence);
}

}  // namespace

const char* cudaGetErrorName(cudaError_t error) {
  const description* const found = describe(error);
  return found ? found->name : "unrecognized error code";
}

const char* cudaGetErrorString(cudaError_t error) {
  const description* const found = describe(error);
  return found ? found->text : "unrecognized error code";
}

cudaError_t cudaPeekAtLastError() {
  const cudaError_t error = dialect::last_error_of_thread();
  dialect::note_asked(error);
  return error;
}

cudaError_t cudaGetLastError() {
  const cudaError_t error = cudaPeekAtLastError();
  last_error = cudaSuccess;
  return error;
}

namespace dialect {

cudaError_t failed(cudaError_t code) {
  if (code != cudaErrorNotReady) last_error = code;
  return code;
}

void print_refusal(const char* error, const std::string& sentence) {
  std::fflush(stdout);
  fmt::print(stderr, "{}: {}\n", error, sentence);
}

cudaError_t failed(cudaError_t code, const std::string& sentence) {
  print_refusal(cudaGetErrorName(code), sentence);
  return failed(code);
}

cudaError_t failed(const std::exception_ptr& thrown) {
  try {
    std::rethrow_exception(thrown);
  } catch (const device_stop& stop) {
    return stick(stop.code, stop.text);
  } catch (const call_refused& refused) {
    return failed(refused.code, refused.text);
  } catch (const gs::kernel_fault& fault) {
    const bool is_access = std::string_view(fault.what()).find("address") != std::string_view::npos;
    return stick(is_access ? cudaErrorIllegalAddress : cudaErrorLaunchFailure, fault.what());
  } catch (const gs::machine_error& lack) {
    return failed(cudaErrorMemoryAllocation, lack.what());
  } catch (const gs::error& refused) {
    return failed(cudaErrorLaunchFailure, refused.what());
  } catch (const std::exception& other) {
    return failed(cudaErrorUnknown, other.what());
  }
}

cudaError_t sticky_error() { return sticky; }

cudaError_t last_error_of_thread() { return sticky != cudaSuccess ? sticky.load() : last_error; }

void forget_errors() {
  forget_fault();
  sticky = cudaSuccess;
  last_error = cudaSuccess;
}

}  // namespace dialect
