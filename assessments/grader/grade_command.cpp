#include "assessments/grader/grade_command.h"

#include <fmt/format.h>
#include <unistd.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <cstdlib>
#include <exception>
#include <filesystem>
#include <optional>
#include <thread>

#include "assessments/grader/class/class_report.h"
#include "assessments/grader/class/grade_class.h"
#include "assessments/grader/running/gpu.h"
#include "assessments/grader/tasks/case_seeds.h"
#include "assessments/grader/tasks/tasks_json.h"
#include "assessments/grader/verdict/grade.h"
#include "assessments/grader/verdict/history.h"
#include "assessments/grader/verdict/junit.h"
#include "assessments/grader/verdict/record.h"
#include "assessments/grader/verdict/verdict_json.h"
#include "assessments/grader/verdict/verdict_text.h"
#include "runtime/core/error.h"
#include "runtime/core/printable.h"
#include "runtime/host/machine.h"
#include "workbook/command/command_frame.h"
#include "workbook/command/exit_status.h"
#include "workbook/command/standard_output.h"
#include "workbook/command_name.h"
#include "workbook/terminal/progress_bar.h"
#include "workshop/file_text.h"
#include "workshop/interrupt.h"
#include "workshop/machine.h"

namespace grader {

using gs::detail::printable;
using workshop::isolation, workshop::strongest_isolation, workshop::tidy_interrupts, workshop::works,
    workshop::write_text;
namespace {

namespace fs = std::filesystem;

constexpr const char* program = "gridstride-grade";
constexpr int exit_passed = workbook::exit_fine, exit_not_passed = workbook::exit_failed;
using workbook::exit_machine_lacks, workbook::exit_wrong_usage;

struct grade_command {
  std::string task, file, junit, isolation, output, target;
  std::optional<std::uint64_t> seed;
  unsigned jobs = 0;
  std::uint64_t memory = 0;  // 0: what is free
  bool json = false, unsafe = false, again = false, no_speed = false, until_first_failure = false;
  bool grade_bandwidth = false;
  bool on_gpu() const { return target == "cuda"; }
};

void declare(CLI::App& app, grade_command& command) {
  app.add_option("TASK", command.task, "a task, such as A1; without it the tasks are listed");
  app.add_option("FILE", command.file, "a submission, or a folder of them");
  app.add_flag("--json", command.json, "print the verdict, or the tasks, as one JSON document");
  app.add_option("--junit", command.junit, "write JUnit XML to this file as well")->type_name("FILE");
  app.add_option("--seed", command.seed, "seed of the hidden cases' inputs, to repeat a run [random]")->type_name("S");
  app.add_option("--isolation", command.isolation,
                 "bubblewrap, namespaces, landlock or limits [the strongest that works here]")
      ->check(CLI::IsMember({"bubblewrap", "namespaces", "landlock", "limits"}))
      ->type_name("LEVEL");
  app.add_option(
         "--target", command.target,
         "engine, or cuda: compile with nvcc and run on the GPU; copies and counters are still counted on the engine")
      ->check(CLI::IsMember({"engine", "cuda"}))
      ->type_name("T");
  app.add_flag("--grade-bandwidth", command.grade_bandwidth, "with --target cuda: A3's bandwidth earns points");
  app.add_flag("--unsafe", command.unsafe, "allow limits alone: the submission has all of your rights");
  app.add_option("--memory", command.memory, "leave out cases that need more than this, such as 500MB [what is free]")
      ->transform(CLI::AsSizeValue(true))
      ->type_name("BYTES");
  app.add_flag("--until-first-failure", command.until_first_failure, "end at the first call or criterion that fails");
  app.add_flag("--no-speed", command.no_speed, "measure no speed: criteria of speed are not run");
  const char* group = "A class";
  app.add_option("--jobs", command.jobs, "submissions at a time [as many as there are cores]")
      ->check(CLI::Range(1, 256))
      ->type_name("N")
      ->group(group);
  app.add_option("--output", command.output, "folder for the reports and the verdicts [FOLDER-graded]")
      ->type_name("DIR")
      ->group(group);
  app.add_flag("--again", command.again, "also grade submissions that already have a verdict")->group(group);
}

const task& task_named(const std::vector<task>& tasks, const std::string& word) {
  std::vector<std::string> known;
  for (const task& t : tasks) {
    if (CLI::detail::to_lower(word) == CLI::detail::to_lower(t.id) || word == t.name) return t;
    known.push_back(t.id);
  }
  throw gs::error("grade " + word, "there is no such task", fmt::format("choose one of {}", fmt::join(known, ", ")));
}

isolation choose_isolation(const grade_command& command) {
  isolation level = isolation::limits;
  if (command.isolation.empty()) {
    level = strongest_isolation();
    if (level == isolation::limits && !command.unsafe)
      throw gs::machine_error("isolating the submission", "neither bubblewrap nor namespaces nor Landlock works here",
                              "install bubblewrap, or add --unsafe: the submission then has all of your rights");
    return level;
  }
  for (const auto& [name, named] : {std::pair{"bubblewrap", isolation::bubblewrap},
                                    {"namespaces", isolation::namespaces},
                                    {"landlock", isolation::landlock}})
    if (command.isolation == name) level = named;
  if (level == isolation::limits) {
    if (!command.unsafe)
      throw gs::error("--isolation limits", "limits alone isolate nothing", "add --unsafe if you trust the submission");
  } else if (!works(level)) {
    throw gs::machine_error("--isolation " + command.isolation, "it does not work on this machine",
                            "leave the option out: the strongest level that works is taken");
  }
  return level;
}

std::uint64_t memory_for(const grade_command& command) {
  const std::uint64_t free = gs::detail::free_memory();
  return command.memory > 0 ? std::min(command.memory, free) : free;
}

void write_junit(const std::string& file, std::span<const verdict> verdicts) {
  if (!file.empty()) write_text(file, to_junit(verdicts), "writing the JUnit file " + file);
}

std::unique_ptr<submission_workshop> workshop_for(const task& t, const grade_command& command) {
  const isolation level = choose_isolation(command);
  return sandboxed_workshop(t, level, command.on_gpu() ? gpu_name(level) : "");
}

// The task as it is graded here. Throws gs::error for options that don't go together.
task asked_for(const task& t, const grade_command& command) {
  if (!command.on_gpu()) {
    if (command.grade_bandwidth)
      throw gs::error("--grade-bandwidth", "only a GPU's bandwidth can be graded", "add --target cuda");
    return t;
  }
  if (command.grade_bandwidth && std::ranges::none_of(t.criteria, [](const criterion& c) { return c.gpu.has_value(); }))
    throw gs::error("grade " + t.id + " with --grade-bandwidth", "the task has no bandwidth to grade", "leave it out");
  return on_gpu(t, command.grade_bandwidth);
}

// Returns what `work` throws, so that unrelated work can be done before it is rethrown.
template <class F>
std::exception_ptr caught(F work) {
  try {
    work();
  } catch (...) {
    return std::current_exception();
  }
  return nullptr;
}

int grade_one(const task& t, const fs::path& file, const grade_command& command, const workbook::terminal& errors) {
  const auto workshop = workshop_for(t, command);
  workbook::progress_bar bar(fmt::format("{} {}", t.id, printable(file.filename().string())), errors);
  grade_options options{.seed = command.seed.value_or(random_run_seed()),
                        .memory_bytes = memory_for(command),
                        .measure_speed = !command.no_speed,
                        .until_first_failure = command.until_first_failure};
  options.on_stage = [&](std::string_view stage) { bar.set(-1, stage); };
  const verdict v = grade(t, file, *workshop, options);
  const bool whole = command.memory == 0 && !command.no_speed && !command.grade_bandwidth;
  const std::exception_ptr not_kept = caught([&] {
    if (whole) add_to_history(v);
    if (v.passed && whole) keep_grade(v);
  });
  const std::exception_ptr not_written = caught([&] { write_junit(command.junit, {&v, 1}); });
  workbook::print_whole(command.json ? to_json(v) : to_text(v, workbook::detect_terminal(STDOUT_FILENO)));
  for (const std::exception_ptr& failure : {not_kept, not_written})
    if (failure) std::rethrow_exception(failure);
  return v.passed ? exit_passed : exit_not_passed;
}

class in_workshop : public class_grading {
 public:
  in_workshop(const task& t, const fs::path& file, submission_workshop& workshop, const grade_options& options)
      : grading_(t, file, workshop, options) {}
  void before_timing() override { grading_.before_timing(); }
  bool has_timing() const override { return grading_.has_timing(); }
  void timing() override { grading_.timing(); }
  verdict finish() override { return grading_.finish(); }

