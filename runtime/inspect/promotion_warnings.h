#pragma once
// Reads g++'s -Wdouble-promotion warnings: where the source asks for float64 without saying so.

#include <string>
#include <string_view>
#include <vector>

#include "runtime/core/config.h"
#include "runtime/inspect/compiler_dump.h"

namespace gs::inline GS_FLAVOUR::inspecting {

struct promotion_warning {
  std::string
      context;  ///< "In function 'float lesson::square(float)':"; holds for all warnings until the next such line
  position at;  ///< the operator
  position first, last;      ///< the expression's first and last character, perhaps on two lines
  bool conditional = false;  ///< the other result of ?: is wider; else the other operand is
};

/// Columns count characters, not bytes. Warnings of other kinds are passed over.
std::vector<promotion_warning> read_promotion_warnings(std::string_view text);

/// The first line that says "error: ...", empty if there is none.
std::string first_error(std::string_view text);

}  // namespace gs::inline GS_FLAVOUR::inspecting
