#include "assessments/grader/running/compile.h"

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <chrono>
#include <fstream>
#include <optional>
#include <set>
#include <string_view>
#include <system_error>

#include "assessments/grader/running/defined_names.h"
#include "assessments/grader/running/submission_parts.h"
#include "runtime/core/error.h"
#include "workbook/terminal/printable.h"
#include "workshop/compiler_messages.h"
#include "workshop/machine_lack.h"
#include "workshop/private_folder.h"
#include "workshop/process.h"

namespace grader {

using workbook::printable;
using workshop::build_folder, workshop::can_become_others, workshop::compilation_parts, workshop::confined,
    workshop::confinement, workshop::first_error, workshop::first_error_text, workshop::flavour, workshop::isolation,
    workshop::machine_lack, workshop::private_folder, workshop::process, workshop::program_result,
    workshop::run_program, workshop::sandbox_user, workshop::shortened, workshop::source_file;
namespace {

namespace fs = std::filesystem;
using words = std::vector<std::string>;

constexpr std::uint64_t most_read = 4 << 20;       // of what a program of the compiler's says
constexpr std::uint64_t largest_file = 256 << 20;  // that a compiler writes

// One submission on its way to a module.
class compilation {
 public:
  compilation(const task& t, const source_file& source, flavour f, isolation level, unsigned slot)
      : task_(t),
        parts_(parts_of(t, f)),
        by_nvcc_(f == flavour::cuda),
        level_(level),
        slot_(slot),
        name_(source.path.filename().string()),
        copy_(by_nvcc_ ? plain_name : name_),
        seconds_(t.limits.compile_seconds * (by_nvcc_ ? nvcc_factor : 1)),
        deadline_(process::clock::now() +
                  std::chrono::duration_cast<process::clock::duration>(std::chrono::duration<double>(seconds_))) {
    const fs::path copy = folder_->path() / copy_;
    const std::string first_line = by_nvcc_ ? "#line 1 \"" + quoted(name_) + "\"\n" : "";
    // An empty source stands beside it, for when it must be known whether anything compiles here.
    std::ofstream empty(folder_->path() / trial_source);
    if (!(std::ofstream(copy, std::ios::binary) << first_line << source.text).flush() || !empty)
      throw gs::machine_error("copy the submission to " + copy.string(), "this machine has no space left there",
                              "make room, or set TMPDIR to a folder that has some");
    // As root the compiler runs as another user: to it belongs the folder, for so long.
    if (can_become_others()) give_to(sandbox_user(slot));
  }

  std::optional<mishap> run() {
    if (auto problem = compile_source()) return problem;
    if (auto problem = check_names()) return problem;
    if (auto problem = link()) return problem;
    if (can_become_others()) give_to(0);
    fs::permissions(folder_->path(), fs::perms(0755));
    return std::nullopt;
  }
  fs::path module() const { return folder_->path() / module_name; }
  std::shared_ptr<void> folder() const { return folder_; }

 private:
  // Names that no learner's file has.
  static constexpr const char *object_name = ".submission.o", *module_name = ".submission.so";
  static constexpr const char *trial_source = ".empty.cpp", *trial_object = ".empty.o";
  // nvcc hands names to a shell, which not every learner's name survives.
  static constexpr const char* plain_name = ".submission.cu";
  static constexpr double nvcc_factor = 3;  // it compiles a file for the host and for each kind of GPU

  static std::string quoted(const std::string& name) {
    std::string text;
    for (const char letter : name) {
      if (letter == '"' || letter == '\\') text += '\\';
      text += static_cast<unsigned char>(letter) < ' ' ? '?' : letter;
    }
    return text;
  }

  void give_to(unsigned user) const {
    for (const fs::path& path : {folder_->path(), folder_->path() / copy_})
      if (lchown(path.c_str(), user, user) != 0)
        throw gs::machine_error("hand " + path.string() + " to the compiler's user",
                                std::system_category().message(errno), "grade as an ordinary user");
  }

  program_result confined_run(const words& command, double at_least = 0, std::uint64_t output_bytes = most_read) {
    confinement c;
    c.readable = parts_.readable;
    c.writable = folder_->path();
    const auto left = std::chrono::duration<double>(deadline_ - process::clock::now()).count();
    c.processor_seconds = std::max(left, at_least);
    c.memory_bytes = task_.limits.compile_memory_bytes;
    c.scratch_bytes = largest_file;
    c.may_fork = true;
    return run_program({.command = confined(level_, c, command, slot_), .output_bytes = output_bytes},
                       c.processor_seconds);
  }

