#include "bench/own_program/own_program_command.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <unistd.h>

#include <csignal>
#include <filesystem>
#include <string>
#include <vector>

#include "bench/limits/bandwidth.h"
#include "bench/limits/machine_limits.h"
#include "bench/own_program/times_table.h"
#include "programs/build_in_foreground.h"
#include "programs/ending_text.h"
#include "runtime/core/error.h"
#include "runtime/core/printable.h"
#include "runtime/core/text_file.h"
#include "runtime/host/cores.h"
#include "runtime/host/descriptor.h"
#include "workbook/command/command_frame.h"
#include "workbook/command/exit_status.h"
#include "workbook/command/standard_output.h"
#include "workbook/terminal/progress_bar.h"
#include "workbook/terminal/text_layout.h"
#include "workshop/private_folder.h"

namespace bench {
namespace {

namespace fs = std::filesystem;

constexpr const char* help = R"(Times of a program of your own, beside the limits of this machine.

  bench [--json] FILES [ARGUMENTS]

The program is built and run; what follows the files is its own. Each gs::timeit is a row: its time; and, where the bytes that
one execution moves or its operations are known, their rates and which share of this machine's memory bandwidth and of its
float32 arithmetic they are. gs::timeit(statement, {.bytes = 12e6, .operations = 1e6}) says them, or the report's timing.
)";

constexpr std::uint64_t largest_report = 256 << 20;

gs::detail::descriptor new_file(const fs::path& file) {
  gs::detail::descriptor out(open(file.c_str(), O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0600));
  if (!out.open())
    throw gs::machine_error("write " + file.string(), "that isn't possible", "make room there, or set TMPDIR");
  return out;
}

std::string text_of(const fs::path& file) {
  return fs::exists(file) ? gs::detail::read_text_file(file, "read the program's times", largest_report) : "";
}

struct run_result {
  int status = 0;
  std::vector<program_time> times = {};
};

// A report goes to a file, and all else that the program prints to where it would, or beside a document.
run_result run_and_time(const programs::built_program& built, const programs::program_files& files, bool json,
                        programs::foreground& terminal) {
  const workshop::private_folder folder;
  const fs::path times = folder.path() / "times", report = folder.path() / "report.json";
  programs::child_options child{.program = built.product.file,
                                .name = files.name,
                                .arguments = files.arguments,
                                .variables = {{"GRIDSTRIDE_PROGRAM_FILE", files.shown.string()}}};
  run_result result;
  if (built.entry == programs::entry::report) {
    const gs::detail::descriptor out = new_file(report);
    child.arguments.emplace_back("--json");
    child.output = out.number();
    result.status = terminal.run(child);
    if (result.status == 0) result.times = read_report_times(text_of(report));
    return result;
  }
  child.variables.emplace("GRIDSTRIDE_TIMEIT_FILE", times.string());
  if (json) child.output = STDERR_FILENO;
  result.status = terminal.run(child);
  result.times = read_times(text_of(times));
  return result;
}

loop_limits measure_loop_limits() {
  workbook::progress_bar bar("limits", workbook::detect_terminal(STDERR_FILENO));
  bar.set(-1, "the limits of this machine");
  limits::use_threads(gs::core_count());
  constexpr std::size_t least_bytes = 64 << 20;
  const limit_options options{
      .array_bytes = limit_array_bytes(this_machine(), least_bytes), .rounds = {}, .seconds = 1.5};
  return loop_limits_of(measure_memory_and_arithmetic(options));
}

int bench_program(const programs::program_files& files, bool json) {
  programs::foreground terminal;
  auto built = programs::build_in_foreground(files, workshop::flavour::plain, terminal);
  if (!built) return workbook::exit_failed;
  const run_result result = run_and_time(*built, files, json, terminal);
  built.reset();
  fmt::print(stderr, "{}", programs::ending_text(result.status, files));
  programs::end_as(result.status);
  const std::string name = files.shown.string();
  if (result.status != 0) {
    fmt::print(stderr, "{} ended with status {}: its times aren't shown.\n", gs::detail::printable(name),
               result.status);
    return result.status == 128 + SIGKILL ? workbook::exit_machine_lacks : result.status;
  }
  if (result.times.empty())
    throw gs::error("bench " + gs::detail::printable(name), "the program has timed nothing",
                    "time a statement: gs::timeit([&] { ... }, {.bytes = 12e6})");
  const loop_limits limits = measure_loop_limits();
  const std::string text = json ? times_json(name, result.times, limits) : times_text(name, result.times, limits);
  workbook::print_whole(json || workbook::detect_terminal(STDOUT_FILENO).unicode ? text : workbook::to_ascii(text));
  return workbook::exit_fine;
}

int run(std::vector<std::string> words) {
  bool json = false;
  while (!words.empty() && words.front().starts_with("--") && words.front() != "--") {
    if (words.front() == "--help") {
      workbook::print_whole(help);
      return workbook::exit_fine;
    }
    if (words.front() != "--json")
      throw gs::error("bench " + gs::detail::printable(words.front()),
                      "that is no option of it where a program is named",
                      "write --json, or the program's own options behind its file");
    json = true;
    words.erase(words.begin());
  }
  return bench_program(programs::find_program_files("bench", words), json);
}

}  // namespace

int run_own_program_command(int argc, const char* const* argv) {
  return workbook::run_command("gridstride", [&] { return run(std::vector<std::string>(argv + 1, argv + argc)); });
}

}  // namespace bench
