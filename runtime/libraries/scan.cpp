#include "runtime/libraries/scan.h"

#include <fmt/format.h>

#include "runtime/core/error.h"
#include "runtime/libraries/library_call.h"
#include "runtime/libraries/scan_call.h"

namespace gs::inline GS_FLAVOUR::detail {

void queue_scan(const scan_type& type, const library_array& in, const library_array& out, const scan_options& options) {
  const auto scan_text = [&] {
    return fmt::format("{} of an array of shape {}",
                       type.kind == scan_kind::inclusive ? "inclusive_sum" : "exclusive_sum", to_string(in.extents));
  };
  if (in.extents.rank() != 1)
    throw error(scan_text(), fmt::format("its rank is {}", in.extents.rank()),
                "scan a flat array: x.reshape({-1}), or a row: x[i]");
  if (!(in.extents == out.extents))
    throw error(scan_text(), fmt::format("the output's shape is {}", to_string(out.extents)),
                "give an output of the same shape");
  if (in.data != out.data && share_memory(in, out))
    throw error(scan_text(), "the output shares a part of its memory with the input",
                "scan in place, with the input as the output, or give an output of its own");
  queue_library_call(
      options.stream,
      scan_call{.type = type, .element_bytes = in.element_bytes, .size = in.size(), .in = in.data, .out = out.data});
}

}  // namespace gs::inline GS_FLAVOUR::detail
