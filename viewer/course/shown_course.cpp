#include "viewer/course/shown_course.h"

#include <fmt/format.h>

#include "workbook/command_name.h"
#include "workbook/lesson.h"

namespace viewer {
std::vector<workbook::course_part> shown_course(const context& c) {
  if (!c.own) return workbook::read_catalogue(c.root / "lessons", c.build / "lessons");
  return {{.title = "Your program",
           .lessons = {{.number = workbook::no_number, .name = c.own->name, .title = c.own->name, .built = true}}}};
}

const workbook::catalogue_entry& lesson_of(std::string_view subject, const std::vector<workbook::course_part>& course,
                                           const context& c) {
  if (c.own) return course.front().lessons.front();
  return workbook::find_lesson(course, subject.substr(0, subject.find(' ')));
}

std::vector<std::filesystem::path> sources_of(const workbook::catalogue_entry& lesson, const context& c) {
  if (c.own) return c.own->sources;
  return {c.root / "lessons" / lesson.program() / "lesson.cpp"};
}

bool is_source(const std::filesystem::path& file, const std::filesystem::path& source) {
  return file.filename() == source.filename();
}

std::vector<std::string> build_command(const workbook::catalogue_entry& lesson, const context& c) {
  if (c.own) {
    std::vector<std::string> command{c.own->builder.string(), "view", "--into", c.build.string()};
    command.insert(command.end(), c.own->words.begin(), c.own->words.end());
    return command;
  }
  const std::string program = lesson.program();
  return {"cmake", "--build", c.build.string(), "--target", program, program + "_module"};
}

unsigned ranks_of(const workbook::catalogue_entry& lesson, const context& c) {
  return c.on_ranks && c.on_ranks->program == lesson.program() ? c.on_ranks->ranks : 0;
}

namespace {

std::vector<std::string> launcher_command(const char* verb, const workbook::catalogue_entry& lesson, const context& c) {
  std::vector<std::string> command{(c.checkout / "gridstride").string(), verb};
  if (!c.own) {
    command.insert(command.end(), {lesson.program(), "--stream", "3"});
    if (const unsigned ranks = ranks_of(lesson, c); ranks > 0)
      command.insert(command.end(), {"--ranks", std::to_string(ranks)});
    return command;
  }
  command.insert(command.end(), {"--stream", "3"});  // what follows the files is the program's own
  command.insert(command.end(), c.own->words.begin(), c.own->words.end());
  return command;
}

}  // namespace

std::vector<std::string> inspect_command(const workbook::catalogue_entry& lesson, const context& c) {
  return launcher_command("inspect", lesson, c);
}

std::vector<std::string> run_command(const workbook::catalogue_entry& lesson, const context& c) {
  return launcher_command("run", lesson, c);
}

std::vector<std::string> options_in(std::string_view subject) {
  std::vector<std::string> options;
  for (std::size_t at = subject.find(' '); at != subject.npos; at = subject.find(' ')) {
    subject.remove_prefix(at + 1);
    const std::string_view pair = subject.substr(0, subject.find(' '));
    const std::size_t equals = pair.find('=');
    if (equals == pair.npos) continue;
    options.push_back("--" + std::string(pair.substr(0, equals)));
    options.emplace_back(pair.substr(equals + 1));
  }
  return options;
}

std::string typed_command(const workbook::catalogue_entry& lesson, const std::vector<std::string>& options,
                          const context& c) {
  std::string command = c.own ? workbook::command_name() + " run"
                              : fmt::format("{} run {:02}", workbook::course_command_name(), lesson.number);
  if (c.own)
    for (const std::string& word : c.own->words) command += " " + workbook::for_shell(workbook::path_from_here(word));
  for (const std::string& option : options) command += " " + workbook::for_shell(option);
  if (const unsigned ranks = ranks_of(lesson, c); ranks > 0) command += fmt::format(" --ranks {}", ranks);
  return command;
}

}  // namespace viewer
