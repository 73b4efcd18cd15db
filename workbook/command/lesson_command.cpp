#include "workbook/command/lesson_command.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <signal.h>
#include <unistd.h>

#include <CLI/CLI.hpp>
#include <cerrno>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <exception>
#include <filesystem>
#include <fstream>
#include <iostream>
#include <optional>
#include <set>
#include <stdexcept>
#include <thread>
#include <utility>

#include "runtime/core/code_lines.h"
#include "runtime/core/crash_report.h"
#include "runtime/core/error.h"
#include "runtime/device/device.h"
#include "runtime/device/target.h"
#include "runtime/device/timeline.h"
#include "runtime/instruments/inspect.h"
#include "runtime/timing/untimed.h"
#include "workbook/catalogue.h"
#include "workbook/command/command_frame.h"
#include "workbook/command/interruption.h"
#include "workbook/command/rank_of_launch.h"
#include "workbook/command_name.h"
#include "workbook/json/report_json.h"
#include "workbook/json/timeline_json.h"
#include "workbook/picture/picture_files.h"
#include "workbook/stream/report_stream.h"
#include "workbook/terminal/ask_guesses.h"
#include "workbook/terminal/inspection_progress.h"
#include "workbook/terminal/progress_bar.h"
#include "workbook/terminal/report_text.h"