  // A learner's warnings are the learner's; and a runtime that warns of conversions is none of theirs.
  static bool is_strict(const std::string& flag) {
    return flag == "-Werror" || flag == "-Wconversion" || flag == "-Wpedantic" || flag.starts_with("-Xptxas=");
  }

  // Runs a step. What the machine lacks is thrown; what it lacked for a moment is forgotten.
  program_result confined_step(const words& command) {
    const machine_lack lack("compile " + printable(name_) + " in a sandbox (" + to_string(level_) + ")",
                            {folder_->path(), largest_file, task_.limits.compile_memory_bytes});
    program_result result = confined_run(command);
    if (result.status == 0 && !result.timed_out) return result;
    if (ran_out_of_time(result.output)) return result;  // by a clock that stands still when nothing runs
    const bool in_source = first_error(result.output, name_).line > 0;
    if (!result.timed_out && !machine_lack::is_possible(result.output, in_source)) return result;
    constexpr double enough = 20;  // whatever the submission has left
    lack.refuse(result.output, [&] { return confined_run(compile_command(trial_source, trial_object), enough); });
    const bool again = !result.timed_out && machine_lack::may_have_passed(result.output);
    return again ? confined_run(command) : result;
  }

  words compile_command(const std::string& from, const std::string& to) const {
    words command = {parts_.compiler};
    for (std::string flag : parts_.flags) {
      if (is_strict(flag)) continue;
      constexpr std::string_view error = ",-Werror";  // among what nvcc passes on to g++
      if (const std::size_t at = flag.find(error); at != flag.npos) flag.erase(at, error.size());
      command.push_back(flag);
    }
    const words for_gcc = {"-pipe", "-fdiagnostics-color=never", "-fmessage-length=0", "-fmax-errors=20",
                           "-ftemplate-backtrace-limit=6"};
    if (by_nvcc_) {
      command.insert(command.end(), {fmt::format("-Xcompiler={},-g1", fmt::join(for_gcc, ",")), "-x", "cu"});
    } else {
      command.insert(command.end(), for_gcc.begin(), for_gcc.end());
      command.insert(command.end(), {"-Winvalid-pch", "-x", "c++"});
    }
    for (const fs::path& header : parts_.headers) command.insert(command.end(), {"-include", header.string()});
    for (const std::string& word :
         {std::string("-c"), std::string("-o"), to, from.starts_with('-') ? "./" + from : from})
      command.push_back(word);
    return command;
  }

  std::optional<mishap> compile_source() {
    const program_result result = confined_step(compile_command(copy_, object_name));
    if (result.status == 0 && !result.timed_out) return std::nullopt;
    return failure(result, "compiling");
  }

  std::optional<mishap> check_names() {
    const program_result result =
        confined_step({"nm", "--extern-only", "--defined-only", "--portability", object_name});
    if (result.status != 0 || result.timed_out) return failure(result, "reading the compiled file");
    if (result.cut_bytes > 0)
      return mishap{.kind = mishap_kind::refused,
                    .text = fmt::format("It defines more names than are read: they fill {:.1f} MB, and {:.0f} MB are "
                                        "looked through for names that belong to others. Make functions static, or "
                                        "give them shorter names.",
                                        static_cast<double>(result.output.size() + result.cut_bytes) / 1e6,
                                        static_cast<double>(most_read) / 1e6)};
    names_ = read_names(result.output);
    const program_result sections =
        confined_run({"nm", "--extern-only", "--defined-only", "--format=sysv", object_name}, 0, 4 * most_read);
    if (sections.status != 0 || sections.timed_out) return failure(sections, "reading the compiled file");
    tell_weak_ones_apart(names_, sections.output);
    const auto taken = taken_name(names_, names_of_runtime());
    if (!taken) return std::nullopt;
    if (taken->name == "main")
      return mishap{.kind = mishap_kind::refused,
                    .text = fmt::format("It defines main, and a program around it has one: leave yours out. The grader "
                                        "calls {} itself.",
                                        task_.function)};
    return mishap{.kind = mishap_kind::refused,
                  .text = fmt::format("It defines {}, which belongs to the system's libraries, the runtime or the "
                                      "program around it. Give your function another name, or make it static.",
                                      taken->name)};
  }

