#pragma once
// Whether a compiler failed because of its source or because of the machine.
//
// The compiler's messages alone decide nothing: a source can make it print anything, and so excuse itself. They are
// only a reason to look at the machine, by measuring and by compiling a trial source that the author has no influence
// on.

#include <cstdint>
#include <filesystem>
#include <functional>
#include <string>
#include <string_view>

#include "workshop/process.h"

namespace workshop {

/// What a compiler may use. If it runs out on a machine that has less, that is the machine's fault.
struct compiler_needs {
  std::filesystem::path folder;    ///< where it writes
  std::uint64_t file_bytes = 0;    ///< disk space for its output
  std::uint64_t memory_bytes = 0;  ///< memory of one process
};

class machine_lack {
 public:
  /// `asked` begins the errors: "compile layer.cpp". Construct it before the compiler runs.
  machine_lack(std::string asked, compiler_needs needs);

  /// Whether a compiler that failed with these messages may have lacked something. `in_source`: they name an error in
  /// the source.
  static bool is_possible(std::string_view messages, bool in_source);

  /// Throws gs::machine_error if it did: if `trial`, which compiles an empty source in the same way, fails as well, or
  /// the machine has less than the compiler needs.
  void refuse(std::string_view messages, const std::function<program_result()>& trial) const;

  /// Whether a second try may succeed, since other programs come and go.
  static bool may_have_passed(std::string_view messages);

 private:
  [[noreturn]] void refuse_for(std::string_view messages, const std::string& line) const;

  std::string asked_;
  compiler_needs needs_;
  std::uint64_t ended_before_;
};

}  // namespace workshop
