#pragma once
// Reads what g++ prints of its intermediate code: every function of a source file after name lookup, conversions and
// folding, but before optimisation.
//
// Two of g++'s dumps stand in one text. "lower" names variables, calls and conversions; "expand" has machine types, so
// that a float32 to float64 conversion is certain there whatever the types were called in the source. Both give file,
// line and column. See "GNU Compiler Collection Internals", GIMPLE and RTL.

#include <compare>
#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

#include "runtime/core/config.h"

namespace gs::inline GS_FLAVOUR::inspecting {

/// A place in a source file, line and column from 1, columns in bytes.
struct position {
  std::string file;
  std::size_t line = 0, column = 0;
  friend auto operator<=>(const position&, const position&) = default;
};

struct dumped_function {
  /// target = (some type) operand
  struct conversion {
    position at;
    std::string target, operand;
  };
  /// result = callee(arguments); result is empty where it isn't used
  struct call {
    position at;
    std::string callee, result;
    std::vector<std::string> arguments;
  };
  /// A floating value becomes a wider or a narrower one. From float32 and to float32 only.
  struct float_conversion {
    position at;
    enum class to { float32, float64, long_double } result = to::float64;
    bool widens() const { return result != to::float32; }
  };
  /// A function that this one calls or whose address it takes; no symbol for a call through a pointer.
  struct reference {
    position at;
    std::string symbol;
    bool is_call = false;
  };

  std::string symbol;  ///< as the linker knows it
  std::string name;    ///< as C++ writes it: "lesson::square(float)"
  std::string label;   ///< as g++'s messages write it, without arguments: "lesson::square"
  std::vector<std::string> returned;
  std::vector<conversion> conversions;
  std::vector<call> calls;
  std::vector<float_conversion> float_conversions;  ///< in the order of execution, as are the statements above
  std::vector<reference> references;
  std::string file;
  std::size_t first_line = 0, last_line = 0;
};

std::vector<dumped_function> read_compiler_dump(std::string_view text);

/// "PFffE" becomes "float (*)(float)".
std::string demangled_type(const std::string& name);

/// "_Z6squaref" becomes "square(float)"; what isn't a C++ symbol stays as it is.
std::string demangled(const std::string& symbol);

}  // namespace gs::inline GS_FLAVOUR::inspecting
