#include "runtime/array/interprocess_array.h"

#include <fmt/format.h>

#include <sstream>
#include <vector>

#include "runtime/core/error.h"
#include "runtime/core/ledger.h"
#include "runtime/device/device.h"
#include "runtime/observe/observe.h"

namespace gs::inline GS_FLAVOUR::detail {
namespace {

// A line: "gridstride-array; engine; float32; 10 20; 4242 5 1043 800"
constexpr const char* first_word = "gridstride-array";

[[noreturn]] void refuse_text(const std::string& handle) {
  throw error("an array of another process", "\"" + handle + "\" is no handle of an array",
              "pass on the whole text that handle() returned");
}

std::vector<std::string> parts_of(const std::string& handle) {
  std::vector<std::string> parts;
  std::istringstream text(handle);
  for (std::string part; std::getline(text >> std::ws, part, ';');) parts.push_back(part);
  if (parts.size() != 5 || parts[0] != first_word) refuse_text(handle);
  return parts;
}

shape shape_of(const std::string& handle, const std::string& numbers) {
  shape extents;
  std::istringstream text(numbers);
  for (std::size_t extent = 0; text >> extent;) extents.push_back(extent);
  if (!text.eof()) refuse_text(handle);
  return extents;
}

}  // namespace

std::string array_handle(const device_memory& memory, const shape& extents, const std::string& dtype,
                         std::size_t element_bytes) {
  if (!memory.data())
    throw error("a handle of an array of shape " + to_string(extents), "it has no memory",
                "lend arrays of at least one element");
  const std::string words = device_context::of(memory.kind()).hardware().interprocess_handle(memory.data());
  ledger_entry::loan(extents.size() * element_bytes);
  return fmt::format("{}; {}; {}; {}; {}", first_word, to_string(memory.kind()), dtype,
                     fmt::join(extents.begin(), extents.end(), " "), words);
}

opened_memory open_array_memory(const std::string& handle, const std::string& dtype, std::size_t element_bytes) {
  const std::vector<std::string> parts = parts_of(handle);
  device_context& device = device_context::current();
  if (parts[1] != to_string(device.kind()))
    throw error("an array of another process on the current device, " + to_string(device.kind()),
                "it lives on another one, " + parts[1], "select_device before it is opened, or copy it there");
  if (parts[2] != dtype)
    throw error("an array of another process as " + dtype, "its elements are of type " + parts[2],
                "open it by its own type");
  const shape extents = shape_of(handle, parts[3]);
  std::size_t bytes = 0;
  if (__builtin_mul_overflow(extents.size(), element_bytes, &bytes)) refuse_text(handle);
  void* const data = device.hardware().open_interprocess(parts[4], bytes);
  device.pool(memory_kind::interprocess).adopt(data, bytes);
  instruments::note_allocated(data, bytes, access_place::current(), true);
  return {std::make_shared<device_memory>(device.kind(), data, device.generation(), memory_kind::interprocess),
          extents};
}

}  // namespace gs::inline GS_FLAVOUR::detail
