// task.json: what is read, and the message for each mistake.

#include "assessments/grader/tasks/task.h"

#include <gtest/gtest.h>

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <functional>
#include <nlohmann/json.hpp>

#include "runtime/core/error.h"
#include "tests/temporary_folder.h"

namespace task_test {

namespace fs = std::filesystem;
using json = nlohmann::json;

const json right_one = json::parse(R"({
  "id": "A9", "name": "sums", "title": "Sums", "function": "sum", "signature": "float sum();", "version": 2,
  "public_cases": [{"sizes": {"values": 0, "bins": 4}, "data": "normal"}],
  "hidden_cases": [{"sizes": {"values": 1000}, "data": "edges", "bytes_needed": 5000000000}],
  "criteria": [
    {"id": "right", "title": "Right", "kind": "correctness", "points": 40, "required": true},
    {"id": "copies", "title": "Copies", "kind": "copies", "points": 20, "copies_to_device": 2, "copies_to_host": 1,
     "cases": [{"sizes": {"values": 1000000}, "data": "normal"}]},
    {"id": "findings", "title": "Findings", "kind": "instruments", "points": 10, "instruments": ["memcheck"],
     "cases": [{"sizes": {"values": 10}, "data": "normal"}]},
    {"id": "counter", "title": "Counter", "kind": "counter", "points": 10, "counter": "bank_conflicts", "at_most": 0.5,
     "cases": [{"sizes": {"values": 10}, "data": "normal"}]},
    {"id": "speed", "title": "Speed", "kind": "speed", "points": 20, "at_least": 1, "full": 2.5,
     "cases": [{"sizes": {"values": 10}, "data": "normal"}]}],
  "pass_points": 60,
  "limits": {"call_seconds": 2.5, "memory_bytes": 1000000}})");

class task_file : public testing::Test {
 protected:
  grader::task read_task(const std::string& text) {
    std::ofstream(folder / "task.json") << text;
    return grader::read_task(folder);
  }
  // The message about the right task after a change.
  std::string refusal(const std::function<void(json&)>& change) {
    json changed = right_one;
    change(changed);
    try {
      read_task(changed.dump());
    } catch (const gs::error& e) {
      EXPECT_NE(e.asked().find((folder / "task.json").string()), std::string::npos) << e.what();
      EXPECT_FALSE(e.advice().empty());
      return e.found() + "; " + e.advice();
    }
    return "accepted";
  }

  const gridstride_test::temporary_folder own_;
  fs::path folder = own_.path();
};