  // What the runtime's libraries of this flavour define once and for all: not what headers bring along as well.
  std::set<std::string> names_of_runtime() {
    std::set<std::string> all;
    for (const std::string& word : parts_.link) {
      if (word.find("libgridstride_") == word.npos || !word.ends_with(".so")) continue;
      const program_result result =
          run_program({.command = {"nm", "--dynamic", "--extern-only", "--defined-only", "--portability", word},
                       .output_bytes = most_read},
                      60);
      if (result.status != 0 || result.timed_out || result.cut_bytes > 0)
        throw gs::machine_error("read the names of " + word,
                                "nm could not list them all: " + printable(result.output.substr(0, 200)),
                                "run ./gridstride test to build it anew");
      for (const defined_name& one : read_names(result.output))
        if (!one.is_weak) all.insert(one.linked);
    }
    return all;
  }

  std::optional<mishap> link() {
    words command = {parts_.linker, "-shared", "-o", module_name, object_name};
    command.insert(command.end(), parts_.link.begin(), parts_.link.end());
    const program_result result = confined_step(command);
    if (result.status == 0 && !result.timed_out) return std::nullopt;
    if (result.output.find("undefined reference to `" + task_.function + "(") != result.output.npos)
      return missing_function();
    return failure(result, "linking");
  }

  mishap missing_function() const {
    mishap m{.kind = mishap_kind::missing_function};
    const auto other = std::ranges::find_if(
        names_, [&](const defined_name& one) { return one.name.starts_with(task_.function + "("); });
    if (other == names_.end())
      m.text = fmt::format("It doesn't define the function {}.", task_.function);
    else
      m.text = fmt::format("It defines {}, which has other parameters than the task's function.", other->name);
    m.details = task_.signature;
    return m;
  }

  static bool ran_out_of_time(const std::string& said) { return said.find("CPU time limit exceeded") != said.npos; }

  mishap failure(const program_result& result, const std::string& what) {
    mishap m;
    const std::string& said = result.output;
    const auto says = [&](const char* text) { return said.find(text) != said.npos; };
    m.details = printable(shortened(said, folder_->path()));
    m.where = first_error(said, name_);
    if (result.timed_out || ran_out_of_time(said)) {
      m.kind = mishap_kind::timed_out;
      m.text = fmt::format("{} it took longer than {:g} s.", capital(what), seconds_);
    } else if (says("out of memory") || says("virtual memory exhausted") || says("memory exhausted") ||
               says("cannot allocate") || says("Killed signal terminated")) {
      m.kind = mishap_kind::out_of_memory;
      m.text = fmt::format("{} it took more than {:.1f} GB of memory.", capital(what),
                           static_cast<double>(task_.limits.compile_memory_bytes) / 1e9);
    } else {
      m.kind = mishap_kind::compile_error;
      const std::string text = first_error_text(said);
      m.text = !text.empty() ? printable(text) : fmt::format("{} it failed.", capital(what));
    }
    return m;
  }

  static std::string capital(std::string text) {
    if (!text.empty()) text[0] = static_cast<char>(std::toupper(static_cast<unsigned char>(text[0])));
    return text;
  }

  const task& task_;
  compilation_parts parts_;
  bool by_nvcc_;
  isolation level_;
  unsigned slot_;
  std::string name_, copy_;  // the learner's, and that of the file that is compiled
  double seconds_;
  process::clock::time_point deadline_;
  std::shared_ptr<private_folder> folder_ = std::make_shared<private_folder>();
  std::vector<defined_name> names_;
};

}  // namespace

std::variant<compiled_module, mishap> compile(const task& t, const source_file& source, flavour f, isolation level,
                                              unsigned slot) {
  const auto began = process::clock::now();
  compilation one(t, source, f, level, slot);
  if (auto problem = one.run()) return std::move(*problem);
  const std::chrono::duration<double> took = process::clock::now() - began;
  return compiled_module{.module = one.module(),
                         .flavour = f,
                         .seconds = took.count(),
                         .on_gpu = f == flavour::cuda,
                         .folder = one.folder()};
}

std::optional<compiled_module> built_baseline(const task& t, flavour f) {
  const fs::path module = build_folder(f) / "assessments/tasks" / t.folder.filename() / "baseline.so";
  if (!fs::exists(module)) return std::nullopt;
  return compiled_module{.module = module, .flavour = f, .on_gpu = f == flavour::cuda};
}

}  // namespace grader
