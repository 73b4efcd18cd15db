#pragma once
// The catalogue: the course's parts and lessons, as its folders and course.json say.

#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

#include "workbook/exercise_id.h"

namespace workbook {

/// As a lesson's folder and program are called: "06_gaussian_pdf"; the name alone of a program without a number
/// (negative).
std::string program_name(int number, const std::string& name);

/// Whether `text` is such a lesson's number, its name or both: "6", "06", "gaussian_pdf", "06_gaussian_pdf".
bool means_lesson(std::string_view text, int number, const std::string& name);

/// An exercise of a lesson. Its files, exercise.cpp, solution.cpp, checks.cpp and hints.md, lie in the lesson's folder,
/// those of a warm-up in warm_up/ below it.
struct catalogue_exercise {
  int number = 0;          ///< the lesson's
  std::string name = {};   ///< the lesson's: "ufunc"
  std::string title = {};  ///< the lesson's
  bool warm_up = false;    ///< the short exercise before the lesson's own

  exercise_id id() const { return {number, warm_up}; }
  std::string label() const;   ///< "04_ufunc", "04w_ufunc": how a learner calls it, and their file's name without .cpp
  std::string folder() const;  ///< "04_ufunc", "04_ufunc/warm_up": below lessons/, and below tests/exercises/
};

struct catalogue_entry {
  int number = 0;
  std::string name = {};                           ///< "gaussian_pdf"
  std::string title = {};                          ///< one line, as its program says; the name if it says none
  bool built = false;                              ///< its program is there
  std::vector<catalogue_exercise> exercises = {};  ///< in their order: the warm-up, then the lesson's own

  std::string program() const { return program_name(number, name); }
};

struct course_part {
  int number = 0;  ///< 0: lessons that belong to no part
  std::string title = {};
  std::vector<catalogue_entry> lessons = {};
};

/// The checkout: GRIDSTRIDE_ROOT, as the launcher says, else the folder that this library was built from.
std::filesystem::path checkout_root();

/// The course's folder, with its lessons/ and assessments/: GRIDSTRIDE_COURSE where that is set, else the checkout,
/// whose own course is one such folder.
std::filesystem::path course_root();

/// Where the course's lessons and tasks are built, beside programs that were built in the folder `build`: there, or for
/// a course in a folder of its own, in the one of the same name in its build/.
std::filesystem::path course_build(const std::filesystem::path& build);

/// The lessons by part, in the order of their numbers: each folder NN_name in `lessons` with a lesson.cpp is one. It
/// has an exercise if there is a checks.cpp, and a warm-up if there is a warm_up/checks.cpp. `programs` is the folder
/// of the built programs. The parts are those that course.json beside `lessons` names, if it is there. Lessons whose
/// numbers belong to no part make a part of their own at the end; a part without lessons is left out. Throws gs::error
/// as read_course_file() does.
std::vector<course_part> read_catalogue(const std::filesystem::path& lessons, const std::filesystem::path& programs);

/// The lesson that means_lesson() finds. Throws gs::error, with the lessons there are, if it finds none or more than
/// one.
const catalogue_entry& find_lesson(const std::vector<course_part>& course, std::string_view text);

}  // namespace workbook