TEST_F(task_file, is_read) {
  const grader::task t = read_task(right_one.dump());
  EXPECT_EQ(t.id, "A9");
  EXPECT_EQ(t.version, 2u);
  EXPECT_FALSE(t.part);
  EXPECT_EQ(t.folder, folder);
  EXPECT_EQ(t.public_cases.at(0).sizes.at("bins"), 4u);
  EXPECT_EQ(t.hidden_cases.at(0).bytes_needed, 5'000'000'000u);
  EXPECT_EQ(to_string(t.hidden_cases.at(0)), "values 1,000, edges");
  ASSERT_EQ(t.criteria.size(), 5u);
  EXPECT_TRUE(t.criteria[0].required);
  EXPECT_FALSE(t.criteria[1].required);
  EXPECT_EQ(t.criteria[1].copies_to_device, 2u);
  EXPECT_EQ(t.criteria[2].instruments, std::vector<std::string>{"memcheck"});
  EXPECT_EQ(t.criteria[3].at_most, 0.5);
  EXPECT_EQ(t.criteria[4].full, 2.5);
  EXPECT_EQ(t.limits.call_seconds, 2.5);
  EXPECT_EQ(t.limits.memory_bytes, 1'000'000u);
  EXPECT_EQ(t.limits.compile_seconds, 60);
}

TEST_F(task_file, names_its_part_of_the_course) {
  json with_part = right_one;
  with_part["part"] = 4;
  const grader::task t = read_task(with_part.dump());
  EXPECT_EQ(t.part, 4u);
  const std::vector<workbook::part_of_course> parts = {{.number = 3, .title = "Memory"},
                                                       {.number = 4, .title = "Patterns"}};
  EXPECT_EQ(grader::part_of(t, parts).value().title, "Patterns");
  EXPECT_FALSE(grader::part_of(read_task(right_one.dump()), parts));
  const auto refusal_among = [&](const std::vector<workbook::part_of_course>& course) {
    try {
      grader::part_of(t, course);
    } catch (const gs::error& e) {
      return std::string(e.what());
    }
    return std::string("accepted");
  };
  const std::string begin =
      "reading " + (folder / "task.json").string() + ": part is 4, and course.json has no such part; ";
  EXPECT_EQ(refusal_among({parts[0]}), begin + "give 3");
  EXPECT_EQ(refusal_among({}), begin + "add the course's parts there, or leave part out");
}

TEST_F(task_file, says_what_is_missing) {
  for (const char* member : {"id", "name", "title", "function", "signature", "version", "public_cases", "hidden_cases",
                             "criteria", "pass_points"})
    EXPECT_EQ(refusal([&](json& t) { t.erase(member); }), std::string(member) + " is missing; add it");
  EXPECT_EQ(refusal([](json& t) { t["criteria"][4].erase("full"); }), "criteria[4].full is missing; add it");
  EXPECT_EQ(refusal([](json& t) { t["hidden_cases"][0].erase("data"); }), "hidden_cases[0].data is missing; add it");
}

TEST_F(task_file, says_what_is_not_known) {
  EXPECT_EQ(refusal([](json& t) { t["points"] = 3; }),
            "points isn't a known member; check its spelling, or leave it out");
  EXPECT_EQ(refusal([](json& t) { t["limits"]["secnods"] = 3; }),
            "limits.secnods isn't a known member; check its spelling, or leave it out");
  EXPECT_EQ(refusal([](json& t) { t["criteria"][0]["at_most"] = 3; }),
            "criteria[0].at_most isn't a known member; check its spelling, or leave it out");
  EXPECT_EQ(refusal([](json& t) { t["public_cases"][0]["size"] = 3; }),
            "public_cases[0].size isn't a known member; check its spelling, or leave it out");
}

TEST_F(task_file, says_what_is_of_another_type) {
  EXPECT_EQ(refusal([](json& t) { t["id"] = 3; }), "id is 3; give a text");
  EXPECT_EQ(refusal([](json& t) { t["title"] = ""; }), "title is an empty text; fill it in");
  EXPECT_EQ(refusal([](json& t) { t["version"] = -1; }), "version is -1; give an integer from 0 on");
  EXPECT_EQ(refusal([](json& t) { t["part"] = "4"; }), "part is \"4\"; give an integer from 0 on");
  EXPECT_EQ(refusal([](json& t) { t["pass_points"] = "60"; }), "pass_points is \"60\"; give a number from 0 on");
  EXPECT_EQ(refusal([](json& t) { t["criteria"] = 7; }), "criteria is 7; give a list: [...]");
  EXPECT_EQ(refusal([](json& t) { t["criteria"][0] = 7; }), "criteria[0] is 7; give an object: {...}");
  EXPECT_EQ(refusal([](json& t) { t["criteria"][0]["required"] = 1; }),
            "criteria[0].required is 1; give true or false");
  EXPECT_EQ(refusal([](json& t) { t["criteria"][0]["points"] = -4; }),
            "criteria[0].points is -4; give a number from 0 on");
  EXPECT_EQ(refusal([](json& t) { t["public_cases"][0]["sizes"]["bins"] = 1.5; }),
            "public_cases[0].sizes.bins is 1.5; give an integer from 0 on");
  EXPECT_EQ(refusal([](json& t) { t["criteria"][2]["instruments"][0] = 5; }),
            "criteria[2].instruments[0] is 5; give a text");
}

TEST_F(task_file, says_which_value_makes_no_sense) {
  EXPECT_EQ(refusal([](json& t) { t["criteria"][0]["kind"] = "beauty"; }),
            "criteria[0].kind is \"beauty\"; give correctness, device, copies, instruments, counter or speed");
  EXPECT_EQ(refusal([](json& t) { t["criteria"][2]["instruments"] = {"racechek"}; }),
            "criteria[2].instruments names \"racechek\"; give memcheck, initcheck, racecheck, synccheck, leakcheck or "
            "limits");
  EXPECT_EQ(refusal([](json& t) { t["criteria"][2]["instruments"] = json::array(); }),
            "criteria[2].instruments is an empty list; name at least one, such as memcheck");
  EXPECT_EQ(refusal([](json& t) { t["criteria"][3]["counter"] = "beauty"; }),
            "criteria[3].counter is \"beauty\"; give global_atomics_per_value or global_bytes_per_value or "
            "global_bytes_per_block or global_reads_per_interaction or excess_sectors or bank_conflicts or "
            "library_calls");
  EXPECT_EQ(refusal([](json& t) { t["criteria"][4]["full"] = 0.5; }),
            "criteria[4].full is less than at_least; give at least as much");
  EXPECT_EQ(refusal([](json& t) { t["criteria"][1]["id"] = "right"; }),
            "criteria[1].id is \"right\" once more; give each its own");
  EXPECT_EQ(refusal([](json& t) { t["criteria"][1]["cases"] = json::array(); }),
            "criteria[1].cases is an empty list; give at least one case");
  EXPECT_EQ(refusal([](json& t) { t["criteria"].erase(0); }), "criteria has none of the kind correctness; add one");
  EXPECT_EQ(refusal([](json& t) { t["pass_points"] = 101; }),
            "pass_points is 101, and all criteria together give 100; ask for no more than there is");
}

TEST_F(task_file, says_what_is_no_json) {
  EXPECT_THROW(read_task("{\"id\": "), gs::error);
  EXPECT_THROW(read_task("[1, 2]"), gs::error);
  EXPECT_THROW(grader::read_task(folder / "nowhere"), gs::error);
}

TEST(tasks_of_the_course, can_be_read) {
  const std::vector<grader::task> tasks = grader::all_tasks();
  ASSERT_FALSE(tasks.empty());
  for (std::size_t k = 0; k < tasks.size(); ++k) {
    EXPECT_EQ(tasks[k].folder.filename(), tasks[k].id + "_" + tasks[k].name);
    if (k > 0) {
      EXPECT_LT(tasks[k - 1].id, tasks[k].id);
    }
    double points = 0;
    for (const grader::criterion& c : tasks[k].criteria) points += c.points;
    EXPECT_EQ(points, 100) << tasks[k].id;
  }
}

TEST_F(task_file, says_what_speed_is_on_a_gpu) {
  const json on_gpu = json::parse(R"({"points": 20, "at_least": 0.4, "full": 0.85,
                                      "cases": [{"sizes": {"values": 5000}, "data": "normal"}]})");
  json with = right_one;
  with["criteria"][4]["points"] = 0;
  with["criteria"][1]["points"] = 40;
  with["criteria"][4]["gpu"] = on_gpu;
  with["criteria"][4]["share_of"] = "a copy";
  const grader::task engine = read_task(with.dump());
  const grader::criterion& c = engine.criteria[4];
  EXPECT_EQ(c.share_of, "a copy");
  ASSERT_TRUE(c.gpu);
  EXPECT_EQ(c.cases[0].sizes.at("values"), 10u);
  for (const bool graded : {false, true}) {
    const grader::task t = grader::on_gpu(engine, graded);
    EXPECT_EQ(t.criteria[4].points, graded ? 20 : 0);
    EXPECT_EQ(t.criteria[4].at_least, 0.4);
    EXPECT_EQ(t.criteria[4].full, 0.85);
    EXPECT_EQ(t.criteria[4].cases[0].sizes.at("values"), 5000u);
    EXPECT_DOUBLE_EQ(t.pass_points, graded ? 72 : 60) << "the same share of all points";
    EXPECT_EQ(t.criteria[1].points, 40) << "others stay as they are";
  }
  const auto refusal_with = [&](const std::function<void(json&)>& change) {
    return refusal([&](json& j) {
      j["criteria"][4]["gpu"] = on_gpu;
      change(j["criteria"][4]["gpu"]);
    });
  };
  EXPECT_EQ(refusal_with([](json&) {}), "accepted");
  EXPECT_EQ(refusal_with([](json& g) { g["full"] = 0.3; }),
            "criteria[4].gpu.full is less than at_least; give at least as much");
  EXPECT_EQ(refusal_with([](json& g) { g["cases"] = json::array(); }),
            "criteria[4].gpu.cases is an empty list; give at least one case");
  EXPECT_NE(refusal_with([](json& g) { g["more"] = 1; }), "accepted");
  EXPECT_NE(refusal([&](json& j) { j["criteria"][3]["gpu"] = on_gpu; }), "accepted") << "speed alone has one";
}

}  // namespace task_test
