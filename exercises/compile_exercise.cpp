#include "exercises/compile_exercise.h"

#include <fmt/format.h>
#include <unistd.h>

#include <cerrno>
#include <fstream>
#include <system_error>

#include "assessments/grader/build_parts.h"
#include "assessments/grader/compiler_messages.h"
#include "assessments/grader/file_text.h"
#include "assessments/grader/printable.h"
#include "assessments/grader/source_file.h"
#include "exercises/compile_mistakes.h"
#include "exercises/compiler_text.h"
#include "exercises/unmarked_functions.h"
#include "runtime/core/error.h"

namespace exercises {
namespace {

namespace fs = std::filesystem;
using grader::process;

// Names that no learner's file has.
constexpr const char *object_name = ".exercise.o", *program_name = ".exercise";

grader::compilation_parts parts() {
  return grader::read_parts(grader::build_folder(grader::flavour::checked) / "exercises/parts.json",
                            "compile an exercise", grader::flavour::checked, "exercise_parts");
}

// As root the compiler runs as another user: to it belongs the folder, for so long.
void give_to(unsigned user, const fs::path& path) {
  if (grader::can_become_others() && lchown(path.c_str(), user, user) != 0)
    throw gs::machine_error("hand " + path.string() + " to the compiler's user", std::system_category().message(errno),
                            "work as an ordinary user");
}

using words = std::vector<std::string>;

words compile_command(const grader::compilation_parts& p, const fs::path& checks, const fs::path& copy,
                      const fs::path& source, bool finds_headers_beside) {
  words line = {p.compiler};
  // Warnings are the learner's own affair, but for the one that would be a crash.
  for (const std::string& flag : p.flags)
    if (flag != "-Werror" && flag != "-Wconversion" && flag != "-Wpedantic") line.push_back(flag);
  for (const char* flag : {"-Werror=return-type", "-pipe", "-fdiagnostics-color=never", "-fmessage-length=0",
                           "-fmax-errors=20", "-ftemplate-backtrace-limit=6"})
    line.emplace_back(flag);
  for (const fs::path& header : p.headers) line.insert(line.end(), {"-include", header.string()});
  line.push_back(fmt::format("-DGRIDSTRIDE_EXERCISE=\"{}\"", copy.string()));
  // Findings and crashes are to name the learner's file.
  line.push_back(fmt::format("-ffile-prefix-map={}={}", copy.parent_path().string(), source.parent_path().string()));
  if (finds_headers_beside) line.push_back("-iquote" + source.parent_path().string());
  line.insert(line.end(), {"-c", "-o", object_name, checks.string()});
  return line;
}

words link_command(const grader::compilation_parts& p) {
  words line = {p.compiler, "-o", program_name, object_name};
  line.insert(line.end(), p.link.begin(), p.link.end());
  return line;
}

void fail(exercise_result& r, const grader::program_result& said, const fs::path& copy, const std::string& source) {
  const std::string& text = said.output;
  const auto says = [&](const char* words) { return text.find(words) != text.npos; };
  if (said.timed_out || says("CPU time limit exceeded")) {
    r.outcome = outcome::timed_out;
    r.text = fmt::format("Compiling it took longer than {:g} s.", compile_seconds);
  } else if (says("out of memory") || says("memory exhausted") || says("Killed signal terminated")) {
    r.outcome = outcome::out_of_memory;
    r.text = fmt::format("Compiling it took more than {:.1f} GB of memory.", compile_memory_bytes / 1e9);
  } else if (says("gridstride-confine: ") || text.starts_with("bwrap: ") || text.starts_with("unshare: ")) {
    throw gs::machine_error("compile in a sandbox", text.substr(0, text.find('\n')),
                            "choose another level of isolation");
  } else {
    const std::string name = copy.filename().string();
    r.outcome = outcome::compile_error;
    r.where = grader::first_error(text, name);
    learner_message shown = learner_messages(text, copy, r.file, source);
    if (shown.meant.line > 0) r.where = shown.meant;
    if (r.where.line > 0) r.where.file = r.file;
    r.text = says("collect2: ") ? "Linking it failed." : grader::printable(grader::first_error_text(text));
    r.advice = advice_for(text, name);
    r.messages = grader::printable(std::move(shown.text));
  }
}

// What nvcc would say of functions without GS_FN, in its host compiler's form.
bool refuse_unmarked(exercise_result& r, const std::string& text, const fs::path& checks) {
  const auto found = unmarked_functions(text, {grader::read_text(checks, "reading " + checks.string())});
  if (found.empty()) return false;
  r.outcome = outcome::compile_error;
  for (const unmarked_function& f : found) {
    const std::string said = fmt::format("‘{}’ runs on the device and isn't marked GS_FN", f.name);
    if (r.text.empty()) {
      r.where = {r.file, f.line, f.column};
      r.text = said;
    }
    r.messages += fmt::format("{}:{}:{}: error: {}\n", r.file, f.line, f.column, said);
    r.messages += marked_line(text, f.line, f.column);
    if (!f.caller.empty())
      r.messages += fmt::format("{}:{}: note: ‘{}’ calls it, which runs there\n", r.file, f.called_at, f.caller);
  }
  r.messages = grader::printable(r.messages);
  r.advice =
      "g++ doesn't mind, but a GPU has only the functions that are marked: write GS_FN before the type that it "
      "returns.";
  return true;
}

}  // namespace

fs::path checks_of(const workbook::catalogue_entry& exercise) {
  return workbook::course_root() / "lessons" / exercise.program() / "checks.cpp";
}

std::vector<fs::path> readable_by_checks() { return parts().readable; }

std::variant<exercise_program, std::monostate, interrupted> compile(const fs::path& file, grader::isolation level,
                                                                    const interruption& by, exercise_result& result) {
  const auto began = process::clock::now();
  const grader::compilation_parts p = parts();
  const fs::path source = fs::weakly_canonical(fs::absolute(file));  // a link stands for its file
  const fs::path checks = checks_of(result.exercise);
  // What is compiled is the file as it is now, however often it is saved meanwhile.
  const auto folder = std::make_shared<grader::private_folder>();
  const fs::path copy = folder->path() / source.filename();
  const std::string text = grader::read_source(source, "check").text;
  if (!(std::ofstream(copy, std::ios::binary) << text).flush())
    throw gs::machine_error("copy " + file.string() + " to " + copy.string(), "it can't be written",
                            "make room on the disk");
  give_to(grader::first_sandbox_user, folder->path());
  give_to(grader::first_sandbox_user, copy);

  grader::confinement c;
  c.readable = p.readable;
  c.readable.push_back(checks.parent_path());
  // In a stronger sandbox the file is alone.
  const bool finds_headers_beside = level == grader::isolation::limits;
  if (finds_headers_beside) c.readable.push_back(source.parent_path());
  c.writable = folder->path();
  c.processor_seconds = compile_seconds;
  c.memory_bytes = compile_memory_bytes;
  c.scratch_bytes = 256 << 20;
  c.may_fork = true;
  const auto seconds = [&] { return std::chrono::duration<double>(process::clock::now() - began).count(); };
  for (const words& line : {compile_command(p, checks, copy, source, finds_headers_beside), link_command(p)}) {
    const auto said = run_unless_interrupted({.command = grader::confined(level, c, line), .output_bytes = 4 << 20},
                                             std::max(0.0, compile_seconds - seconds()), by);
    result.compile_seconds = seconds();
    if (!said) return interrupted{};
    if (said->status == 0 && !said->timed_out) continue;
    fail(result, *said, copy, text);
    return std::monostate{};
  }
  if (refuse_unmarked(result, text, checks)) return std::monostate{};
  give_to(0, folder->path());
  fs::permissions(folder->path(), fs::perms(0755));
  return exercise_program{.program = folder->path() / program_name, .source = source, .folder = folder};
}

}  // namespace exercises