namespace workbook {
namespace {

struct options {
  bool json = false;
  std::string target;
  std::string seed;
  std::string plots;
  std::string timeline;
  bool inspect = false;
  bool all_lines = false;
  std::string instruments;
  std::string gpu;
  unsigned orders = 0;
  unsigned registers = 0;
  unsigned pictured_line = 0;
  int stream = -1;
  std::vector<std::string> values;   // as typed; one per declared parameter, empty where none was given
  std::vector<std::string> guesses;  // as typed; one per prediction
};

void say(const std::string& text) { fmt::print(stderr, "{}\n", text); }

// The command that runs it with its accesses observed. For a program of the learner's own, the launcher passes the
// file's name.
std::string inspect_command(const lesson& l) {
  if (l.number >= 0) return fmt::format("{} inspect {:02}", course_command_name(), l.number);
  const char* const file = std::getenv("GRIDSTRIDE_PROGRAM_FILE");
  return fmt::format("{} inspect {}", command_name(), file != nullptr ? file : "FILE");
}

const char* kind_of(const lesson& l) { return l.number >= 0 ? "lesson" : "program"; }

void declare(CLI::App& app, options& typed, const parameters& declared, const char* kind) {
  app.add_flag("--json", typed.json, "print the report as one JSON document");
  app.add_option("--target", typed.target,
                 "where the work runs: cpu, parallel, device, engine or cuda [GRIDSTRIDE_TARGET, else device]")
      ->type_name("T");
  app.add_option("--seed", typed.seed, fmt::format("seed of all random numbers [{}]", declared.seed()))->type_name("S");
  app.add_option("--stream", typed.stream, "send the report to this descriptor as it grows")
      ->group("");  // the viewer's
  app.add_option("--plots", typed.plots, "write each plot into this folder, as SVG and PNG")->type_name("DIR");
  CLI::Option* recorded =
      app.add_option("--timeline", typed.timeline,
                     "write what ran when on the device (copies, launches, waits) into this file, as JSON; the "
                     "viewer's page Timeline shows it")
          ->type_name("FILE");
  const char* group = "Inspection";
  CLI::Option* inspect =
      app.add_flag("--inspect", typed.inspect, "observe every access of the kernels; a finding makes the exit status 1")
          ->excludes(recorded)  // nothing is timed
          ->group(group);
  app.add_option(
         "--instruments", typed.instruments,
         "what to look for: memcheck, initcheck, racecheck, synccheck, leakcheck, limits, counters, all, none; a "
         "minus before a name leaves it out, also -same_value_races [GRIDSTRIDE_INSPECT, else all]")
      ->type_name("LIST")
      ->needs(inspect)
      ->group(group);
  app.add_option(
         "--gpu", typed.gpu,
         "the GPU whose limits apply and whose bounds are shown: its compute capability, or a card such as H200 "
         "[GRIDSTRIDE_GPU, else 9.0]")
      ->type_name("CC")
      ->needs(inspect)
      ->group(group);
  app.add_option("--orders", typed.orders,
                 "in how many orders of its blocks and threads each launch is observed: as numbered, in reverse, then "
                 "permuted; N orders take about N times as long [GRIDSTRIDE_ORDERS, else 2]")
      ->type_name("N")
      ->check(CLI::Range(1, 1000))
      ->needs(inspect)
      ->group(group);
  app.add_option("--registers", typed.registers,
                 "registers that a thread takes on that GPU, as nvcc --resource-usage prints them, for the occupancy")
      ->type_name("N")
      ->check(CLI::Range(1, 255))
      ->needs(inspect)
      ->group(group);
  app.add_option("--line", typed.pictured_line,
                 "draw which lane of a warp touches which element, sector and bank in this line of the lesson")
      ->type_name("N")
      ->check(CLI::Range(1, 1'000'000))
      ->needs(inspect)
      ->group(group);
  app.add_flag("--lines", typed.all_lines,
               "show the counters of every line, not only of those that could do better, and which lines copy")
      ->needs(inspect)
      ->group(group);
  typed.values.resize(declared.declared().size());
  for (std::size_t k = 0; k < typed.values.size(); ++k) {
    const parameter& p = declared.declared()[k];
    const std::optional<parameter_value> inspected = inspected_value(p);
    app.add_option("--" + name_of(p), typed.values[k],
                   fmt::format("{}: {} [{}{}]", text_of(p), range_of(p), to_text(declared.value(name_of(p))),
                               inspected ? ", inspected " + to_text(*inspected) : ""))
        ->type_name(std::holds_alternative<choice>(p) ? "WORD" : "N")
        ->group(fmt::format("Parameters of the {}", kind));
  }
  typed.guesses.resize(declared.predictions().size());
  for (std::size_t k = 0; k < typed.guesses.size(); ++k) {
    const prediction& p = declared.predictions()[k];
    app.add_option("--guess-" + p.name, typed.guesses[k], p.question + (p.unit.empty() ? "" : " In " + p.unit))
        ->type_name("N")
        ->group("Your predictions");
  }
}

void describe(report& r, const lesson& l, const parameters& values) {
  r.about.lesson = l.number;
  r.about.name = l.name;
  r.about.title = l.title;
  r.about.target = gs::to_string(gs::default_target());
  r.about.device = gs::device().name;
  r.about.parameters = values;
}

// Throws gs::error if this program can't observe its kernels, or if an instrument doesn't exist.
gs::inspect_options inspect_options_of(const lesson& l, const CLI::App& app, const options& typed) {
  if (!gs::can_inspect())
    throw gs::error("--inspect", "this program was built without the instruments", "run " + inspect_command(l));
  if (app.count("--instruments") > 0 && typed.instruments.empty())
    throw gs::error("--instruments", "its value is empty", "name some, as in racecheck,memcheck, or leave it out");
  if (app.count("--instruments") > 0) setenv("GRIDSTRIDE_INSPECT", typed.instruments.c_str(), 1);
  if (app.count("--gpu") > 0) setenv("GRIDSTRIDE_GPU", typed.gpu.c_str(), 1);
  gs::inspect_options asked = gs::inspect_options::from_environment();
  if (app.count("--orders") > 0) asked.orders = typed.orders;
  asked.registers_per_thread = typed.registers;
  return asked;
}

// The access pictures of a line, one for each array that it reaches and each kind of access.
void add_pictures(const gs::inspection& result, unsigned line, report& r) {
  std::set<unsigned> lines;
  bool any = false;
  for (const gs::warp_picture& p : result.pictures) {
    lines.insert(p.where.line);
    if (p.where.line != line) continue;
    any = true;
    r.access_picture(fmt::format("{} of {} in line {}", to_string(p.requests.front().kind),
                                 p.expression.empty() ? "memory" : p.expression, line),
                     p);
  }
  if (!any)
    throw gs::error(fmt::format("--line {}", line), "no kernel accesses an array in that line",
                    fmt::format("use one of {}", fmt::join(lines, ", ")));
}

void run_inspected(const lesson& l, const parameters& values, gs::inspect_options options, const struct options& typed,
                   progress_bar& bar, report& r) {
  inspection_progress progress(bar, program_name(l));
  r.on_progress = [&](double fraction, std::string_view activity) { progress.lesson(fraction, activity); };
  options.on_progress = [&](const gs::inspect_progress& p) { progress.instruments(p); };
  const gs::detail::untimed_scope untimed;
  gs::inspection result = gs::inspect([&] { l.run(values, r); }, options);
  inspection_has_ended();
  const std::exception_ptr failure = result.failure;
  r.inspection(result, typed.all_lines);
  if (typed.pictured_line > 0) add_pictures(result, typed.pictured_line, r);
  if (failure) std::rethrow_exception(failure);
}

// The file that a run's timeline goes to.
class timeline_file {
 public:
  // Throws gs::error if it can't be written: before the lesson's long work and not after it.
  explicit timeline_file(const std::string& path) : path_(path), out_(path) { require(); }

  void write(const lesson& l, const std::vector<gs::timeline_entry>& entries) {
    out_ << to_json(
        run_timeline{.program = program_name(l), .title = l.title, .device = gs::device().name, .entries = entries});
    out_.flush();
    require();
  }

