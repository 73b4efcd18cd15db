#include "dialect/cub/device_call.h"

#include <fmt/format.h>

namespace cub::detail {

cudaError_t refuse_call(const char* call, const std::string& why) {
  return dialect::failed(cudaErrorInvalidValue, fmt::format("{}: {}", call, why));
}
std::string host_memory_text(const char* array) {
  return fmt::format("{} isn't memory that a GPU can reach; pass memory of cudaMalloc()", array);
}
std::string few_bytes_text(std::size_t given, std::size_t wanted) {
  return fmt::format("the temporary storage has {} bytes, and {} are wanted; ask by a call with a null pointer first",
                     given, wanted);
}

}  // namespace cub::detail
