#pragma once
// compilation: compiles somebody's source to a program or a module, in a sandbox, with the build's flags.

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

/// One of the project's own files, compiled instead of the sources; it includes the first of them by a macro:
/// `#include GRIDSTRIDE_EXERCISE`.
struct including_file {
  std::filesystem::path file;
  std::string macro;
};

struct compile_request {
  std::string purpose;                    ///< begins the errors: "compile layer.cpp"
  compilation_parts parts;                ///< compiler, flags, and what to link
  std::vector<source_file> sources;       ///< copied to a private folder, where they keep their names
  std::vector<source_file> headers = {};  ///< written beside the copies, by their paths, which are plain names
  workshop::product product = product::program;
  std::vector<std::string> flags = {};  ///< compiler flags, after those of `parts`
  std::optional<including_file> includer = {};
  std::vector<std::filesystem::path> include_folders = {};  ///< for `#include "..."`, beside the sources' copies
  /// The folder that debugging information and __FILE__ show for the copies; empty: where they really are.
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
  std::string step = {};  ///< "compiling", "linking", or run_tool's
  /// A sentence or the compiler's words, printable: "‘x’ was not declared in this scope", "Linking took longer than 60
  /// s."
  std::string text = {};
  gs::source_place place = {};  ///< of the first error, in a source called by its file name; line 0: not known
  std::string messages = {};    ///< the compiler's or linker's full output, verbatim
};

/// The program or module, in a folder that is removed with the last copy of this object.
struct compiled_product {
  std::filesystem::path file;
  std::shared_ptr<private_folder> folder;
  double seconds = 0;  ///< spent compiling and linking
};

/// A compilation step by step, for callers that inspect the object files before linking.
class compilation {
 public:
  /// Copies the sources. Throws gs::error if two of them have the same name, gs::machine_error if they can't be copied.
  explicit compilation(compile_request request);
  compilation(const compilation&) = delete;
  compilation& operator=(const compilation&) = delete;

  /// The steps, in this order. Empty on success. Throw gs::machine_error for what the machine lacks.
  std::optional<compile_failure> compile();
  /// `others`: objects that were compiled elsewhere.
  std::optional<compile_failure> link(const std::vector<std::filesystem::path>& others = {});
  /// After link(), of a request for a program: the same objects as a module, too, with the symbol `entry`, which a
  /// library among parts.link defines.
  std::optional<compile_failure> link_module(const std::string& entry);

  /// Between the two: runs a program that reads the object files, such as `nm`, in the same sandbox. `step` begins the
  /// sentence if it fails: "reading the compiled file".
  std::variant<program_result, compile_failure> run_tool(const std::vector<std::string>& command,
                                                         const std::string& step, std::uint64_t output_bytes);
  /// The object files, by name in folder(), where compiler and tools are started.
  const std::vector<std::string>& objects() const { return objects_; }
  const std::filesystem::path& folder() const { return folder_->path(); }

  /// After link().
  compiled_product result();
  /// After link_module(), beside the program.
  std::filesystem::path module() const;

 private:
  bool by_nvcc() const { return request_.parts.flavour == flavour::cuda; }
  std::string copy_of(std::size_t source) const;
  void write_copy(std::size_t source) const;
  void write_header(const source_file& header) const;
  void give_to(unsigned user) const;
  std::vector<std::string> compile_command(const std::string& from, const std::string& to,
                                           const std::vector<std::filesystem::path>& include_folders) const;
  std::optional<compile_failure> compile_file(const std::filesystem::path& file);
  std::optional<program_result> run_confined(const std::vector<std::string>& command, double seconds,
                                             std::uint64_t output_bytes, const interruption& interrupt) const;
  std::optional<program_result> run_step(const std::vector<std::string>& command, std::uint64_t output_bytes) const;
  gs::source_place place_in(const std::string& messages) const;
  bool is_in_source(const std::string& messages) const;
  std::optional<compile_failure> link_as(workshop::product made, const std::vector<std::string>& inputs);
  std::optional<compile_failure> failure_of(const std::optional<program_result>& result, const std::string& step) const;

  const compile_request request_;
  const process::clock::time_point began_ = process::clock::now(), deadline_;
  const std::shared_ptr<private_folder> folder_ = std::make_shared<private_folder>();
  std::vector<std::string> objects_;
};

}  // namespace workshop
