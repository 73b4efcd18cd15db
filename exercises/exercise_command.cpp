#include "exercises/exercise_command.h"

#include <fmt/format.h>
#include <unistd.h>

#include <CLI/CLI.hpp>
#include <nlohmann/json.hpp>

#include "exercises/check/check_exercise.h"
#include "exercises/learner_text.h"
#include "exercises/result/result_json.h"
#include "exercises/result/result_text.h"
#include "exercises/watch.h"
#include "runtime/core/error.h"
#include "runtime/core/printable.h"
#include "workbook/command/command_frame.h"
#include "workbook/command/exit_status.h"
#include "workbook/command/standard_output.h"
#include "workbook/command_name.h"
#include "workbook/exercise/learner_folder.h"
#include "workbook/exercise/next_exercise.h"
#include "workbook/exercise/next_text.h"
#include "workbook/parameters.h"
#include "workbook/terminal/progress_bar.h"
#include "workshop/interrupt.h"

namespace exercises {
namespace {

namespace fs = std::filesystem;
using workbook::catalogue_exercise, workbook::exercise_state;

constexpr const char* program = "gridstride-exercise";
using workbook::exit_failed, workbook::exit_fine, workbook::exit_wrong_usage;

struct command_line {
  std::string exercise, file, isolation = "limits";
  std::string seed, target = "engine";
  bool json = false, all = false, give_up = false;
};

workshop::isolation isolation_of(const command_line& arguments) {
  for (const auto& [name, level] : {std::pair{"bubblewrap", workshop::isolation::bubblewrap},
                                    {"namespaces", workshop::isolation::namespaces},
                                    {"landlock", workshop::isolation::landlock}}) {
    if (arguments.isolation != name) continue;
    if (!workshop::works(level))
      throw gs::machine_error("--isolation " + arguments.isolation, "it does not work on this machine",
                              "leave the option out: for your own file, limits will do");
    return level;
  }
  return workshop::isolation::limits;
}

// What the GPU gets is what has passed on the engine, where it is observed.
bool goes_on_to_gpu(const command_line& arguments) {
  if (arguments.target != "cuda") return false;
  if (workshop::gpu_devices().empty())
    throw gs::machine_error("--target cuda", "this machine has no NVIDIA GPU: no /dev/nvidia0",
                            "leave it out: the checks run on the engine then");
  return true;
}

std::uint64_t seed_of(const command_line& arguments, const catalogue_exercise& exercise, bool own) {
  if (!arguments.seed.empty()) return workbook::parse_seed(arguments.seed);
  return own ? seed_for(exercise) : check_options{}.seed;
}

// The exercise that was named, else the one to go on with.
catalogue_exercise chosen(const command_line& arguments) {
  const auto course = the_course();
  if (!arguments.exercise.empty()) return workbook::find_exercise(course, arguments.exercise);
  const auto exercises = workbook::exercises_of(course);
  const auto progress = workbook::read_progress(workbook::progress_file());
  if (const catalogue_exercise* next = workbook::next_exercise(exercises, progress)) return *next;
  throw gs::error("which exercise?", "all are done", "name one by its number: 04");
}

std::string what_to_do_next(const catalogue_exercise& exercise, bool passed_on_engine, const exercise_result& result) {
  if (!passed_on_engine)
    return fmt::format("{} hint {} helps.\n", workbook::course_command_name(), to_string(exercise.id()));
  if (!result.passed()) return "On the engine it has passed, and counts as passed.\n";
  std::string text;
  if (result.device.empty() && !workshop::gpu_devices().empty())
    text = fmt::format("{} check {} --target cuda runs it on your GPU.\n", workbook::course_command_name(),
                       to_string(exercise.id()));
  return text + fmt::format("Compare with {0} solution {1}; {0} says what comes next.\n",
                            workbook::course_command_name(), to_string(exercise.id()));
}

int run_check(const command_line& arguments) {
  const workshop::tidy_interrupts tidy;
  const catalogue_exercise exercise = chosen(arguments);
  const fs::path learners = workbook::learner_file(exercise),
                 file = arguments.file.empty() ? learners : fs::path(arguments.file);
  std::error_code error;
  const bool own = arguments.file.empty() || fs::equivalent(file, learners, error);
  const bool on_gpu = goes_on_to_gpu(arguments);
  if (own) begin(exercise);
  std::optional<exercise_result> result;
  bool passed_on_engine = false;
  {
    workbook::progress_bar bar(fmt::format("{} {}", to_string(exercise.id()), exercise.name),
                               workbook::detect_terminal(STDERR_FILENO));
    bar.set(-1, "checking");
    check_options options{.level = isolation_of(arguments), .seed = seed_of(arguments, exercise, own)};
    result = check_exercise(exercise, file, options);
    passed_on_engine = result->passed();
    if (on_gpu && passed_on_engine) {
      bar.set(-1, "compiling for the GPU");
      options.by_nvcc = true;
      result = check_exercise(exercise, file, options);
    }
  }
  const workbook::terminal t = workbook::detect_terminal(STDOUT_FILENO);
  if (own && passed_on_engine) advance(exercise, exercise_state::passed);
  workbook::print_whole(arguments.json ? to_json(*result) : to_text(*result, t, arguments.all));
  if (own && !arguments.json) workbook::print_whole(what_to_do_next(exercise, passed_on_engine, *result));
  return result->passed() ? exit_fine : exit_failed;
}

int run_hint(const command_line& arguments) {
  const catalogue_exercise exercise = chosen(arguments);
  begin(exercise);
  workbook::print_whole(to_text(next_hints(exercise), workbook::detect_terminal(STDOUT_FILENO)));
  return exit_fine;
}

int run_solution(const command_line& arguments) {
  const catalogue_exercise exercise = chosen(arguments);
  if (!arguments.give_up && state_of(exercise) != exercise_state::passed)
    throw gs::error(fmt::format("the solution of {}", exercise.label()), "your own has not passed yet",
                    fmt::format("{0} hint {1} helps, and {0} solution {1} --give-up shows it",
                                workbook::course_command_name(), to_string(exercise.id())));
  workbook::print_whole(solution_of(exercise));
  return exit_fine;
}

int run_reset(const command_line& arguments) {
  const catalogue_exercise exercise = workbook::find_exercise(the_course(), arguments.exercise);
  const auto backup = begin_again(exercise);
  fmt::print("{} is as it was at the beginning.\n", shown_path(workbook::learner_file(exercise)));
  if (backup) fmt::print("What you had is kept in {}.\n", shown_path(*backup));
  return exit_fine;
}

int run_skip(const command_line& arguments) {
  const catalogue_exercise exercise = chosen(arguments);
  if (state_of(exercise) == exercise_state::passed) {
    fmt::print("{} has passed already.\n", exercise.label());
    return exit_fine;
  }
  advance(exercise, exercise_state::skipped);
  fmt::print("{} is skipped; {} check {} goes back to it.\n", exercise.label(), workbook::course_command_name(),
             to_string(exercise.id()));
  return exit_fine;
}

int run_progress(const command_line& arguments) {
  const auto course = the_course();
  const workbook::progress p = workbook::read_progress(workbook::progress_file());
  if (!arguments.json) {
    workbook::print_whole(progress_text(course, p, workbook::detect_terminal(STDOUT_FILENO)));
    return exit_fine;
  }
  nlohmann::ordered_json document = {{"schema", "gridstride-progress"}, {"version", 1}};
  document["exercises"] = nlohmann::ordered_json::array();
  for (const catalogue_exercise& e : workbook::exercises_of(course)) {
    const workbook::exercise_progress progress = p.of(e.id());
    document["exercises"].push_back({{"lesson", e.number},
                                     {"warm_up", e.warm_up},
                                     {"name", e.name},
                                     {"state", to_string(progress.state)},
                                     {"date", progress.date},
                                     {"hints", progress.hints}});
  }
  workbook::print_whole(document.dump(2, ' ', false, nlohmann::ordered_json::error_handler_t::replace) + "\n");
  return exit_fine;
}

int run_next() {
  workbook::print_whole(workbook::next_text(the_course(), workbook::read_progress(workbook::progress_file()),
                                            workbook::detect_terminal(STDOUT_FILENO)));
  return exit_fine;
}

int run(int argc, const char* const* argv) {
  CLI::App app("Exercises: checks, hints and progress", program);
  app.require_subcommand(1);
  command_line arguments;
  int command_status = exit_fine;
  const auto add = [&](const char* name, const char* text, auto action) {
    CLI::App* command = app.add_subcommand(name, text);
    command->callback([&, action] { command_status = action(arguments); });
    return command;
  };
  const auto exercise_of = [&](CLI::App* command) {
    return command->add_option("EXERCISE", arguments.exercise,
                               "its number, name or file, 17w for the warm-up of 17 [the one you are at]");
  };
  const auto isolation = [&](CLI::App* command) {
    command->add_option("--isolation", arguments.isolation, "bubblewrap, namespaces, landlock or limits [limits]")
        ->check(CLI::IsMember({"bubblewrap", "namespaces", "landlock", "limits"}))
        ->type_name("LEVEL");
  };
  CLI::App* command = add("check", "compile your file with its checks, and run them", run_check);
  exercise_of(command);
  command->add_option("FILE", arguments.file, "a file other than your own");
  command->add_flag("--json", arguments.json, "print the result as one JSON document");
  command->add_flag("--all", arguments.all, "show every check and every finding");
  command
      ->add_option("--seed", arguments.seed,
                   "seed of the checks' random data [1; a new one each time once it has passed]")
      ->type_name("N");
  command
      ->add_option("--target", arguments.target,
                   "engine, or cuda: once it has passed there, compile it with nvcc and check its answers on the GPU")
      ->check(CLI::IsMember({"engine", "cuda"}))
      ->type_name("TARGET");
  isolation(command);
  command = add("watch", "check again whenever your file is saved",
                [](const command_line& c) { return watch(chosen(c), isolation_of(c)); });
  exercise_of(command);
  isolation(command);
  exercise_of(add("hint", "one hint more", run_hint));
  command = add("solution", "shown once your file has passed", run_solution);
  exercise_of(command);
  command->add_flag("--give-up", arguments.give_up, "show it anyway");
  exercise_of(add("reset", "start over; what you have is kept", run_reset))->required();
  exercise_of(add("skip", "leave it for later", run_skip));
  add("progress", "what has passed", run_progress)->add_flag("--json", arguments.json, "print one JSON document");
  add("next", "where you are, and what to do next", [](const command_line&) { return run_next(); });
  if (const auto status = workbook::parse_words(app, argc, argv, program)) return *status;
  return command_status;
}

}  // namespace

int run_exercise_command(int argc, const char* const* argv) {
  return workbook::run_command(program, [&] { return run(argc, argv); });
}

}  // namespace exercises
