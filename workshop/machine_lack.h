#pragma once
// Whether a compiler failed because of the source it was given or of the machine it ran on.
//
// What a compiler prints decides nothing: a source has a say in that, and could excuse itself. It only is a reason to
// look at the machine: by measuring, and by a trial with a source that nobody has a say in.

#include <cstdint>
#include <filesystem>
#include <functional>
#include <string>
#include <string_view>

#include "workshop/process.h"

namespace workshop {

/// What a compiler may use up. A machine that has less is at fault where it runs out.
struct compiler_needs {
  std::filesystem::path folder;    ///< that it writes to
  std::uint64_t file_bytes = 0;    ///< of what it writes
  std::uint64_t memory_bytes = 0;  ///< of one process
};

class machine_lack {
 public:
  /// `asked` begins the errors: "compile layer.cpp". Make it before the compiler runs.
  machine_lack(std::string asked, compiler_needs needs);

  /// Whether a compiler that failed with these words may have lacked something. `in_source`: it named an error in the
  /// source.
  static bool is_possible(std::string_view said, bool in_source);

  /// Throws gs::machine_error if it did: `trial`, which compiles an empty source in the same way, fails as well, or
  /// the machine has less than the compiler needs.
  void refuse(std::string_view said, const std::function<program_result()>& trial) const;

  /// Whether what was lacking may be there the next time: other programs come and go.
  static bool may_have_passed(std::string_view said);

 private:
  [[noreturn]] void refuse_for(std::string_view said, const std::string& line) const;

  std::string asked_;
  compiler_needs needs_;
  std::uint64_t ended_before_;
};

}  // namespace workshop
