#pragma once
// compilation: a source that isn't ours becomes a program or a module, in a sandbox, with the flags of the build.

#include <cstdint>
#include <filesystem>
#include <memory>
#include <optional>
#include <string>
#include <variant>
#include <vector>

#include "runtime/instruments/results/finding.h"
#include "workshop/build_parts.h"
#include "workshop/private_folder.h"
#include "workshop/process.h"
#include "workshop/sandbox.h"
#include "workshop/source_file.h"

namespace workshop {

enum class product {
  program,
  module  ///< a shared library that is loaded by another program
};

/// A file of the project's that is compiled instead of the sources, and includes the first of them by a macro:
/// `#include GRIDSTRIDE_EXERCISE`.
struct including_file {
  std::filesystem::path file;
  std::string macro;
};

struct compile_request {
  std::string purpose;               ///< begins the errors: "compile layer.cpp"
  compilation_parts parts;           ///< compiler, flags, and what is linked with the sources
  std::vector<source_file> sources;  ///< copied to a private folder, where they keep their names
  workshop::product product = product::program;
  std::vector<std::string> flags = {};  ///< of the compiler, after those of the parts
  std::optional<including_file> includer = {};
  std::vector<std::filesystem::path> include_folders = {};  ///< for `#include "..."`, beside the sources' copies
  /// Where the copies seem to lie in debugging information and in __FILE__; empty: where they are.
  std::filesystem::path shown_folder = {};
  double seconds = 60;                                  ///< for all steps together
  std::uint64_t memory_bytes = std::uint64_t{4} << 30;  ///< of one process
  isolation level = isolation::limits;
  unsigned slot = 0;  ///< sandbox.h
  interruption interrupt = {};
};

struct compile_failure {
  enum class cause { error, out_of_time, out_of_memory, interrupted };
  cause reason = cause::error;
  std::string step = {};  ///< "compiling", "linking", or that of the tool
  /// A sentence or the compiler's words, printable: "‘x’ was not declared in this scope", "Linking it took longer than
  /// 60 s."
  std::string text = {};
  gs::source_place place = {};  ///< of the first error, in a source called by its file name; line 0: not known
  std::string messages = {};    ///< all that the compiler or linker said, as they said it
};

/// What was made, in a folder that goes with the last copy of this object.
struct compiled_product {
  std::filesystem::path file;
  std::shared_ptr<private_folder> folder;
  double seconds = 0;  ///< that compiling and linking took
};

/// A compilation step by step, for those who look at the object files before they are linked.
class compilation {
 public:
  /// Copies the sources. Throws gs::error where two of them have one name, gs::machine_error where they can't be
  /// copied.
  explicit compilation(compile_request request);
  compilation(const compilation&) = delete;
  compilation& operator=(const compilation&) = delete;

  /// The steps, in this order. Nothing if all went well. Throw gs::machine_error for what the machine lacks.
  std::optional<compile_failure> compile();
  /// `others`: objects that were compiled elsewhere.
  std::optional<compile_failure> link(const std::vector<std::filesystem::path>& others = {});

  /// In between: runs a program that reads the object files, as `nm` does, in the same sandbox. `step` begins the
  /// sentence where it fails: "reading the compiled file".
  std::variant<program_result, compile_failure> run_tool(const std::vector<std::string>& command,
                                                         const std::string& step, std::uint64_t output_bytes);
  /// The object files, in the folder that compiler and tools are started in.
  const std::vector<std::string>& objects() const { return objects_; }
  const std::filesystem::path& folder() const { return folder_->path(); }

  /// After link().
  compiled_product result();

 private:
  bool by_nvcc() const { return request_.parts.flavour == flavour::cuda; }
  std::string copy_of(std::size_t source) const;
  void write_copy(std::size_t source) const;
  void give_to(unsigned user) const;
  std::vector<std::string> compile_command(const std::string& from, const std::string& to,
                                           const std::vector<std::filesystem::path>& include_folders) const;
  std::optional<compile_failure> compile_file(const std::filesystem::path& file);
  std::optional<program_result> run_confined(const std::vector<std::string>& command, double seconds,
                                             std::uint64_t output_bytes, const interruption& interrupt) const;
  std::optional<program_result> run_step(const std::vector<std::string>& command, std::uint64_t output_bytes) const;
  gs::source_place place_in(const std::string& messages) const;
  bool is_in_source(const std::string& messages) const;
  std::optional<compile_failure> failure_of(const std::optional<program_result>& result, const std::string& step) const;

  const compile_request request_;
  const process::clock::time_point began_ = process::clock::now(), deadline_;
  const std::shared_ptr<private_folder> folder_ = std::make_shared<private_folder>();
  std::vector<std::string> objects_;
};

}  // namespace workshop
