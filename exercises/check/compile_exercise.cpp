#include "exercises/check/compile_exercise.h"

#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <fstream>
#include <iomanip>
#include <iterator>
#include <system_error>

#include "exercises/explain/compile_mistakes.h"
#include "exercises/explain/compiler_text.h"
#include "exercises/explain/nvcc_text.h"
#include "exercises/explain/unmarked_functions.h"
#include "exercises/explain/unmarked_text.h"
#include "runtime/core/error.h"
#include "workbook/terminal/printable.h"
#include "workshop/build_parts.h"
#include "workshop/compiler_messages.h"
#include "workshop/file_text.h"
#include "workshop/machine_lack.h"
#include "workshop/source_file.h"

namespace exercises {
namespace {

namespace fs = std::filesystem;
using workshop::process;

// Names that no learner's file has.
constexpr const char *object_name = ".exercise.o", *program_name = ".exercise";
constexpr const char *trial_source = ".empty.cpp", *trial_object = ".empty.o";
constexpr std::uint64_t largest_file = 256 << 20;  // that a compiler writes

// nvcc hands names to a shell, which not every learner's name survives.
constexpr const char* plain_name = ".exercise.cu";

workshop::compilation_parts parts(workshop::flavour f) {
  return workshop::read_parts(workshop::build_folder(f) / "exercises/parts.json", "compile an exercise", f,
                              "exercise_parts");
}

// As root the compiler runs as another user: to it belongs the folder, for so long.
void give_to(unsigned user, const fs::path& path) {
  if (lchown(path.c_str(), user, user) != 0)
    throw gs::machine_error("hand " + path.string() + " to the compiler's user", std::system_category().message(errno),
                            "work as an ordinary user");
}

using words = std::vector<std::string>;

// Warnings are the learner's own affair, but for the one that would be a crash. (Among what nvcc passes on to g++, all
// warnings stand in one word.)
bool is_strict(const std::string& flag) {
  return flag == "-Werror" || flag == "-Wconversion" || flag == "-Wpedantic" || flag.starts_with("-Xptxas=") ||
         flag.starts_with("-Xcompiler=-W");
}

words compile_command(const workshop::compilation_parts& p, const fs::path& from, const std::string& to,
                      const fs::path& copy, const fs::path& source, bool finds_headers_beside) {
  words line = {p.compiler};
  std::ranges::remove_copy_if(p.flags, std::back_inserter(line), is_strict);
  for (const char* flag : {"-Werror=return-type", "-Werror=unused-result", "-pipe", "-fdiagnostics-color=never",
                           "-fmessage-length=0", "-fmax-errors=20", "-ftemplate-backtrace-limit=6"})
    line.emplace_back(flag);
  for (const fs::path& header : p.headers) line.insert(line.end(), {"-include", header.string()});
  line.push_back(fmt::format("-DGRIDSTRIDE_EXERCISE=\"{}\"", copy.string()));
  // Findings and crashes are to name the learner's file.
  line.push_back(fmt::format("-ffile-prefix-map={}={}", copy.parent_path().string(), source.parent_path().string()));
  if (finds_headers_beside) line.push_back("-iquote" + source.parent_path().string());
  line.insert(line.end(), {"-c", "-o", to, from.string()});
  return line;
}

// A function that a GPU doesn't have is only a warning of nvcc's, and what calls it there is undefined.
words nvcc_command(const workshop::compilation_parts& p, const fs::path& from, const std::string& to,
                   const fs::path& copy, const fs::path& source, bool finds_headers_beside) {
  words line = {p.compiler};
  std::ranges::copy_if(p.flags, std::back_inserter(line),
                       [](const std::string& flag) { return !is_strict(flag) && !flag.starts_with("-O"); });
  for (const char* flag : {"-O1", "-Werror=cross-execution-space-call",
                           "-Xcompiler=-g1,-pipe,-Werror=return-type,-fdiagnostics-color=never,-fmessage-length=0,"
                           "-fmax-errors=20,-ftemplate-backtrace-limit=6"})
    line.emplace_back(flag);
  line.push_back(fmt::format("-DGRIDSTRIDE_EXERCISE=\"{}\"", copy.string()));
  const std::string beside = source.parent_path().string();
  if (finds_headers_beside && beside.find_first_of("\"'\\`$") == beside.npos) line.insert(line.end(), {"-I", beside});
  line.insert(line.end(), {"-x", "cu", "-c", "-o", to, from.string()});
  return line;
}

words link_command(const workshop::compilation_parts& p) {
  words line = {p.linker, "-o", program_name, object_name};
  line.insert(line.end(), p.link.begin(), p.link.end());
  return line;
}

std::string shown_name(const exercise_result& r) { return workbook::printable(r.file); }

bool is_lack_possible(const workshop::program_result& said, const fs::path& copy) {
  if (said.timed_out) return true;
  if (said.status == 0) return false;
  const std::string& text = said.output;
  const bool in_checks = text.find("/checks.cpp:") != text.npos && text.find(": error: ") != text.npos;
  return workshop::machine_lack::is_possible(
      text, in_checks || workshop::first_error(text, copy.filename().string()).line > 0);
}

// `text` is what was said, by g++ or in its form; the file that was compiled is called `copy` in it.
void fail(exercise_result& r, const std::string& text, bool timed_out, const fs::path& copy, const std::string& source,
          double seconds) {
  const auto says = [&](const char* words) { return text.find(words) != text.npos; };
  if (timed_out || says("CPU time limit exceeded")) {
    r.outcome = outcome::timed_out;
    r.text = fmt::format("Compiling it took longer than {:g} s.", seconds);
  } else if (says("out of memory") || says("memory exhausted") || says("Killed signal terminated")) {
    r.outcome = outcome::out_of_memory;
    r.text = fmt::format("Compiling it took more than {:.1f} GB of memory.", compile_memory_bytes / 1e9);
  } else {
    const std::string name = copy.filename().string();
    r.outcome = outcome::compile_error;
    r.where = workshop::first_error(text, name);
    learner_message shown = learner_messages(text, copy, r.file, source);
    if (shown.meant.line > 0) r.where = shown.meant;
    if (r.where.line > 0) r.where.file = r.file;
    r.text = says("collect2: ") ? "Linking it failed." : workbook::printable(workshop::first_error_text(text));
    r.advice = advice_for(text, name);
    r.messages = workbook::printable(std::move(shown.text));
  }
}

// What nvcc would say of functions without GS_FN, in its host compiler's form.
bool refuse_unmarked(exercise_result& r, const std::string& text, const fs::path& checks) {
  const auto found = unmarked_functions(text, {workshop::read_text(checks, "reading " + checks.string())});
  if (found.empty()) return false;
  unmarked_text said = text_of_unmarked(found, text, r.file);
  r.outcome = outcome::compile_error;
  r.where = {r.file, found.front().line, found.front().column};
  r.text = std::move(said.first);
  r.messages = workbook::printable(said.messages);
  r.advice = std::move(said.advice);
  return true;
}

}  // namespace

fs::path checks_of(const workbook::catalogue_entry& exercise) {
  return workbook::course_root() / "lessons" / exercise.program() / "checks.cpp";
}

std::vector<fs::path> readable_by_checks(workshop::flavour f) { return parts(f).readable; }

std::variant<exercise_program, std::monostate, interrupted> compile(const fs::path& file, workshop::isolation level,
                                                                    const interruption& by, exercise_result& result,
                                                                    workshop::flavour f) {
  const auto began = process::clock::now();
  const workshop::compilation_parts p = parts(f);
  const bool by_nvcc = f == workshop::flavour::cuda;
  const double limit = by_nvcc ? nvcc_seconds : compile_seconds;
  const fs::path source = fs::weakly_canonical(fs::absolute(file));  // a link stands for its file
  const fs::path checks = checks_of(result.exercise);
  // What is compiled is the file as it is now, however often it is saved meanwhile.
  const auto folder = std::make_shared<workshop::private_folder>();
  const fs::path copy = folder->path() / (by_nvcc ? plain_name : source.filename());
  const std::string text = workshop::read_source(source, "check").text;
  std::ofstream written(copy, std::ios::binary);
  if (by_nvcc) written << "#line 1 " << std::quoted(source.string()) << "\n";
  const std::ofstream empty(folder->path() / trial_source);
  if (!(written << text).flush() || !empty)
    throw gs::machine_error("copy " + file.string() + " to " + copy.string(), "this machine has no space left there",
                            "make room, or set TMPDIR to a folder that has some");
  if (workshop::can_become_others())
    for (const fs::path& path : {folder->path(), copy}) give_to(workshop::sandbox_user(0), path);

  workshop::confinement c;
  c.readable = p.readable;
  c.readable.push_back(checks.parent_path());
  // In a stronger sandbox the file is alone.
  const bool finds_headers_beside = level == workshop::isolation::limits;
  if (finds_headers_beside) c.readable.push_back(source.parent_path());
  c.writable = folder->path();
  c.processor_seconds = limit;
  c.memory_bytes = compile_memory_bytes;
  c.scratch_bytes = largest_file;
  c.may_fork = true;
  const auto seconds = [&] { return std::chrono::duration<double>(process::clock::now() - began).count(); };
  const auto compile_line = by_nvcc ? nvcc_command : compile_command;
  const auto run = [&](const words& line, double at_most, const interruption& unless) {
    return run_unless_interrupted({.command = workshop::confined(level, c, line), .output_bytes = 4 << 20}, at_most,
                                  unless);
  };
  const auto compile_nothing = [&] {  // what fails for that isn't the learner's fault
    return *run(compile_line(p, folder->path() / trial_source, trial_object, copy, source, false), compile_seconds, {});
  };
  for (const words& line :
       {compile_line(p, checks, object_name, copy, source, finds_headers_beside), link_command(p)}) {
    const workshop::machine_lack lack("compile " + shown_name(result), {folder->path(), largest_file, c.memory_bytes});
    auto said = run(line, std::max(0.0, limit - seconds()), by);
    if (said && is_lack_possible(*said, copy)) {
      lack.refuse(said->output, compile_nothing);
      if (!said->timed_out && workshop::machine_lack::may_have_passed(said->output))
        said = run(line, std::max(0.0, limit - seconds()), by);
    }
    result.compile_seconds = seconds();
    if (!said) return interrupted{};
    if (said->status == 0 && !said->timed_out) continue;
    if (by_nvcc)
      fail(result, nvcc_as_gcc(said->output, source.string(), text), said->timed_out, source, text, limit);
    else
      fail(result, said->output, said->timed_out, copy, text, limit);
    return std::monostate{};
  }
  if (refuse_unmarked(result, text, checks)) return std::monostate{};
  if (workshop::can_become_others()) give_to(0, folder->path());
  fs::permissions(folder->path(), fs::perms(0755));
  return exercise_program{.program = folder->path() / program_name, .source = source, .folder = folder, .flavour = f};
}

}  // namespace exercises