 private:
  void require() const {
    if (!out_)
      throw gs::error("--timeline " + path_, fmt::format("the file can't be written: {}", std::strerror(errno)),
                      "give one in a folder that you may write to");
  }
  const std::string path_;
  std::ofstream out_;
};

void run_recorded(const lesson& l, const parameters& values, timeline_file& file, report& r) {
  const gs::timeline_recording recording;
  l.run(values, r);
  file.write(l, recording.entries());
}

// While it lives, what is printed on standard output, also by a kernel (gs::print) or a library, goes to standard
// error: standard output belongs to one document.
class printing_to_standard_error {
 public:
  printing_to_standard_error() : kept_(fcntl(STDOUT_FILENO, F_DUPFD_CLOEXEC, 3)) {
    flush();
    if (kept_ >= 0) dup2(STDERR_FILENO, STDOUT_FILENO);
  }
  ~printing_to_standard_error() {
    flush();
    if (kept_ < 0) return;
    dup2(kept_, STDOUT_FILENO);
    close(kept_);
  }
  printing_to_standard_error(const printing_to_standard_error&) = delete;
  printing_to_standard_error& operator=(const printing_to_standard_error&) = delete;

 private:
  static void flush() {
    std::cout.flush();
    std::fflush(stdout);
  }
  const int kept_;
};
void show(const report& r, const std::optional<run_failure>& failure, bool json) {
  const std::string text = json ? to_json(r, failure) + "\n" : to_text(r, detect_terminal(STDOUT_FILENO));
  if (std::fwrite(text.data(), 1, text.size(), stdout) != text.size() || std::fflush(stdout) != 0)
    throw gs::machine_error("writing the report to standard output", std::strerror(errno), "write it elsewhere");
}

// On a terminal the lesson's own results would stand between the learner and what was asked for. Of several ranks, the
// first reports; another one only what went wrong in it.
void show_run(const report& r, const std::optional<run_failure>& failure, bool inspected, const options& typed) {
  if (rank_of_launch() > 0 && (typed.json || r.failed_checks() + r.findings() == 0)) return;
  if (typed.stream < 0 || rank_of_launch() > 0)
    show(inspected && !typed.json ? r.inspected_part() : r, failure, typed.json);
}

// Advice after a crash: inspection finds the reason, unless this was one.
std::string next_after_crash(const lesson& l, bool inspected) {
  return inspected ? "" : fmt::format("; {} observes what its kernels do", inspect_command(l));
}

// The failure for a crash of the lesson outside of kernels, whose faults the engine reports.
run_failure failure_by(const gs::detail::fault_signal& signal, const lesson& l, bool inspected) {
  const gs::source_place place =
      gs::detail::innermost_place(gs::detail::find_code_lines(signal.calls()), signal.calls());
  const std::string at_place = place.line == 0 ? "" : fmt::format(" at {}:{}", place.file, place.line);
  return {exit_failed, fmt::format("running the {}: it crashed{} with {}{}", kind_of(l), at_place,
                                   gs::detail::signal_text(signal.number), next_after_crash(l, inspected))};
}

run_failure failure_by_interruption(const lesson& l, bool inspected) {
  const std::string says = inspected ? "" : fmt::format("; {} says at which line", inspect_command(l));
  return {128 + SIGINT, text_of_interruption() + (text_of_interruption() == "interrupted" ? "" : says)};
}

// What went wrong while the lesson ran, if anything did.
std::optional<run_failure> run(const lesson& l, const parameters& values,
                               const std::optional<gs::inspect_options>& inspected, const options& typed,
                               std::optional<timeline_file>& timeline, report& r) {
  progress_bar bar(program_name(l), detect_terminal(STDERR_FILENO));
  r.on_progress = [&bar](double fraction, std::string_view activity) { bar.set(fraction, activity); };
  std::optional<report_sender> sender;
  std::optional<run_failure> failure;
  std::optional<printing_to_standard_error> elsewhere;
  if (typed.json) elsewhere.emplace();
  const gs::detail::crash_report told(
      [&](const gs::detail::fault_signal& signal) {
        const bool interrupted = signal.number == SIGINT;
        try {
          elsewhere.reset();
          bar.end();
          r.on_progress = nullptr;
          const run_failure end = interrupted ? failure_by_interruption(l, inspected.has_value())
                                              : failure_by(signal, l, inspected.has_value());
          if (inspected) {
            gs::inspection so_far = gs::detail::inspection_so_far();
            so_far.failure = std::make_exception_ptr(std::runtime_error(end.message));
            r.inspection(std::move(so_far), typed.all_lines);
          }
          if (sender) sender->end(end);
          show_run(r, end, inspected.has_value(), typed);
          say(fmt::format("{}: {}", program_name(l), end.message));
        } catch (const std::exception& e) {
          say(fmt::format("{}: {}", program_name(l), e.what()));
        }
        if (interrupted) end_by_interruption();
      },
      exit_failed);
  try {
    describe(r, l, values);
    if (typed.stream >= 0 && rank_of_launch() == 0) sender.emplace(r, typed.stream);
    if (inspected)
      run_inspected(l, values, *inspected, typed, bar, r);
    else if (timeline)
      run_recorded(l, values, *timeline, r);
    else
      l.run(values, r);
  } catch (const gs::machine_error& e) {
    failure = run_failure{exit_machine_lacks, e.what()};
  } catch (const gs::kernel_fault& e) {
    failure = run_failure{exit_failed, e.what() + next_after_crash(l, inspected.has_value())};
  } catch (const gs::error& e) {
    failure = run_failure{exit_wrong_usage, e.what()};
  } catch (const std::bad_alloc&) {
    failure = run_failure{
        exit_machine_lacks,
        fmt::format("running the {}: this machine has too little memory for it; choose a smaller size", kind_of(l))};
  } catch (const std::exception& e) {
    failure = run_failure{exit_failed, fmt::format("running the {}: it stopped with \"{}\"", kind_of(l), e.what())};
  }
  r.on_progress = nullptr;
  if (sender) sender->end(failure);
  return failure;
}

// What is wrong for all ranks, the first says for all: the others end with it.
void let_first_rank_speak() {
  if (rank_of_launch() > 0) std::this_thread::sleep_for(std::chrono::milliseconds(500));
}

int run_as_asked(const lesson& l, int argc, const char* const* argv) {
  const std::string name = program_name(l);
  parameters values(l.parameters, l.predictions);
  options typed;
  CLI::App app(l.number >= 0 ? fmt::format("{:02} {}: {}\n{}", l.number, l.name, l.title, l.summary)
                             : fmt::format("{}: {}\n{}", l.name, l.title, l.summary),
               name);
  declare(app, typed, values, kind_of(l));
  if (const auto status = parse_words(app, argc, argv, name)) return *status;
  std::optional<gs::inspect_options> inspected;
  if (typed.inspect) {
    inspected = inspect_options_of(l, app, typed);
    values.use_inspected();
  }
  for (std::size_t k = 0; k < typed.values.size(); ++k) {
    const std::string& parameter = name_of(values.declared()[k]);
    if (app.count("--" + parameter) > 0) values.set(parameter, typed.values[k]);
  }
  for (std::size_t k = 0; k < typed.guesses.size(); ++k) {
    const std::string& name_of_guess = values.predictions()[k].name;
    if (app.count("--guess-" + name_of_guess) > 0) values.set_guess(name_of_guess, typed.guesses[k]);
  }
  if (app.count("--seed") > 0) values.set_seed(parse_seed(typed.seed));
  // The runtime reads the variable at first use, so it must be set before anything of the runtime runs.
  if (app.count("--target") > 0) setenv("GRIDSTRIDE_TARGET", typed.target.c_str(), 1);
  gs::default_target();
  std::optional<picture_folder> pictures;
  if (app.count("--plots") > 0 && rank_of_launch() == 0) pictures.emplace(typed.plots);
  std::optional<timeline_file> timeline;  // of several ranks, that of the first
  if (app.count("--timeline") > 0 && rank_of_launch() == 0) timeline.emplace(typed.timeline);
  const bool somebody_reads = isatty(STDIN_FILENO) == 1 && isatty(STDOUT_FILENO) == 1;
  if (somebody_reads && !typed.json && !inspected)
    ask_guesses(values, std::cin, std::cout, detect_terminal(STDOUT_FILENO));

  report r;
  tell_of_interruption(name);
  const std::optional<run_failure> failure = run(l, values, inspected, typed, timeline, r);
  show_run(r, failure, inspected.has_value(), typed);
  if (pictures) {
    const std::size_t files = pictures->write(r).size();
    if (!typed.json) fmt::print("{} pictures are in {}: each plot as SVG and as PNG.\n", files, typed.plots);
  }
  if (timeline && !failure && !typed.json && typed.stream < 0)
    fmt::print("{} has what ran when: {} view --page Timeline shows it.\n", typed.timeline, course_command_name());
  if (failure) {
    let_first_rank_speak();
    say(fmt::format("{}: {}", name, failure->message));
    end_if_interrupted();
    return failure->status;
  }
  return r.failed_checks() + r.findings() > 0 ? exit_failed : exit_fine;
}

}  // namespace

int run_lesson_command(const lesson& declared, int argc, const char* const* argv) {
  lesson l = declared;
  if (l.number < 0 && l.name.empty()) l.name = std::filesystem::path(argv[0]).filename().string();
  end_with_launcher();
  return run_command(program_name(l), [&] { return run_as_asked(l, argc, argv); });
}

std::string program_name(const lesson& l) { return program_name(l.number, l.name); }

}  // namespace workbook
