// The pages Instruments and Assessments, with a launcher whose answers the test chooses.

#include <gtest/gtest.h>

#include <fstream>

#include "assessments/grader/class/class_report.h"
#include "assessments/grader/verdict/history.h"
#include "assessments/grader/verdict/record.h"
#include "assessments/grader/verdict/verdict_json.h"
#include "tests/assessments/verdict/sample_verdict.h"
#include "tests/viewer/driven_viewer.h"
#include "tests/viewer/hostile_texts.h"
#include "viewer/pages/assessments_page.h"
#include "viewer/pages/instruments_page.h"

namespace {

namespace fs = std::filesystem;
using gridstride_test::temporary_folder;
using viewer_test::driven_viewer;

class viewer_results : public testing::Test {
 protected:
  void write(const std::string& file, const std::string& text) {
    fs::create_directories((folder_.path() / file).parent_path());
    std::ofstream(folder_.path() / file) << text;
  }
  void launcher(const std::string& script) {
    write("gridstride", "#!/bin/bash\n" + script + "\n");
    fs::permissions(folder_.path() / "gridstride", fs::perms::owner_all);
  }
  template <class Page>
  driven_viewer open() {
    std::vector<std::unique_ptr<viewer::page>> pages;
    pages.push_back(std::make_unique<Page>());
    return {std::move(pages),
            {.root = folder_.path(), .build = folder_.path() / "build", .my = folder_.path() / "my"},
            {1280, 1400}};
  }
  static bool settles(driven_viewer& viewer) {
    const bool settled = viewer.until([&] { return !viewer.application.shown().busy(); });
    viewer.frame(4);
    return settled;
  }
  temporary_folder folder_;
};

using viewer_instruments_page = viewer_results;

// The toy lesson with stand-ins for the instruments: three lines of a kernel, a race, a leak, two pictures.
TEST_F(viewer_instruments_page, show_findings_counters_and_accesses_by_line) {
  write("lessons/90_toy/lesson.cpp", "line one\nline two\nline three\nline four\n");
  launcher(R"(shift 2; TOY_FINDINGS=1 TOY_SOURCE=lesson.cpp exec ')" INSPECTED_TOY R"(' --inspect "$@")");
  auto viewer = open<viewer::instruments_page>();
  EXPECT_TRUE(viewer.sees("Choose a lesson"));
  viewer.application.open("Instruments", "90");
  ASSERT_TRUE(settles(viewer));
  EXPECT_TRUE(viewer.sees("line three")) << "the source stands beside";
  for (const char* text :
       {"Findings (2)", "Nothing decides which of the two comes first.",
        "Write to another array than the one you read.", "write by block (1, 2, 0), thread (0, 7, 0)"})
    EXPECT_TRUE(viewer.sees(text)) << text;
  EXPECT_TRUE(viewer.sees("Lines marked in this colour are no faults"));
  viewer.click("The cost of each line");
  EXPECT_TRUE(viewer.sees("times ideal")) << "leads to the counters";
  viewer.click("Findings (2)");
  EXPECT_LE(viewer.frames_from_click("Counters", [&] { return viewer.sees("times ideal"); }), 2);
  for (const char* text : {"times ideal", "active lanes", "sectors", "diffuse: Bound on", "a launch takes at least"})
    EXPECT_TRUE(viewer.sees(text)) << text;
  EXPECT_LE(viewer.frames_from_click("Accesses", [&] { return viewer.sees("request 1 of"); }), 2);
  EXPECT_TRUE(viewer.sees("request 1 of")) << "the first warp's first request";
  viewer.draw_at_extreme_sizes();
  EXPECT_TRUE(viewer.sees("request 1 of"));
}

TEST_F(viewer_instruments_page, say_when_nothing_is_found_and_what_went_wrong) {
  write("lessons/90_toy/lesson.cpp", "line one\n");
  launcher(R"(shift 2; exec ')" INSPECTED_TOY R"(' --inspect "$@")");
  auto viewer = open<viewer::instruments_page>();
  viewer.application.open("Instruments", "90");
  ASSERT_TRUE(settles(viewer));
  EXPECT_TRUE(viewer.sees("The instruments found nothing."));
  EXPECT_TRUE(viewer.sees("Lines marked in this colour are no faults"));

  launcher("echo 'there is no compiler' >&2; exit 3");
  viewer.application.open("Instruments", "90");
  ASSERT_TRUE(settles(viewer));
  EXPECT_TRUE(viewer.sees("ended with status 3"));
  EXPECT_TRUE(viewer.sees("there is no compiler"));
  EXPECT_FALSE(viewer.sees("The instruments found nothing."));

  viewer.application.open("Instruments", "none");
  viewer.frame(2);
  EXPECT_NE(viewer.application.status().find("'none'"), std::string::npos);
}

TEST_F(viewer_instruments_page, begin_and_cancel_within_two_frames) {
  write("lessons/90_toy/lesson.cpp", "line one\n");
  launcher("while :; do sleep 0.01; done");
  auto viewer = open<viewer::instruments_page>();
  viewer.application.open("Instruments", "90");
  EXPECT_LE(viewer.frames_until([](auto&) {}, [&] { return viewer.sees("Cancel"); }), 2);
  viewer.click("Cancel");
  ASSERT_TRUE(settles(viewer));
  EXPECT_LE(viewer.frames_from_click("Inspect", [&] { return viewer.sees("Cancel"); }), 2);
  viewer.click("Cancel");
  ASSERT_TRUE(settles(viewer));
  EXPECT_TRUE(viewer.sees("Inspect"));
}

TEST_F(viewer_instruments_page, shows_costs_and_accesses_in_a_small_window) {
  write("lessons/90_toy/lesson.cpp", "line one\nline two\nline three\nline four\n");
  launcher(R"(shift 2; TOY_FINDINGS=1 TOY_SOURCE=lesson.cpp exec ')" INSPECTED_TOY R"(' --inspect "$@")");
  auto viewer = open<viewer::instruments_page>();
  viewer.surface->size = {900, 460};
  viewer.application.open("Instruments", "90");
  ASSERT_TRUE(settles(viewer));
  viewer.click("Counters");
  const auto costs = viewer.find("times ideal"), bounds = viewer.find("Bound on");
  ASSERT_TRUE(costs);
  EXPECT_TRUE(!bounds || bounds->y > costs->y) << "what the tab is about comes first";
  viewer.click("Accesses");
  viewer.frame(4);
  const ImGuiWindow* picture = nullptr;
  for (const ImGuiWindow* w : ImGui::GetCurrentContext()->Windows)
    if (w->WasActive && std::string_view(w->Name).find("/picture_") != std::string_view::npos) picture = w;
  ASSERT_TRUE(picture);
  EXPECT_GT(picture->ScrollMax.y, 0) << "it is scrolled rather than shrunk until nobody can read it";
}

using viewer_assessments_page = viewer_results;

TEST_F(viewer_assessments_page, grades_and_cancels_within_two_frames) {
  write("my/neural_layer.cpp", "");
  launcher("while :; do sleep 0.01; done");
  auto viewer = open<viewer::assessments_page>();
  EXPECT_LE(viewer.frames_from_click("Grade", [&] { return viewer.sees("Cancel"); }), 2);
  EXPECT_LE(viewer.frames_from_click("Cancel", [&] { return viewer.sees("Grade"); }), 2);
  ASSERT_TRUE(settles(viewer));
}

TEST_F(viewer_assessments_page, begins_grades_and_shows_the_verdict) {
  write("verdict.json", grader::to_json(sample_verdict()));
  launcher("[ \"$1 $2 $4\" = 'grade A2 --json' ] || exit 2\ncat '" + (folder_.path() / "verdict.json").string() +
           "'; exit 1");
  auto viewer = open<viewer::assessments_page>();
  for (const char* text : {"A1  neural_layer", "A2  histogram", "A3  transpose", "A4  nbody", "A5  stream_compaction",
                           "0 of 5 assessments are passed"})
    EXPECT_TRUE(viewer.sees(text)) << text;
  EXPECT_TRUE(viewer.sees("What to build")) << "the task's text";
  const auto chosen = [&] { return viewer.sees("my/histogram.cpp"); };
  EXPECT_LE(viewer.frames_from_click("A2  histogram", chosen), 2);
  viewer.frame(3);
  EXPECT_FALSE(viewer.sees("Grade")) << "there is no file yet";
  viewer.click("Begin from the starter");
  std::ifstream begun(folder_.path() / "my/histogram.cpp"),
      starter(COURSE_ROOT "/assessments/A2_histogram/starter.cpp");
  EXPECT_EQ(std::string(std::istreambuf_iterator<char>(begun), {}),
            std::string(std::istreambuf_iterator<char>(starter), {}));
  viewer.click("Grade");
  ASSERT_TRUE(settles(viewer));
  for (const char* text :
       {"Not passed: 60 of 100 points", "every count exact", "12 of 20 calls right", "30 of 50", "wrong answer",
        "counts(3) of shape (10)", "expected    17", "got         18", "difference  1", "line 12 and line 14",
        "too noisy to be graded", "it needs 1.5 GB of memory"})
    EXPECT_TRUE(viewer.sees(text)) << text;
  viewer.draw_at_extreme_sizes();
  EXPECT_TRUE(viewer.sees("wrong answer"));
}

TEST_F(viewer_assessments_page, cuts_no_task_s_name) {
  auto viewer = open<viewer::assessments_page>();
  viewer.surface->size = {900, 600};
  viewer.frame(3);
  EXPECT_TRUE(viewer.sees_all_of("A5  stream_compaction"));
}

TEST_F(viewer_assessments_page, shows_a_number_that_is_no_element) {
  grader::verdict v = sample_verdict();
  v.mishaps.resize(1);
  v.mishaps[0].array = "the energy of all bodies";
  v.mishaps[0].index = v.mishaps[0].extents = {};
  write("verdict.json", grader::to_json(v));
  write("my/histogram.cpp", "");
  launcher("cat '" + (folder_.path() / "verdict.json").string() + "'; exit 1");
  auto viewer = open<viewer::assessments_page>();
  viewer.application.open("Assessments", "A2 " + (folder_.path() / "my/histogram.cpp").string());
  ASSERT_TRUE(settles(viewer));
  EXPECT_TRUE(viewer.sees("the energy of all bodies"));
  EXPECT_TRUE(viewer.sees("expected    17"));
  EXPECT_FALSE(viewer.sees("of shape ()"));
}

TEST_F(viewer_assessments_page, shows_what_is_passed_and_offers_the_certificate) {
  for (const char* id : {"A1", "A2", "A3", "A4", "A5"}) {
    grader::verdict v = sample_verdict();
    v.task_id = id;
    v.passed = true;
    v.points = v.possible = 100;
    v.mishaps.clear();
    write(std::string("my/grades/") + id + ".json", grader::to_json(v));
  }
  launcher("echo \"for $3\"");
  auto viewer = open<viewer::assessments_page>();
  EXPECT_TRUE(viewer.sees("Passed: 100 of 100 points"));
  EXPECT_TRUE(viewer.sees("✓ A2"));
  viewer.click("your name, as it is to stand there");
  viewer.type("Ada");
  viewer.click("Make the certificate");
  ASSERT_TRUE(settles(viewer));
  EXPECT_TRUE(viewer.sees("for Ada"));
}

TEST_F(viewer_assessments_page, sees_what_is_passed_in_a_terminal) {
  auto viewer = open<viewer::assessments_page>();
  EXPECT_TRUE(viewer.sees("0 of 5 assessments are passed"));
  grader::verdict v = sample_verdict();
  v.task_id = "A1";
  v.passed = true;
  v.points = v.possible = 100;
  v.mishaps.clear();
  grader::keep(v, folder_.path() / "my/grades");
  EXPECT_TRUE(viewer.until_sees("1 of 5 assessments are passed"));
  EXPECT_TRUE(viewer.sees("✓ A1"));
  EXPECT_TRUE(viewer.sees("Passed: 100 of 100 points"));
}

TEST_F(viewer_assessments_page, shows_the_grades_so_far) {
  auto viewer = open<viewer::assessments_page>();
  EXPECT_TRUE(viewer.sees("Each grading is noted here"));
  const auto add = [&](double points, const char* day) {
    grader::verdict v = sample_verdict();
    v.task_id = "A1";
    v.task_version = 1;
    for (const grader::task& t : grader::all_tasks())
      if (t.id == "A1") v.task_version = t.version;
    v.points = points, v.possible = 100, v.graded = std::string(day) + "T10:00:00Z";
    grader::add_to_history(v, folder_.path() / "my/grades");
  };
  add(40, "2026-03-01");
  EXPECT_TRUE(viewer.until_sees("1 attempt; the best has 40 of 100 points"));
  EXPECT_FALSE(viewer.sees("Grades so far")) << "one grade is no history";
  add(90, "2026-03-02");
  add(70, "2026-03-03");
  EXPECT_TRUE(viewer.until_sees("3 attempts; the best has 90 of 100 points, the last, of 2026-03-03, has 70 of 100."));
  EXPECT_TRUE(viewer.sees("Grades so far") && viewer.sees("attempt"));
  viewer.click("A2  histogram");
  EXPECT_TRUE(viewer.sees("Each grading is noted here")) << "each task has its own";
}

std::vector<grader::graded_submission> sample_class() {
  std::vector<grader::graded_submission> submissions;
  for (const auto& [name, points] : {std::pair{"ada", 100}, {"blaise", 95}, {"carl", 35}, {"dorothea", 0}}) {
    grader::verdict v = sample_verdict();
    v.points = points, v.possible = 100, v.passed = points > 80;
    if (v.passed) v.mishaps.clear();
    submissions.push_back({name, v});
  }
  return submissions;
}

TEST_F(viewer_assessments_page, grades_a_folder_as_a_class) {
  const std::vector<grader::task> tasks = grader::all_tasks();
  const auto task = std::ranges::find(tasks, "A2", &grader::task::id);
  write("class.json", grader::class_json(*task, sample_class()));
  fs::create_directories(folder_.path() / "submissions");
  launcher("[ \"$1 $2 $4\" = 'grade A2 --json' ] || exit 2\ncat '" + (folder_.path() / "class.json").string() + "'");
  auto viewer = open<viewer::assessments_page>();
  viewer.application.open("Assessments", "A2 " + (folder_.path() / "submissions").string());
  ASSERT_TRUE(settles(viewer));
  for (const char* text : {"Grade the class", "2 of 4 passed; the median is 65 of 100 points.", "Points of the class",
                           "submissions", "ada", "dorothea", "✓ passed", "✗ not yet"})
    EXPECT_TRUE(viewer.sees(text)) << text;
  EXPECT_LT(viewer.find("ada")->y, viewer.find("dorothea")->y);
  viewer.click("points");
  viewer.frame(2);
  EXPECT_GT(viewer.find("ada")->y, viewer.find("dorothea")->y) << "sorted by points";
  viewer.click("carl");
  EXPECT_TRUE(viewer.sees("Not passed: 35 of 100 points")) << "the verdict of one";
  viewer.draw_at_extreme_sizes();
}

TEST_F(viewer_assessments_page, says_why_a_class_cannot_be_shown) {
  fs::create_directories(folder_.path() / "submissions");
  launcher("echo 'no sandbox works here' >&2; exit 3");
  auto viewer = open<viewer::assessments_page>();
  viewer.application.open("Assessments", "A2 " + (folder_.path() / "submissions").string());
  ASSERT_TRUE(settles(viewer));
  EXPECT_TRUE(viewer.sees("no sandbox works here"));
  const std::vector<grader::task> tasks = grader::all_tasks();
  const auto task = std::ranges::find(tasks, "A2", &grader::task::id);
  write("class.json", grader::class_json(*task, {}));
  launcher("cat '" + (folder_.path() / "class.json").string() + "'");
  viewer.click("Grade the class");
  ASSERT_TRUE(settles(viewer));
  EXPECT_TRUE(viewer.sees("There are no submissions in this folder"));
}

TEST(viewer_class, is_distributed_over_tenths) {
  const auto counts = viewer::class_view::distribution(sample_class());
  EXPECT_EQ(counts, (std::vector<std::size_t>{1, 0, 0, 1, 0, 0, 0, 0, 0, 2})) << "100 belongs to the last";
  EXPECT_EQ(viewer::class_view::distribution({}), std::vector<std::size_t>(10));
}

TEST_F(viewer_assessments_page, lives_with_any_text_in_a_verdict) {
  write("my/neural_layer.cpp", "");
  launcher("cat '" + (folder_.path() / "verdict.json").string() + "'");
  auto viewer = open<viewer::assessments_page>();
  for (const std::string& text : {std::string(), std::string(20'000, 'x'), std::string("\xff##%s")})
    viewer_test::with_each_text_replaced(grader::to_json(sample_verdict()), text, [&](const std::string& replaced) {
      write("verdict.json", replaced);
      viewer.application.open("Assessments", "A1 " + (folder_.path() / "my/neural_layer.cpp").string());
      ASSERT_TRUE(settles(viewer));
      EXPECT_GT(ImGui::GetDrawData()->TotalVtxCount, 0);
    });
}

TEST_F(viewer_assessments_page, says_what_went_wrong) {
  write("my/grades/A1.json", "{");
  auto viewer = open<viewer::assessments_page>();
  EXPECT_TRUE(viewer.sees("A1.json")) << "a record that can't be read";
  launcher("echo 'no sandbox works here' >&2; exit 3");
  viewer.application.open("Assessments", "A3 /no/such/file.cpp");
  ASSERT_TRUE(settles(viewer));
  EXPECT_TRUE(viewer.sees("no sandbox works here"));
  viewer.application.open("Assessments", "A9");
  viewer.frame(2);
  EXPECT_NE(viewer.application.status().find("'A9'"), std::string::npos);
}

}  // namespace
