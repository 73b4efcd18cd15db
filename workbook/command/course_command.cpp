#include "workbook/command/course_command.h"

#include <fmt/format.h>
#include <unistd.h>

#include <CLI/CLI.hpp>
#include <cerrno>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <nlohmann/json.hpp>

#include "runtime/core/error.h"
#include "workbook/catalogue.h"
#include "workbook/command/command_frame.h"
#include "workbook/command/lesson_command.h"
#include "workbook/command/standard_output.h"
#include "workbook/command_name.h"
#include "workbook/exercise/learner_folder.h"
#include "workbook/exercise/next_exercise.h"
#include "workbook/exercise/next_text.h"
#include "workbook/exercise/progress.h"
#include "workbook/exercise/state_mark.h"
#include "workbook/terminal/terminal.h"
#include "workbook/terminal/text_frame.h"
#include "workbook/terminal/text_layout.h"

namespace workbook {
namespace {

constexpr const char* program = "gridstride-workbook";

// This program lies in build/<preset>/workbook, the lessons' programs in build/<preset>/lessons, of their course.
std::filesystem::path program_folder() {
  return course_build(std::filesystem::read_symlink("/proc/self/exe").parent_path().parent_path()) / "lessons";
}

std::vector<course_part> the_course() { return read_catalogue(course_root() / "lessons", program_folder()); }

std::string as_json(const std::vector<course_part>& course, const progress& p) {
  nlohmann::ordered_json document = {
      {"schema", "gridstride-course"}, {"version", 1}, {"parts", nlohmann::ordered_json::array()}};
  for (const course_part& part : course) {
    nlohmann::ordered_json part_json = {{"number", part.number}, {"title", part.title}};
    part_json["lessons"] = nlohmann::ordered_json::array();
    for (const catalogue_entry& entry : part.lessons) {
      part_json["lessons"].push_back({{"number", entry.number},
                                      {"name", entry.name},
                                      {"title", entry.title},
                                      {"state", entry.built ? "built" : "written"}});
      for (const catalogue_exercise& e : entry.exercises)
        part_json["lessons"].back()[e.warm_up ? "warm_up" : "exercise"] = to_string(p.of(e.id()).state);
    }
    document["parts"].push_back(part_json);
  }
  return document.dump(2, ' ', false, nlohmann::ordered_json::error_handler_t::replace) + "\n";
}

std::string as_text(const std::vector<course_part>& course, const progress& p, const terminal& t) {
  std::size_t names = 0, lessons = 0;
  for (const course_part& part : course)
    for (const catalogue_entry& entry : part.lessons) {
      names = std::max(names, display_width(entry.name));
      ++lessons;
    }
  std::string out;
  for (const course_part& part : course) {
    const std::string title = part.number > 0 ? fmt::format("Part {}: {}", part.number, part.title) : part.title;
    out += (out.empty() ? "" : "\n") + in_bold(title, t) + "\n";
    for (const catalogue_entry& entry : part.lessons) {
      const std::string line = fmt::format("{:02}  {}  {}", entry.number, pad_right(entry.name, names), entry.title);
      out += mark_of(state_of_lesson(entry, p), t) + " " + (t.interactive ? cut(line, t.width - 2) : line) + "\n";
    }
  }
  out += fmt::format("\n{}. Run one by its number: {} run 01\n",
                     lessons == 1 ? "1 lesson" : fmt::format("{} lessons", lessons), course_command_name());
  return t.unicode ? out : to_ascii(out);
}

[[noreturn]] void become_lesson(const catalogue_entry& lesson, const std::vector<std::string>& options) {
  const std::string file = (program_folder() / lesson.program()).string();
  if (!lesson.built)
    throw gs::machine_error(fmt::format("running {}", lesson.program()), fmt::format("{} is not built", file),
                            fmt::format("build and run it with {} run {:02}", course_command_name(), lesson.number));
  std::vector<char*> arguments{const_cast<char*>(file.c_str())};
  for (const std::string& o : options) arguments.push_back(const_cast<char*>(o.c_str()));
  arguments.push_back(nullptr);
  execv(file.c_str(), arguments.data());
  throw gs::machine_error(fmt::format("running {}", file), std::strerror(errno), "build it again");
}

int run(int argc, const char* const* argv) {
  CLI::App app("The course: its lessons, and running one", program);
  CLI::App* list = app.add_subcommand("list", "the lessons by part, and which are there");
  bool json = false;
  list->add_flag("--json", json, "print one JSON document");
  CLI::App* next = app.add_subcommand("next", "where you are, and what to do next");
  CLI::App* lesson = app.add_subcommand("run", "run a lesson: run 06 [OPTIONS]; run 06 --help shows its options");
  lesson->prefix_command();
  lesson->set_help_flag();  // --help after the number is the lesson's
  if (const auto status = parse_words(app, argc, argv, program)) return *status;
  if (app.get_subcommands().empty()) {
    fmt::print(stderr, "{}", app.help());
    return exit_wrong_usage;
  }
  const std::vector<course_part> course = the_course();
  if (list->parsed()) {
    const progress p = read_progress(progress_file());
    print_whole(json ? as_json(course, p) : as_text(course, p, detect_terminal(STDOUT_FILENO)));
    return exit_fine;
  }
  if (next->parsed()) {
    print_whole(next_text(course, read_progress(progress_file()), detect_terminal(STDOUT_FILENO)));
    return exit_fine;
  }
  std::vector<std::string> words = lesson->remaining();
  if (words.empty()) throw gs::error("run", "no lesson is given", "give a number: run 01");
  if (words[0] == "--help" || words[0] == "-h") {
    fmt::print("{}", app.help());
    return exit_fine;
  }
  const catalogue_entry& chosen = find_lesson(course, words[0]);
  words.erase(words.begin());
  become_lesson(chosen, words);
}

}  // namespace

int run_course_command(int argc, const char* const* argv) {
  return run_command(program, [&] { return run(argc, argv); });
}

}  // namespace workbook