 private:
  submission_grading grading_;
};

// "submissions-graded" beside "submissions".
fs::path output_folder(const grade_command& command) {
  if (!command.output.empty()) return command.output;
  fs::path folder = fs::absolute(command.file).lexically_normal();
  if (!folder.has_filename()) folder = folder.parent_path();
  return folder += "-graded";
}

int grade_folder(const task& t, const grade_command& command, const workbook::terminal& errors) {
  // Otherwise their incomplete verdicts would be reused when the class is graded again.
  for (const auto& [name, is_given] : {std::pair{"--until-first-failure", command.until_first_failure},
                                       {"--no-speed", command.no_speed},
                                       {"--memory", command.memory > 0}})
    if (is_given)
      throw gs::error(fmt::format("grade {} {} with {}", t.id, command.file, name),
                      "it is a folder, and a class is graded on all criteria and cases",
                      "leave the option out, or give one submission");
  const std::vector<found_submission> found = find_submissions(command.file);
  const unsigned cores = std::max(1u, std::thread::hardware_concurrency());
  const unsigned jobs = command.jobs > 0 ? command.jobs : cores;
  const auto workshop = workshop_for(t, command);
  const grade_options shared{.seed = command.seed.value_or(random_run_seed()),
                             .memory_bytes = gs::detail::free_memory() / jobs,
                             .compile_at_once = false,
                             .measure_what_earns_nothing = false};
  const char* const threads = std::getenv("GRIDSTRIDE_THREADS");
  const std::string alone = threads != nullptr ? threads : "", share = fmt::format("{}", std::max(1u, cores / jobs));
  workbook::progress_bar bar(t.id + " " + printable(command.file), errors);
  class_options options{.output = output_folder(command),
                        .jobs = jobs,
                        .again = command.again,
                        .version = GRIDSTRIDE_VERSION,
                        .device = workshop->device_name()};
  options.on_progress = [&](double fraction, std::string_view activity) { bar.set(fraction, activity); };
  options.say = [&](std::string_view line) { bar.say(line); };
  // Submissions side by side share the cores; one that is timed has them all.
  options.before_phase = [&](bool is_alone) {
    if (is_alone && threads == nullptr)
      unsetenv("GRIDSTRIDE_THREADS");
    else
      setenv("GRIDSTRIDE_THREADS", (is_alone ? alone : share).c_str(), 1);
  };
  tidy_interrupts::last_words([verdicts = options.output / "verdicts"] {
    std::error_code none;
    const auto is_verdict = [](const fs::directory_entry& entry) { return entry.path().extension() == ".json"; };
    if (std::ranges::none_of(fs::directory_iterator(verdicts, none), is_verdict))
      return std::string("Interrupted. Nothing is finished yet.");
    return fmt::format("Interrupted. Finished verdicts are kept in {}; the same command continues from there.",
                       printable(verdicts.string()));
  });
  const class_result result = grade_class(
      t, found,
      [&](const found_submission& submission, unsigned slot) {
        grade_options own_options = shared;
        own_options.slot = slot;
        return std::make_unique<in_workshop>(t, submission.file, *workshop, own_options);
      },
      options);
  std::vector<verdict> verdicts;
  for (const graded_submission& submission : result.submissions) verdicts.push_back(submission.result);
  write_junit(command.junit, verdicts);
  if (command.json) {
    workbook::print_whole(class_json(t, result.submissions));
    return exit_passed;
  }
  std::string text = class_text(t, result.submissions, workbook::detect_terminal(STDOUT_FILENO));
  if (result.reused > 0) text += fmt::format("{} already had a verdict; --again grades them again.\n", result.reused);
  text += fmt::format("seed {} · {}\n{}\n", shared.seed, workshop->isolation_name(),
                      printable((options.output / "report.html").string()));
  workbook::print_whole(text);
  return exit_passed;
}

int run(int argc, const char* const* argv) {
  CLI::App app("Grades a submission, or a folder of them, for an assessment", program);
  grade_command command;
  declare(app, command);
  if (const auto status = workbook::parse_words(app, argc, argv, program)) return *status;
  const std::vector<task> tasks = all_tasks();
  if (command.task.empty()) {
    workbook::print_whole(command.json ? tasks_json(tasks)
                                       : tasks_text(tasks, workbook::detect_terminal(STDOUT_FILENO)));
    return exit_passed;
  }
  const task t = asked_for(task_named(tasks, command.task), command);
  if (command.file.empty())
    throw gs::error("grade " + t.id, "no file is given",
                    fmt::format("write {} grade {} my/{}.cpp", workbook::course_command_name(), t.id, t.name));
  const workbook::terminal errors = workbook::detect_terminal(STDERR_FILENO);
  if (fs::is_directory(command.file)) return grade_folder(t, command, errors);
  if (!fs::exists(command.file)) throw gs::error("grading " + command.file, "there is no such file", "check its name");
  if (!fs::is_regular_file(command.file))
    throw gs::error("grading " + command.file, "it is not a regular file", "give a file of C++, or a folder of them");
  return grade_one(t, command.file, command, errors);
}

}  // namespace

int run_grade_command(int argc, const char* const* argv) {
  return workbook::run_command(program, [&] { return run(argc, argv); });
}

}  // namespace grader
