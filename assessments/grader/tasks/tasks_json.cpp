#include "assessments/grader/tasks/tasks_json.h"

#include <nlohmann/json.hpp>

namespace grader {

std::string tasks_json(const std::vector<task>& tasks) {
  using nlohmann::ordered_json;
  ordered_json document = {{"schema", "gridstride-tasks"}, {"version", 1}, {"tasks", ordered_json::array()}};
  for (const task& t : tasks) {
    const std::string folder = "assessments/" + t.folder.filename().string();
    ordered_json criteria = ordered_json::array();
    double points = 0;
    for (const criterion& c : t.criteria) {
      criteria.push_back({{"id", c.id}, {"title", c.title}, {"points", c.points}, {"required", c.required}});
      points += c.points;
    }
    document["tasks"].push_back({{"id", t.id},
                                 {"name", t.name},
                                 {"title", t.title},
                                 {"version", t.version},
                                 {"function", t.function},
                                 {"signature", t.signature},
                                 {"text", folder + "/README.md"},
                                 {"starter", folder + "/starter.cpp"},
                                 {"points", points},
                                 {"pass_points", t.pass_points},
                                 {"criteria", criteria}});
  }
  return document.dump(2, ' ', false, ordered_json::error_handler_t::replace) + "\n";
}

}  // namespace grader
