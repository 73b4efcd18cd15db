#include "workbook/course_file.h"

#include <nlohmann/json.hpp>
#include <regex>

#include "runtime/core/error.h"
#include "runtime/core/printable.h"
#include "runtime/core/text_file.h"

namespace workbook {
namespace {

std::string text_of(const nlohmann::json& from, const char* member) {
  return gs::detail::printable(from.at(member).get<std::string>());
}

}  // namespace

course_file read_course_file(const std::filesystem::path& course) {
  const std::filesystem::path file = course / "course.json";
  const std::string asked = "reading " + file.string();
  const std::string advice = R"(write {"name": "Waves", "gridstride": "1.0"})";
  const auto number_of = [&](const nlohmann::json& from, const char* member) {
    if (!from.at(member).is_number_unsigned() || from.at(member) > 99)
      throw gs::error(asked, std::string("a part's \"") + member + "\" is no number from 0 to 99", advice);
    return from.at(member).get<int>();
  };
  course_file read;
  try {
    const nlohmann::json from = nlohmann::json::parse(gs::detail::read_text_file(file, asked));
    read.name = text_of(from, "name");
    read.gridstride = text_of(from, "gridstride");
    if (from.contains("parts"))
      for (const nlohmann::json& part : from.at("parts"))
        read.parts.push_back({.number = number_of(part, "number"),
                              .title = text_of(part, "title"),
                              .first = number_of(part, "first"),
                              .last = number_of(part, "last")});
  } catch (const nlohmann::json::exception& problem) {
    throw gs::error(asked, gs::detail::printable(problem.what()), advice);
  }
  if (read.name.empty()) throw gs::error(asked, "the name is empty", advice);
  if (!std::regex_match(read.gridstride, std::regex(R"(\d+(\.\d+){0,2})")))
    throw gs::error(asked, "\"gridstride\" is \"" + read.gridstride + "\", which is no version", advice);
  return read;
}

std::vector<part_of_course> parts_of(const std::filesystem::path& course) {
  if (!std::filesystem::exists(course / "course.json")) return {};
  return read_course_file(course).parts;
}

}  // namespace workbook
