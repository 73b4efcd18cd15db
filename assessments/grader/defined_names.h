#pragma once
// defined_names: which names a submission's object defines, and which of them it must leave alone.

#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace grader {

/// A name that an object file defines for others.
struct defined_name {
  std::string linked;    ///< as the linker sees it: "_ZN2gs5plain12ledger_totalEv"
  std::string name;      ///< as the source says it: "gs::plain::ledger_total()"
  bool is_weak = false;  ///< an inline function or a template, which many objects may define
};

/// What `nm --extern-only --defined-only --portability` printed.
std::vector<defined_name> read_names(std::string_view nm_output);

/// The first name that belongs to the C library, the C++ library or the runtime, or stands for the program's start: a
/// submission that defines it could change what others do. Functions that the headers of those bring along don't count.
std::optional<defined_name> taken_name(const std::vector<defined_name>& names);

}  // namespace grader
