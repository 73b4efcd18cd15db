#pragma once
// The catalogue: the course's parts and lessons, and which of them are there.

#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

namespace workbook {

enum class lesson_state {
  planned,  ///< has a number and a name, but no folder yet
  written,  ///< its folder is there
  built     ///< its program is there too
};
std::string_view to_string(lesson_state s);

struct catalogue_entry {
  int number = 0;
  std::string name = {};   ///< "gaussian_pdf"
  std::string title = {};  ///< one line
  lesson_state state = lesson_state::planned;
  bool plans_exercise = false;  ///< the plan says that something is to be written or repaired
  bool has_exercise = false;    ///< its checks are there

  std::string program() const;  ///< "06_gaussian_pdf"
};

struct course_part {
  int number = 0;  ///< 0: lessons that belong to no part
  std::string title = {};
  std::vector<catalogue_entry> lessons = {};
};

/// The checkout: GRIDSTRIDE_ROOT, as the launcher says, else the folder that this library was built from.
std::filesystem::path course_root();

/// The course as planned, with the state of each lesson: `lessons` is the folder of the lessons' folders, `programs`
/// that of the built programs. Folders named NN_name that the plan doesn't know make a part of their own at the end.
std::vector<course_part> read_catalogue(const std::filesystem::path& lessons, const std::filesystem::path& programs);

/// The lesson meant by "6", "06", "gaussian_pdf" or "06_gaussian_pdf". Throws gs::error, with the lessons there are,
/// if none or more than one is meant, or if the one meant is only planned.
const catalogue_entry& find_lesson(const std::vector<course_part>& course, std::string_view text);

}  // namespace workbook
