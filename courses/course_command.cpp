#include "courses/course_command.h"

#include <fmt/format.h>
#include <stdlib.h>
#include <unistd.h>

#include <CLI/CLI.hpp>
#include <filesystem>
#include <string>

#include "courses/check_course.h"
#include "courses/file_findings.h"
#include "courses/new_course.h"
#include "runtime/core/error.h"
#include "runtime/core/printable.h"
#include "workbook/command/command_frame.h"
#include "workbook/command/exit_status.h"
#include "workbook/command/standard_output.h"
#include "workbook/command_name.h"
#include "workbook/course_file.h"
#include "workbook/terminal/progress_bar.h"
#include "workshop/interrupt.h"

namespace courses {
namespace {

namespace fs = std::filesystem;

constexpr const char* program = "gridstride-course";
using workbook::exit_failed, workbook::exit_fine, workbook::exit_wrong_usage;

int run_new(const std::string& folder) {
  write_new_course(folder);
  workbook::print_whole(fmt::format(
      "{0} has a lesson with an exercise, and an assessment. Begin with:\n\n"
      "  {1} --course {2} run 01\n"
      "  {1} --course {2} watch 01\n"
      "  {1} course check {2}\n",
      gs::detail::printable(folder), workbook::command_name(), gs::detail::printable(workbook::for_shell(folder))));
  return exit_fine;
}

std::vector<finding> tried() {
  const workshop::tidy_interrupts tidy;
  workbook::progress_bar bar("check", workbook::detect_terminal(STDERR_FILENO));
  return behaviour_findings([&](double fraction, std::string_view activity) { bar.set(fraction, activity); });
}

int run_check(const std::string& folder, bool only_files) {
  if (!folder.empty()) {
    if (!fs::is_directory(folder))
      throw gs::error("course check " + gs::detail::printable(folder), "there is no such folder", "check its name");
    setenv("GRIDSTRIDE_COURSE", fs::canonical(folder).c_str(), 1);
    if (fs::equivalent(folder, workbook::checkout_root())) unsetenv("GRIDSTRIDE_COURSE");
  }
  const std::string name = workbook::read_course_file(workbook::course_root()).name;
  std::vector<finding> found = file_findings(workbook::course_root());
  if (found.empty() && !only_files) found = tried();
  if (!found.empty()) {
    workbook::print_whole(to_string(found));
    return exit_failed;
  }
  if (!only_files) workbook::print_whole(fmt::format("{}: nothing is missing, nothing is wrong.\n", name));
  return exit_fine;
}

int run(int argc, const char* const* argv) {
  CLI::App app("A course of your own: lessons, exercises and assessments in a folder", program);
  app.require_subcommand(1);
  std::string folder;
  bool only_files = false;
  CLI::App* const create = app.add_subcommand("new", "write a course to begin with");
  create->add_option("DIR", folder, "its folder, which isn't there yet or is empty")->required();
  CLI::App* const check = app.add_subcommand("check", "say what is missing or wrong, one line each");
  check->add_option("DIR", folder, "the course's folder [the one of --course, else ours]");
  check->add_flag("--files", only_files, "look at the files, and build and try nothing");
  if (const auto status = workbook::parse_words(app, argc, argv, program)) return *status;
  return create->parsed() ? run_new(folder) : run_check(folder, only_files);
}

}  // namespace

int run_course_command(int argc, const char* const* argv) {
  return workbook::run_command(program, [&] { return run(argc, argv); });
}

}  // namespace courses
