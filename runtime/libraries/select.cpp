#include "runtime/libraries/select.h"

#include <fmt/format.h>

#include "runtime/core/error.h"
#include "runtime/libraries/library_call.h"
#include "runtime/libraries/select_call.h"

namespace gs::inline GS_FLAVOUR::detail {

void queue_select(const library_array& in, const library_array& flags, const library_array& out,
                  const library_array& count, const select_options& options) {
  const auto select_text = [&] { return fmt::format("select_flagged of an array of shape {}", to_string(in.extents)); };
  if (in.extents.rank() != 1)
    throw error(select_text(), fmt::format("its rank is {}", in.extents.rank()),
                "select from a flat array: x.reshape({-1}), or from a row: x[i]");
  if (!(in.extents == flags.extents))
    throw error(select_text(), fmt::format("the flags' shape is {}", to_string(flags.extents)),
                "give one flag for each element");
  if (!(in.extents == out.extents))
    throw error(select_text(), fmt::format("the output's shape is {}", to_string(out.extents)),
                "give an output of the same shape: all may be selected");
  if (count.size() != 1)
    throw error(select_text(), fmt::format("the count's shape is {}", to_string(count.extents)),
                "give an array of one element for it");
  for (const library_array* written : {&out, &count})
    for (const library_array* other : {&in, &flags, &out})
      if (written != other && share_memory(*written, *other))
        throw error(select_text(), "an output shares memory with another array of the call",
                    "give outputs of their own");
  queue_library_call(options.stream, select_call{.element_bytes = in.element_bytes,
                                                 .size = in.size(),
                                                 .in = in.data,
                                                 .flags = static_cast<const std::uint8_t*>(flags.data),
                                                 .out = out.data,
                                                 .count = static_cast<std::uint64_t*>(count.data)});
}

}  // namespace gs::inline GS_FLAVOUR::detail
