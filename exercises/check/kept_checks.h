#pragma once
// Checks that are compiled apart from the learner's file: with its declarations alone, and kept in the build folder
// until these, the checks, a header, the flags or the compiler change.

#include <filesystem>
#include <memory>
#include <optional>
#include <string>
#include <thread>

#include "runtime/host/descriptor.h"
#include "workshop/compilation.h"
#include "workshop/private_folder.h"

namespace exercises {

/// An object file, and the temporary folder that holds it, unless it is a kept one.
struct checks_object {
  std::filesystem::path file;
  std::shared_ptr<workshop::private_folder> folder = {};
};

/// Whether checks read the learner's file in one place, behind nothing but headers: only then may they be compiled
/// apart.
bool can_be_compiled_apart(const std::string& checks);

/// Finds the object of the checks, or starts to compile them on a thread of its own.
class kept_checks {
 public:
  /// `request` is what would compile the checks with the learner's file, except that its source is declarations_of it.
  /// Objects are kept in `folder`, under `name` and what identifies them.
  kept_checks(workshop::compile_request request, std::filesystem::path folder, std::string name);
  ~kept_checks();  ///< stops a compilation that is still running
  kept_checks(const kept_checks&) = delete;
  kept_checks& operator=(const kept_checks&) = delete;

  /// Waits for the object. Nothing if the checks don't compile with the declarations alone.
  std::optional<checks_object> take();
  /// Drops the kept object: it can't be linked with the file.
  void forget() const;

 private:
  std::optional<checks_object> kept() const;
  std::optional<checks_object> compiled() noexcept;
  void keep(const std::filesystem::path& object, const std::filesystem::path& dependencies,
            std::filesystem::file_time_type began) const;
  std::string identity() const;

  workshop::compile_request request_;
  std::filesystem::path folder_;
  std::string identity_, name_;
  gs::detail::descriptor given_up_;
  std::optional<checks_object> object_;
  std::jthread compiling_;  // the last member: it ends before what it uses
};

}  // namespace exercises
