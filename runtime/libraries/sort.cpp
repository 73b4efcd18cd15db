#include "runtime/libraries/sort.h"

#include <fmt/format.h>

#include "runtime/core/error.h"
#include "runtime/libraries/library_call.h"
#include "runtime/libraries/sort_call.h"

namespace gs::inline GS_FLAVOUR::detail {
namespace {

// Each element must be read before it is overwritten: the output is the input, or memory of its own.
void check_separate(const char* name, const library_array& in, const library_array& out) {
  if (share_memory(in, out))
    throw error(fmt::format("{} of an array of shape {}", name, to_string(in.extents)),
                "an output shares a part of its memory with another array of the call",
                "sort in place, with the input as the output, or give an output of its own");
}

void check_shapes(const char* name, const library_array& in, const library_array& out) {
  const auto sort_text = fmt::format("{} of an array of shape {}", name, to_string(in.extents));
  if (in.extents.rank() != 1)
    throw error(sort_text, fmt::format("its rank is {}", in.extents.rank()),
                "sort a flat array: x.reshape({-1}), or a row: x[i]");
  if (!(in.extents == out.extents))
    throw error(sort_text, fmt::format("the output's shape is {}", to_string(out.extents)),
                "give an output of the same shape");
}

// Temporary memory for the host's sort; a device's own allocates what it needs.
std::shared_ptr<device_memory> temporary(std::size_t bytes) {
  return device_library<sort_call>::of(current_device()) ? nullptr : allocate_device_memory(bytes);
}
void* data_of(const std::shared_ptr<device_memory>& memory) { return memory ? memory->data() : nullptr; }

}  // namespace

void queue_sort(const sort_types& types, const library_array& in, const library_array& out,
                const sort_options& options) {
  check_shapes("sort", in, out);
  if (in.data != out.data) check_separate("sort", in, out);
  const std::size_t size = in.extents.size();
  const auto keys_temporary = temporary(size * types.key_bytes);
  queue_library_call(options.stream, sort_call{.types = types,
                                               .size = size,
                                               .keys = in.data,
                                               .values = nullptr,
                                               .keys_out = out.data,
                                               .values_out = nullptr,
                                               .keys_temporary = data_of(keys_temporary),
                                               .values_temporary = nullptr});
}

void queue_sort_by_key(const sort_types& types, const library_array& keys, const library_array& values,
                       const library_array& keys_out, const library_array& values_out, const sort_options& options) {
  constexpr const char* name = "sort_by_key";
  check_shapes(name, keys, keys_out);
  check_shapes(name, values, values_out);
  if (!(keys.extents == values.extents))
    throw error(fmt::format("sort_by_key of {} keys and {} values", keys.extents.size(), values.extents.size()),
                "their numbers differ", "give one value for each key");
  if (keys.data != keys_out.data) check_separate(name, keys, keys_out);
  if (values.data != values_out.data) check_separate(name, values, values_out);
  check_separate(name, keys, values_out);
  check_separate(name, values, keys_out);
  check_separate(name, keys_out, values_out);
  const std::size_t size = keys.extents.size();
  const auto keys_temporary = temporary(size * types.key_bytes);
  const auto values_temporary = temporary(size * types.value_bytes);
  queue_library_call(options.stream, sort_call{.types = types,
                                               .size = size,
                                               .keys = keys.data,
                                               .values = values.data,
                                               .keys_out = keys_out.data,
                                               .values_out = values_out.data,
                                               .keys_temporary = data_of(keys_temporary),
                                               .values_temporary = data_of(values_temporary)});
}

}  // namespace gs::inline GS_FLAVOUR::detail
