#include "runtime/device/backend.h"

#include "runtime/core/error.h"

namespace gs::inline GS_FLAVOUR::detail {
namespace {

[[noreturn]] void refuse_interprocess(const device_info& device) {
  throw error("memory for several processes on device " + device.name, "it has none",
              "select the engine, or copy the array to the host and send its bytes");
}

}  // namespace

void* backend::allocate_interprocess(std::size_t /*bytes*/) { refuse_interprocess(info()); }

std::string backend::interprocess_handle(const void* /*memory*/) const { refuse_interprocess(info()); }

void* backend::open_interprocess(const std::string& /*handle*/, std::size_t /*bytes*/) { refuse_interprocess(info()); }

}  // namespace gs::inline GS_FLAVOUR::detail
