#pragma once
// shown_course: the lessons that the viewer shows, and the commands for one of them: those of the course, or a program
// of the reader's own in their place.

#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

#include "viewer/page.h"
#include "workbook/catalogue.h"

namespace viewer {

/// The course's lessons by part; or one part with the reader's own program.
std::vector<workbook::course_part> shown_course(const context& c);

/// The lesson that `subject` begins with: "26 size=1000". With the reader's own program, every subject means it. Throws
/// gs::error as workbook::find_lesson() does.
const workbook::catalogue_entry& lesson_of(std::string_view subject, const std::vector<workbook::course_part>& course,
                                           const context& c);

std::vector<std::filesystem::path> sources_of(const workbook::catalogue_entry& lesson, const context& c);

/// Whether `file`, as a compiler or an instrument writes it, is that source. File names are compared, because the path
/// may be relative to any folder.
bool is_source(const std::filesystem::path& file, const std::filesystem::path& source);

/// The command that builds a lesson's program and its module.
std::vector<std::string> build_command(const workbook::catalogue_entry& lesson, const context& c);
/// As how many processes it runs; 0 where nobody has asked for ranks.
unsigned ranks_of(const workbook::catalogue_entry& lesson, const context& c);
/// The command that inspects it, or that runs it once it is built; the report goes to descriptor 3.
std::vector<std::string> inspect_command(const workbook::catalogue_entry& lesson, const context& c);
std::vector<std::string> run_command(const workbook::catalogue_entry& lesson, const context& c);
/// The values in a subject as options: "26 size=1000 steps=20" -> --size 1000 --steps 20.
std::vector<std::string> options_in(std::string_view subject);
/// What to type in a shell to run it with these options.
std::string typed_command(const workbook::catalogue_entry& lesson, const std::vector<std::string>& options,
                          const context& c);

}  // namespace viewer
