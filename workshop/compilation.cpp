#include "workshop/compilation.h"

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <unistd.h>

#include <algorithm>
#include <cctype>
#include <cerrno>
#include <chrono>
#include <fstream>
#include <set>
#include <string_view>
#include <system_error>
#include <utility>

#include "runtime/core/error.h"
#include "runtime/core/printable.h"
#include "workshop/compiler_messages.h"
#include "workshop/machine_lack.h"

namespace workshop {
namespace {

namespace fs = std::filesystem;
using words = std::vector<std::string>;

constexpr std::uint64_t most_read = 4 << 20;       // bytes of a compiler's messages
constexpr std::uint64_t largest_file = 256 << 20;  // bytes of any file that a compiler writes
constexpr double least_trial_seconds = 20;         // for an empty source, even if the request's own limit is shorter

// Names that no source file has.
constexpr const char *program_name = ".program", *module_name = ".module.so";
constexpr const char *trial_source = ".empty.cpp", *trial_object = ".empty.o";
constexpr const char* compiling = "compiling";

process::clock::duration duration_of(double seconds) {
  return std::chrono::duration_cast<process::clock::duration>(std::chrono::duration<double>(seconds));
}

// As a C++ string literal.
std::string quoted(const std::string& name) {
  std::string text = "\"";
  for (const char letter : name) {
    if (letter == '"' || letter == '\\') text += '\\';
    text += static_cast<unsigned char>(letter) < ' ' ? '?' : letter;
  }
  return text + '"';
}

std::string capital(std::string text) {
  if (!text.empty()) text[0] = static_cast<char>(std::toupper(static_cast<unsigned char>(text[0])));
  return text;
}

const char* name_of(product p) { return p == product::module ? module_name : program_name; }
std::string name_of(const source_file& source) { return source.path.filename().string(); }

[[noreturn]] void refuse_to_write(const fs::path& copy) {
  throw gs::machine_error("copy the source to " + copy.string(), "this machine has no space left there",
                          "make room, or set TMPDIR to a folder that has some");
}

bool has(std::string_view text, std::string_view part) { return text.find(part) != text.npos; }

bool says_time_is_over(std::string_view messages) { return has(messages, "CPU time limit exceeded"); }
bool says_memory_is_over(std::string_view messages) {
  return has(messages, "out of memory") || has(messages, "memory exhausted") || has(messages, "cannot allocate") ||
         has(messages, "Killed signal terminated");
}

// Warnings don't fail somebody else's source, and conversion warnings in the runtime's headers aren't its author's.
bool is_strict(const std::string& flag) {
  return flag == "-Werror" || flag == "-Wconversion" || flag == "-Wpedantic" || flag.starts_with("-Xptxas=");
}

}  // namespace

compilation::compilation(compile_request request)
    : request_(std::move(request)), deadline_(began_ + duration_of(request_.seconds)) {
  std::set<std::string> names;
  for (const source_file& source : request_.sources)
    if (!names.insert(name_of(source)).second)
      throw gs::error(request_.purpose, "two of the files are called " + gs::detail::printable(name_of(source)),
                      "rename one of them");
  for (std::size_t k = 0; k < request_.sources.size(); ++k) write_copy(k);
  for (const source_file& header : request_.headers) write_header(header);
  // An empty source beside them, to find out whether anything compiles on this machine.
  if (const fs::path empty = folder_->path() / trial_source; !std::ofstream(empty)) refuse_to_write(empty);
  // As root, the compiler runs as another user, who owns the folder meanwhile.
  if (can_become_others()) give_to(sandbox_user(request_.slot));
}

// nvcc passes file names through a shell, which not every name survives: its copy gets a harmless one.
std::string compilation::copy_of(std::size_t source) const {
  return by_nvcc() ? fmt::format(".source_{}.cu", source) : name_of(request_.sources[source]);
}

void compilation::write_copy(std::size_t source) const {
  const fs::path copy = folder_->path() / copy_of(source);
  std::ofstream out(copy, std::ios::binary);
  const fs::path name = request_.shown_folder / name_of(request_.sources[source]);
  if (by_nvcc()) out << "#line 1 " << quoted(name.string()) << "\n";
  if (!(out << request_.sources[source].text).flush()) refuse_to_write(copy);
}

void compilation::write_header(const source_file& header) const {
  const fs::path copy = folder_->path() / header.path;
  if (std::ofstream out(copy, std::ios::binary); !(out << header.text).flush()) refuse_to_write(copy);
}

void compilation::give_to(unsigned user) const {
  const auto give = [&](const fs::path& path) {
    if (lchown(path.c_str(), user, user) != 0)
      throw gs::machine_error("hand " + path.string() + " to the compiler's user",
                              std::system_category().message(errno), "work as an ordinary user");
  };
  give(folder_->path());
  for (std::size_t k = 0; k < request_.sources.size(); ++k) give(folder_->path() / copy_of(k));
  for (const source_file& header : request_.headers) give(folder_->path() / header.path);
}

namespace {

// What a C++ compiler is told and one of C refuses, or warns of.
bool is_for_cpp_alone(const std::string& flag) {
  return flag.starts_with("-std=c++") || flag.starts_with("-std=gnu++") || flag.starts_with("-fplugin") ||
         flag.starts_with("-fvisibility-inlines") || flag == "-fno-gnu-unique" || flag == "-Werror=return-type";
}

}  // namespace

words compilation::compile_command(const std::string& from, const std::string& to,
                                   const std::vector<fs::path>& include_folders) const {
  words command = {request_.parts.compiler};
  const bool is_c = is_c_name(from) && !by_nvcc();
  for (std::string flag : request_.parts.flags) {
    if (is_strict(flag) || (is_c && is_for_cpp_alone(flag))) continue;
    constexpr std::string_view error = ",-Werror";  // among what nvcc passes on to g++
    if (const std::size_t at = flag.find(error); at != flag.npos) flag.erase(at, error.size());
    command.push_back(std::move(flag));
  }
  words for_gcc = {"-pipe", "-fdiagnostics-color=never", "-fmessage-length=0", "-fmax-errors=20"};
  if (!is_c) for_gcc.emplace_back("-ftemplate-backtrace-limit=6");
  if (by_nvcc())
    command.push_back(fmt::format("-Xcompiler={},-g1", fmt::join(for_gcc, ",")));
  else
    command.insert(command.end(), for_gcc.begin(), for_gcc.end());
  for (const std::string& flag : request_.flags)
    if (!is_c || !is_for_cpp_alone(flag)) command.push_back(flag);
  if (!is_c)
    for (const fs::path& header : request_.parts.headers) command.insert(command.end(), {"-include", header.string()});
  if (request_.includer)
    command.push_back(fmt::format("-D{}=\"{}\"", request_.includer->macro, (folder_->path() / copy_of(0)).string()));
  if (!request_.shown_folder.empty() && !by_nvcc())  // whose copies have a #line
    command.push_back(fmt::format("-ffile-prefix-map={}={}", folder_->path().string(), request_.shown_folder.string()));
  for (const fs::path& folder : include_folders) {
    const std::string name = folder.string();
    if (!by_nvcc())
      command.push_back("-iquote" + name);
    else if (name.find_first_of("\"'\\`$") == name.npos)
      command.insert(command.end(), {"-I", name});
  }
  command.insert(command.end(), {"-x", by_nvcc() ? "cu" : is_c ? "c" : "c++", "-c", "-o", to});
  command.push_back(from.starts_with('-') ? "./" + from : from);
  return command;
}

std::optional<program_result> compilation::run_confined(const words& command, double seconds,
                                                        std::uint64_t output_bytes,
                                                        const interruption& interrupt) const {
  confinement c;
  c.readable = request_.parts.readable;
  if (request_.includer) c.readable.push_back(request_.includer->file.parent_path());
  c.readable.insert(c.readable.end(), request_.include_folders.begin(), request_.include_folders.end());
  c.writable = folder_->path();
  c.processor_seconds = seconds;
  c.memory_bytes = request_.memory_bytes;
  c.scratch_bytes = largest_file;
  c.may_fork = true;
  return run_program({.command = confined(request_.level, c, command, request_.slot), .output_bytes = output_bytes},
                     seconds, interrupt);
}

// Empty if it was interrupted. Throws for what the machine lacks; if the lack may have been momentary, tries once more.
std::optional<program_result> compilation::run_step(const words& command, std::uint64_t output_bytes) const {
  const machine_lack lack(request_.purpose, {folder_->path(), largest_file, request_.memory_bytes});
  const auto run = [&] {
    const double left = std::chrono::duration<double>(deadline_ - process::clock::now()).count();
    return run_confined(command, std::max(left, 0.0), output_bytes, request_.interrupt);
  };
  auto result = run();
  if (!result || (result->status == 0 && !result->timed_out)) return result;
  if (says_time_is_over(result->output)) return result;  // of CPU time, which doesn't pass while others run
  if (!result->timed_out && !machine_lack::is_possible(result->output, is_in_source(result->output))) return result;
  lack.refuse(result->output, [&] {
    return *run_confined(compile_command(trial_source, trial_object, {}),
                         std::max(request_.seconds, least_trial_seconds), most_read, {});
  });
  const bool again = !result->timed_out && machine_lack::may_have_passed(result->output);
  return again ? run() : result;
}

gs::source_place compilation::place_in(const std::string& messages) const {
  for (const source_file& source : request_.sources)
    if (const gs::source_place place = first_error(messages, name_of(source)); place.line > 0) return place;
  return {};
}

bool compilation::is_in_source(const std::string& messages) const {
  const auto& includer = request_.includer;
  if (includer && has(messages, "/" + includer->file.filename().string() + ":") && has(messages, ": error: "))
    return true;
  return place_in(messages).line > 0;
}

std::optional<compile_failure> compilation::failure_of(const std::optional<program_result>& result,
                                                       const std::string& step) const {
  if (!result) return compile_failure{.reason = compile_failure::cause::interrupted};
  if (result->status == 0 && !result->timed_out) return std::nullopt;
  compile_failure failure{.step = step, .place = place_in(result->output), .messages = result->output};
  if (result->timed_out || says_time_is_over(result->output)) {
    failure.reason = compile_failure::cause::out_of_time;
    failure.text = fmt::format("{} took longer than {:g} s.", capital(step), request_.seconds);
  } else if (says_memory_is_over(result->output)) {
    failure.reason = compile_failure::cause::out_of_memory;
    failure.text = fmt::format("{} took more than {:.1f} GB of memory.", capital(step),
                               static_cast<double>(request_.memory_bytes) / 1e9);
  } else {
    const std::string text = step == compiling ? first_error_text(result->output) : "";
    failure.text = text.empty() ? capital(step) + " failed." : gs::detail::printable(text);
  }
  return failure;
}

std::optional<compile_failure> compilation::compile_file(const fs::path& file) {
  objects_.push_back(fmt::format(".source_{}.o", objects_.size()));
  return failure_of(run_step(compile_command(file.string(), objects_.back(), request_.include_folders), most_read),
                    compiling);
}

std::optional<compile_failure> compilation::compile() {
  if (request_.includer) return compile_file(request_.includer->file);
  // A copy that is shown in another folder is compiled by its full path, which -ffile-prefix-map then replaces.
  const fs::path folder = request_.shown_folder.empty() || by_nvcc() ? fs::path() : folder_->path();
  for (std::size_t k = 0; k < request_.sources.size(); ++k)
    if (auto failed = compile_file(folder / copy_of(k))) return failed;
  return std::nullopt;
}

std::optional<compile_failure> compilation::link_as(workshop::product made, const words& inputs) {
  words command = {request_.parts.linker};
  if (made == product::module) command.emplace_back("-shared");
  command.insert(command.end(), {"-o", name_of(made)});
  command.insert(command.end(), objects_.begin(), objects_.end());
  command.insert(command.end(), inputs.begin(), inputs.end());
  command.insert(command.end(), request_.parts.link.begin(), request_.parts.link.end());
  return failure_of(run_step(command, most_read), "linking");
}

std::optional<compile_failure> compilation::link(const std::vector<fs::path>& others) {
  return link_as(request_.product, words(others.begin(), others.end()));
}

std::optional<compile_failure> compilation::link_module(const std::string& entry) {
  return link_as(product::module, {"-u", entry});
}

std::variant<program_result, compile_failure> compilation::run_tool(const words& command, const std::string& step,
                                                                    std::uint64_t output_bytes) {
  auto result = run_step(command, output_bytes);
  if (auto failed = failure_of(result, step)) return std::move(*failed);
  return std::move(*result);
}

compiled_product compilation::result() {
  if (can_become_others()) give_to(0);
  fs::permissions(folder_->path(), fs::perms(0755));
  const std::chrono::duration<double> took = process::clock::now() - began_;
  return {.file = folder_->path() / name_of(request_.product), .folder = folder_, .seconds = took.count()};
}

fs::path compilation::module() const { return folder_->path() / module_name; }

}  // namespace workshop
