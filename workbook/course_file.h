#pragma once
// course.json: what a course says of itself.
//
//   {"name": "Waves", "gridstride": "1.0", "parts": [{"number": 1, "title": "Strings", "first": 1, "last": 9}]}
//
//   name         of the course
//   gridstride   the oldest version that it works with; the launcher refuses an older one
//   parts        may be left out: each has the lessons from number `first` to number `last`, and the assessments whose
//                task.json names its number; 0 is a part without a number

#include <filesystem>
#include <string>
#include <vector>

namespace workbook {

struct part_of_course {
  int number = 0;
  std::string title = {};
  int first = 0, last = 0;
};

struct course_file {
  std::string name = {};
  std::string gridstride = {};  ///< "1.0"
  std::vector<part_of_course> parts = {};
};

/// Reads `course`/course.json. Throws gs::error that names the file: it isn't there or isn't JSON, a member is missing
/// or isn't what it should be.
course_file read_course_file(const std::filesystem::path& course);

/// The parts in `course`/course.json; none without such a file. Throws as read_course_file does.
std::vector<part_of_course> parts_of(const std::filesystem::path& course);

}  // namespace workbook
