#pragma once
// From g++'s intermediate code and warnings to the widenings that a function and all it calls hold.

#include <string>
#include <vector>

#include "runtime/core/config.h"
#include "runtime/inspect/compiler_dump.h"
#include "runtime/inspect/inspect.h"
#include "runtime/inspect/promotion_warnings.h"

namespace gs::inline GS_FLAVOUR::inspecting {

struct found_widenings {
  std::vector<widening> widenings;  ///< in the order of file, line, column
  std::vector<std::string>
      not_seen;  ///< called functions without a body in `functions`, the standard library's left out
};

/// Looks through the functions at the indices `roots` and all that they reach. What lies in the standard library is
/// reported where the reader's own code calls it.
found_widenings find_widenings(const std::vector<dumped_function>& functions, const std::vector<std::size_t>& roots,
                               const std::vector<promotion_warning>& warnings);

}  // namespace gs::inline GS_FLAVOUR::inspecting
