#include <fmt/format.h>

#include "assessments/grader/class/class_report.h"
#include "assessments/grader/verdict/verdict_json.h"
#include "runtime/core/error.h"
#include "workbook/json/read_json.h"

namespace grader {

std::vector<graded_submission> read_class(std::string_view document, std::string_view task_id) {
  const std::string asked = "reading the grades of a class", advice = "grade the folder again, with --json";
  const workbook::read_json_value from = workbook::read_json(document, asked, advice);
  try {
    if (from.at("schema").get<std::string>() != "gridstride-class" || from.at("version").get<int>() != 1)
      throw gs::error(asked, "it is another kind of document, or of another version", advice);
    if (const auto id = from.at("task").at("id").get<std::string>(); id != task_id)
      throw gs::error(asked, fmt::format("it is that of {}, not of {}", id, task_id), advice);
    std::vector<graded_submission> submissions;
    for (const auto& entry : from.at("submissions")) {
      std::string name = entry.at("name").get<std::string>();
      const std::string verdict = entry.at("verdict").dump();
      submissions.push_back({name, read_verdict(verdict, "the verdict of " + name)});
    }
    return submissions;
  } catch (const nlohmann::json::exception& e) {
    throw gs::error(asked, e.what(), advice);
  }
}

}  // namespace grader
