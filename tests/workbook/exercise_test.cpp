// What exercises are made of: marks, hints, progress, the learner's folder, what comes next.

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <iterator>

#include "runtime/core/error.h"
#include "tests/temporary_folder.h"
#include "workbook/exercise.h"
#include "workbook/exercise/hints.h"
#include "workbook/exercise/learner_folder.h"
#include "workbook/exercise/marks.h"
#include "workbook/exercise/next_exercise.h"
#include "workbook/exercise/progress.h"
#include "workbook/exercise/state_mark.h"
#include "workbook/report.h"

namespace {

namespace fs = std::filesystem;
using workbook::exercise_state;

template <class Call>
std::string message_of(Call call) {
  try {
    call();
  } catch (const gs::error& e) {
    return e.what();
  }
  return "no error";
}

// A course of its own, and a folder of the learner's.
class own_folder : public testing::Test {
 protected:
  void SetUp() override {
    unsetenv("GRIDSTRIDE_MY");
    setenv("GRIDSTRIDE_ROOT", folder.c_str(), 1);
  }
  void TearDown() override {
    unsetenv("GRIDSTRIDE_ROOT");
    unsetenv("GRIDSTRIDE_MY");
  }
  void add_lesson(const std::string& name, bool exercise, bool warm_up = false) const {
    fs::create_directories(folder / "lessons" / name / "warm_up");
    std::ofstream(folder / "lessons" / name / "lesson.cpp") << "\n";
    if (exercise) std::ofstream(folder / "lessons" / name / "checks.cpp") << "\n";
    if (warm_up) std::ofstream(folder / "lessons" / name / "warm_up/checks.cpp") << "\n";
  }
  std::vector<workbook::course_part> course() const { return workbook::read_catalogue(folder / "lessons", folder); }
  static std::string text_of(const fs::path& file) {
    std::ifstream in(file);
    return {std::istreambuf_iterator<char>(in), {}};
  }

  gridstride_test::temporary_folder temporary_;
  fs::path folder = temporary_.path();
};

constexpr const char* marked =
    "int before();\n"
    "int f() {\n"
    "  // Your turn: return two.\n"
    "  const int two = 2;\n"
    "\n"
    "  return two;\n"
    "  //= return 1;\n"
    "  // Until here.\n"
    "}\n"
    "// Your turn.\n"
    "int g() { return 3; }\n"
    "//= int g();\n"
    "//=\n"
    "// Until here.\n";

}  // namespace

TEST(marks, starter_and_solution_differ_between_them_only) {
  EXPECT_EQ(workbook::starter_of(marked),
            "int before();\nint f() {\n  // Your turn: return two.\n  return 1;\n  // Until here.\n}\n"
            "// Your turn.\nint g();\n\n// Until here.\n");
  EXPECT_EQ(workbook::shown_solution(marked),
            "int before();\nint f() {\n  // Your turn: return two.\n  const int two = 2;\n\n  return two;\n"
            "  // Until here.\n}\n// Your turn.\nint g() { return 3; }\n// Until here.\n");
  // Windows' line ends, and a last line without one.
  EXPECT_EQ(workbook::starter_of("// Your turn.\r\nint x;\r\n// Until here."), "// Your turn.\n// Until here.\n");
}

TEST(marks, say_what_is_wrong_with_them) {
  const auto starter = [](const char* text) { return message_of([&] { workbook::starter_of(text); }); };
  EXPECT_EQ(starter("int x;\n// Your turn.\nint y;\n"),
            "the marks of an exercise, line 2: the place isn't closed; close it: // Until here.");
  EXPECT_EQ(starter("// Your turn.\nint x;\n// Your turn.\n// Until here.\n"),
            "the marks of an exercise, line 3: the place of line 1 isn't closed; close it: // Until here.");
  EXPECT_EQ(starter("int x;\n// Until here.\n"),
            "the marks of an exercise, line 2: no place is open; open it: // Your turn.");
  EXPECT_EQ(starter("//= int x;\n// Your turn.\nint y;\n// Until here.\n"),
            "the marks of an exercise, line 1: //= stands outside of the marks; move it between // Your turn. and "
            "// Until here.");
  EXPECT_EQ(starter("// Your turn.\nint x;\n//= int x;\n// Until here.\n"),
            "the marks of an exercise, line 1: solution and starter are the same here; write the starter's lines after "
            "//=");
  EXPECT_NE(starter("int x;\n").find("there are none"), std::string::npos);
  EXPECT_NE(starter("").find("there are none"), std::string::npos);
}

TEST(hints, are_read_by_their_headings) {
  const auto hints =
      workbook::read_hints("# Hints\n\nPreface.\n\n## One\n\nFirst line.\n\n```\n## no heading\n```\n\n## Two\nText\n");
  ASSERT_EQ(hints.size(), 2u);
  EXPECT_EQ(hints[0].heading, "One");
  EXPECT_EQ(hints[0].text, "First line.\n\n```\n## no heading\n```");
  EXPECT_EQ(hints[1].text, "Text");
  const auto problem = [](const char* text) { return message_of([&] { workbook::read_hints(text); }); };
  EXPECT_EQ(problem("# Hints\n"), "reading hints: there are none; write each under a heading: ## Heading");
  EXPECT_EQ(problem("## One\n\n## Two\nx\n"), "the hint 'One': it has no text; write it, or take the heading out");
  EXPECT_EQ(problem("## One\nx\n## One\ny\n"), "the hint 'One': two have this heading; rename one");
}

TEST(progress, is_read_and_written_and_keeps_what_it_does_not_know) {
  const std::string text =
      "# number, name, state (started, skipped or passed), since when, hints taken\n"
      "04 ufunc passed 2026-03-01 2\n"
      "08 zero_suppress started 2026-03-02 0\n"
      "<<<<<<< a note of my own\n";
  workbook::progress p = workbook::progress::read(text);
  EXPECT_EQ(p.to_text(), text);
  EXPECT_EQ(p.of(4).state, exercise_state::passed);
  EXPECT_EQ(p.of(4).hints, 2u);
  EXPECT_EQ(p.of(5).state, exercise_state::untouched);
  EXPECT_EQ(p.of(5).id, 5);
  p.advance(8, "zero_suppress", exercise_state::skipped, "2026-04-01");
  p.advance(4, "ufunc", exercise_state::started, "2026-04-01");  // never lowered
  p.took_hints(8, 3);
  p.took_hints(8, 1);
  EXPECT_EQ(p.of(4).state, exercise_state::passed);
  EXPECT_EQ(p.of(4).date, "2026-03-01");
  EXPECT_NE(p.to_text().find("08 zero_suppress skipped 2026-04-01 3\n"), std::string::npos);
  p.restart(8, "zero_suppress", "2026-05-01");
  EXPECT_NE(p.to_text().find("08 zero_suppress started 2026-05-01 0\n"), std::string::npos);
  p.advance(8, "zero_suppress", exercise_state::passed, "2026-05-02");
  p.took_hints(8, 2);
  EXPECT_EQ(p.of(8).hints, 0u) << "hints that are read afterwards";
  EXPECT_EQ(message_of([&] { p.took_hints(9, 1); }), "hints of exercise 09: it isn't begun; begin it first");
}

TEST(exercise_id, is_a_number_and_of_a_warm_up_a_letter_more) {
  using workbook::exercise_id, workbook::read_exercise_id;
  for (const auto& [text, id] : {std::pair{"4", exercise_id(4)},
                                 {"004", exercise_id(4)},
                                 {"17", exercise_id(17)},
                                 {"4w", exercise_id(4, true)},
                                 {"17w", exercise_id(17, true)},
                                 {"9999", exercise_id(9999)}})
    EXPECT_EQ(read_exercise_id(text), id) << text;
  for (const char* text :
       {"", "w", "ufunc", "-4", "+4", "4 ", " 4", "4W", "4ww", "w4", "10000", "10000w", "4294967300"})
    EXPECT_EQ(read_exercise_id(text), std::nullopt) << text;
  EXPECT_EQ(to_string(exercise_id(4)), "04");
  EXPECT_EQ(to_string(exercise_id(4, true)), "04w");
  const std::vector<exercise_id> in_order{{3, true}, 3, {4, true}, 4, 10};
  EXPECT_TRUE(std::ranges::is_sorted(in_order));
  EXPECT_EQ(std::ranges::adjacent_find(in_order), in_order.end());
}

TEST(progress, of_a_warm_up_is_its_own) {
  const std::string lines = "04w ufunc passed 2026-02-28 0\n04 ufunc started 2026-03-01 2\n";
  workbook::progress p = workbook::progress::read(lines);
  EXPECT_NE(p.to_text().find(lines), std::string::npos) << p.to_text();
  EXPECT_EQ(p.of({4, true}).state, exercise_state::passed);
  EXPECT_EQ(p.of(4).state, exercise_state::started);
  EXPECT_EQ(p.of(4).hints, 2u);
  p.advance({8, true}, "zero_suppress", exercise_state::started, "2026-03-02");
  p.took_hints({8, true}, 1);
  EXPECT_EQ(p.of(8).state, exercise_state::untouched);
  EXPECT_NE(p.to_text().find("\n08w zero_suppress started 2026-03-02 1\n"), std::string::npos) << p.to_text();
  p.restart({4, true}, "ufunc", "2026-03-03");
  EXPECT_EQ(p.of({4, true}).state, exercise_state::started);
  EXPECT_EQ(message_of([&] { p.took_hints({4 + 5, true}, 1); }),
            "hints of exercise 09w: it isn't begun; begin it first");
}

TEST(progress, of_damaged_lines_keeps_what_can_be_read) {
  const auto read_back = [](const std::string& line) {
    const workbook::progress p = workbook::progress::read(line + "\n");
    EXPECT_EQ(workbook::progress::read(p.to_text()).to_text(), p.to_text()) << line;
    const auto e = p.of(4);
    return fmt::format("{} {}|{}|{}", e.name, to_string(e.state), e.date, e.hints);
  };
  EXPECT_EQ(read_back("04 ufunc passed"), "ufunc passed||0");
  EXPECT_EQ(read_back("04 ufunc passed 3"), "ufunc passed||3");
  EXPECT_EQ(read_back("04 ufunc passed - 3"), "ufunc passed||3");
  EXPECT_EQ(read_back("04 ufunc passed 0 0"), "ufunc passed||0");
  EXPECT_EQ(read_back("04 ufunc passed 2026-03-01 -1"), "ufunc passed|2026-03-01|0");
  EXPECT_EQ(read_back("04 ufunc passed 2026-03-01 4294967295"), "ufunc passed|2026-03-01|0");
  for (const std::string& line :
       {std::string("-4 ufunc passed 2026-03-01 0"), std::string("4x ufunc passed 2026-03-01 0"),
        std::string("99999999999999999999 ufunc passed 2026-03-01 0"),
        std::string("04 \x1b[2Jufunc passed 2026-03-01 0"), "04 " + std::string(2000, 'u') + " passed 2026-03-01 0"}) {
    EXPECT_EQ(read_back(line), " untouched||0") << line;
    EXPECT_NE(workbook::progress::read(line).to_text().find(line), std::string::npos) << "kept as it came";
  }
}

TEST(progress, of_two_lines_the_better_state_counts) {
  for (const char* text :
       {"04 ufunc started 2026-03-01 3\n04 ufunc passed 2026-03-05 1\n04 ufunc passed 2026-03-04 0\n",
        "04 ufunc passed 2026-03-04\r\n4 ufunc passed 2026-03-05 1\n04 ufunc started 2026-03-01 3\n"}) {
    const workbook::progress p = workbook::progress::read(text);
    EXPECT_EQ(p.of(4).state, exercise_state::passed) << text;
    EXPECT_EQ(p.of(4).date, "2026-03-04") << text;
    EXPECT_EQ(p.of(4).hints, 3u) << text;
    EXPECT_EQ(p.to_text().find("04", p.to_text().find("04 ufunc") + 2), p.to_text().find("04 3\n")) << p.to_text();
  }
}

TEST_F(own_folder, progress_file) {
  const fs::path file = workbook::progress_file();
  EXPECT_EQ(file, folder / "my/progress.txt");
  EXPECT_EQ(workbook::read_progress(file).of(4).state, exercise_state::untouched);  // there is none
  workbook::progress p;
  p.advance(4, "ufunc", exercise_state::started, workbook::today());
  workbook::write_progress(file, p);
  EXPECT_EQ(workbook::read_progress(file).of(4).state, exercise_state::started);
  EXPECT_EQ(std::distance(fs::directory_iterator(folder / "my"), {}), 1);  // no draft is left
  EXPECT_EQ(workbook::read_progress(file).of(4).date.size(), 10u);

  // A file stands where the folder should be; a folder where the file should be.
  setenv("GRIDSTRIDE_MY", file.c_str(), 1);
  EXPECT_NE(message_of([&] { workbook::write_progress(workbook::progress_file(), p); }).find("set GRIDSTRIDE_MY"),
            std::string::npos);
  fs::create_directories(folder / "other/progress.txt");
  EXPECT_NE(message_of([&] { workbook::read_progress(folder / "other/progress.txt"); }).find("no regular file"),
            std::string::npos);
}

TEST_F(own_folder, files_are_made_once_and_backed_up) {
  const fs::path file = workbook::learner_file({.number = 4, .name = "ufunc"});
  EXPECT_EQ(file, folder / "my/04_ufunc.cpp");
  EXPECT_EQ(workbook::learner_file({.number = 4, .name = "ufunc", .warm_up = true}), folder / "my/04w_ufunc.cpp");
  EXPECT_TRUE(workbook::start(file, "starter"));
  std::ofstream(file) << "mine";
  EXPECT_FALSE(workbook::start(file, "starter"));
  EXPECT_EQ(text_of(file), "mine");
  EXPECT_EQ(workbook::reset(file, "starter"), file.string() + ".1");
  EXPECT_EQ(text_of(file), "starter");
  EXPECT_EQ(text_of(file.string() + ".1"), "mine");
  EXPECT_EQ(workbook::reset(file, "again"), file.string() + ".2");
  EXPECT_EQ(text_of(file.string() + ".1"), "mine");
  fs::remove(file);
  EXPECT_EQ(workbook::reset(file, "anew"), std::nullopt);
  EXPECT_EQ(text_of(file), "anew");
  setenv("GRIDSTRIDE_MY", file.c_str(), 1);  // no folder
  EXPECT_NE(message_of([&] { workbook::start(workbook::my_folder() / "a.cpp", ""); }).find("set GRIDSTRIDE_MY"),
            std::string::npos);
}

TEST_F(own_folder, next_is_what_is_started_then_what_is_untouched) {
  add_lesson("04_ufunc", true);
  add_lesson("06_gaussian_pdf", false);
  add_lesson("08_zero_suppress", true);
  add_lesson("13_first_kernel", true);
  const auto exercises = workbook::exercises_of(course());
  ASSERT_EQ(exercises.size(), 3u);
  workbook::progress p;
  const auto next = [&] {
    const auto* e = workbook::next_exercise(exercises, p);
    return e ? e->number : -1;
  };
  EXPECT_EQ(next(), 4);
  p.advance(13, "first_kernel", exercise_state::started, "");
  EXPECT_EQ(next(), 13);
  p.advance(4, "ufunc", exercise_state::passed, "");
  p.advance(13, "first_kernel", exercise_state::skipped, "");
  EXPECT_EQ(next(), 8);
  p.advance(8, "zero_suppress", exercise_state::passed, "");
  EXPECT_EQ(next(), -1);

  const auto lessons = workbook::lessons_before(course(), exercises[1]);
  ASSERT_EQ(lessons.size(), 2u);
  EXPECT_EQ(lessons[0].name, "gaussian_pdf");
  EXPECT_EQ(lessons[1].name, "zero_suppress");
}

TEST_F(own_folder, what_follows_an_exercise_is_behind_it) {
  add_lesson("04_ufunc", true);
  add_lesson("06_gaussian_pdf", true);
  add_lesson("10_make_pulses", true, true);
  const auto exercises = workbook::exercises_of(course());
  workbook::progress p;
  const auto after = [&](const std::string& exercise) {
    const auto* next = workbook::following_exercise(exercises, p, workbook::find_exercise(course(), exercise).id());
    return next ? next->label() : "none";
  };
  p.advance(4, "ufunc", exercise_state::started, "");
  p.advance(6, "gaussian_pdf", exercise_state::passed, "");
  EXPECT_EQ(after("06"), "10w_make_pulses") << "04 is started, but stands before it";
  p.advance({10, true}, "make_pulses", exercise_state::passed, "");
  EXPECT_EQ(after("10w"), "10_make_pulses");
  EXPECT_EQ(after("04"), "10_make_pulses") << "06 has passed";
  p.advance(10, "make_pulses", exercise_state::skipped, "");
  EXPECT_EQ(after("10"), "04_ufunc") << "nothing is left behind it";
  p.advance(4, "ufunc", exercise_state::passed, "");
  EXPECT_EQ(after("10"), "none");
}

TEST_F(own_folder, an_exercise_is_found_by_any_name) {
  add_lesson("04_ufunc", true);
  add_lesson("06_gaussian_pdf", false);
  for (const char* name : {"4", "04", "ufunc", "04_ufunc", "my/04_ufunc.cpp", "lessons/04_ufunc/", "lessons/04_ufunc"})
    EXPECT_EQ(workbook::find_exercise(course(), name).number, 4) << name;
  EXPECT_EQ(message_of([&] { workbook::find_exercise(course(), "6"); }),
            "exercise '6': lesson 06_gaussian_pdf has none; choose one of 04");
  EXPECT_EQ(message_of([&] { workbook::find_exercise(course(), "77"); }),
            "exercise '77': there is none of that number or name; choose one of 04");
}

TEST_F(own_folder, a_warm_up_comes_before_its_lessons_exercise) {
  add_lesson("04_ufunc", true, true);
  add_lesson("05_too_small", true);
  add_lesson("06_gaussian_pdf", false);
  add_lesson("10_make_pulses", true, true);
  const auto exercises = workbook::exercises_of(course());
  workbook::progress p;
  std::string labels;
  while (const auto* next = workbook::next_exercise(exercises, p)) {
    labels += next->label() + " ";
    p.advance(next->id(), next->name, exercise_state::passed, "");
  }
  EXPECT_EQ(labels, "04w_ufunc 04_ufunc 05_too_small 10w_make_pulses 10_make_pulses ");

  workbook::progress only_one;
  only_one.advance({10, true}, "make_pulses", exercise_state::passed, "");
  EXPECT_EQ(workbook::next_exercise(exercises, only_one)->label(), "10_make_pulses") << "its warm-up has passed";
  only_one.advance(10, "make_pulses", exercise_state::skipped, "");
  EXPECT_EQ(workbook::next_exercise(exercises, only_one)->label(), "04w_ufunc");

  const auto names_before = [&](const std::string& exercise) {
    std::string names;
    for (const auto& lesson : workbook::lessons_before(course(), workbook::find_exercise(course(), exercise)))
      names += lesson.name + " ";
    return names;
  };
  EXPECT_EQ(names_before("10w"), "gaussian_pdf make_pulses ");
  EXPECT_EQ(names_before("10"), "make_pulses ") << "what comes before was read for the warm-up";
  EXPECT_EQ(names_before("5"), "too_small ");
}

TEST_F(own_folder, a_warm_up_is_found_by_its_letter) {
  add_lesson("04_ufunc", true, true);
  add_lesson("05_too_small", true);
  add_lesson("06_wave", false, true);
  for (const char* name : {"4w", "04w", "04w_ufunc", "my/04w_ufunc.cpp"}) {
    EXPECT_EQ(workbook::find_exercise(course(), name).label(), "04w_ufunc") << name;
    EXPECT_TRUE(workbook::find_exercise(course(), name).warm_up) << name;
  }
  for (const char* name : {"4", "ufunc", "my/04_ufunc.cpp", "lessons/04_ufunc/"})
    EXPECT_FALSE(workbook::find_exercise(course(), name).warm_up) << name;
  EXPECT_EQ(message_of([&] { workbook::find_exercise(course(), "5w"); }),
            "exercise '5w': lesson 05_too_small has no warm-up; choose one of 04w, 04, 05, 06w");
  EXPECT_EQ(message_of([&] { workbook::find_exercise(course(), "06_wave"); }),
            "exercise '06_wave': lesson 06_wave has none; choose one of 04w, 04, 05, 06w");
}

TEST_F(own_folder, a_lesson_has_passed_with_its_last_exercise) {
  add_lesson("04_ufunc", true, true);
  add_lesson("06_gaussian_pdf", false);
  const auto lessons = course();
  const auto state_after = [&](exercise_state warm_up, exercise_state own) {
    workbook::progress p;
    p.advance({4, true}, "ufunc", warm_up, "");
    p.advance(4, "ufunc", own, "");
    return workbook::state_of_lesson(workbook::find_lesson(lessons, "4"), p);
  };
  using enum exercise_state;
  EXPECT_EQ(state_after(untouched, untouched), untouched);
  EXPECT_EQ(state_after(started, untouched), started);
  EXPECT_EQ(state_after(passed, untouched), started);
  EXPECT_EQ(state_after(untouched, passed), started);
  EXPECT_EQ(state_after(skipped, started), started);
  EXPECT_EQ(state_after(skipped, skipped), skipped);
  EXPECT_EQ(state_after(skipped, passed), skipped);
  EXPECT_EQ(state_after(passed, passed), passed);
  EXPECT_EQ(workbook::state_of_lesson(workbook::find_lesson(lessons, "6"), {}), untouched);
}

TEST(state_mark, is_one_column_wide) {
  const workbook::terminal t;
  EXPECT_EQ(workbook::mark_of(exercise_state::passed, t), "✓");
  EXPECT_EQ(workbook::mark_of(exercise_state::started, t), "…");
  EXPECT_EQ(workbook::mark_of(exercise_state::skipped, t), "→");
  EXPECT_EQ(workbook::mark_of(exercise_state::untouched, t), " ");
}

TEST(counted_by_line, names_the_lines_the_largest_first) {
  workbook::counted_by_line copies;
  EXPECT_EQ(copies.text(), "0");
  copies.add({"a.cpp", 24, 3}, 1);
  copies.add({"a.cpp", 31, 3}, 3);
  copies.add({"a.cpp", 24, 9}, 1);
  copies.add({"a.cpp", 50, 1}, 0);
  EXPECT_EQ(copies.total(), 5u);
  EXPECT_EQ(copies.text(), "5: line 31 makes 3, line 24 makes 2");
  copies.add({}, 9);
  EXPECT_EQ(copies.text(), "14: an unknown line makes 9, line 31 makes 3, line 24 makes 2");
  for (unsigned line = 1; line < 9; ++line) copies.add({"a.cpp", line, 1}, 1);
  EXPECT_EQ(copies.text(),
            "22: an unknown line makes 9, line 31 makes 3, line 24 makes 2, line 1 makes 1, line 2 makes 1");
}

TEST(counted_by_line, is_checked_by_its_total_and_told_by_its_lines) {
  workbook::counted_by_line copies;
  copies.add({"a.cpp", 24, 3}, 3);
  workbook::report r;
  EXPECT_TRUE(check_at_most(r, "copies", copies, 3));
  EXPECT_FALSE(check_at_most(r, "copies", copies, 2));
  const auto& failed = std::get<workbook::check>(r.items()[1]);
  EXPECT_EQ(failed.expected, "at most 2");
  EXPECT_EQ(failed.got, "3: line 24 makes 3");
  EXPECT_EQ(fs::path(failed.where.file_name()).filename(), "exercise_test.cpp");
}

TEST(inspections, are_summed_by_line) {
  gs::inspection inspection;
  inspection.copies = {{.where = {"a.cpp", 7, 1}, .copies_to_device = 2, .copies_to_host = 1},
                       {.where = {"a.cpp", 9, 1}, .copies_to_device = 0, .copies_to_host = 4}};
  EXPECT_EQ(workbook::copies_to_device(inspection).text(), "2: line 7 makes 2");
  EXPECT_EQ(workbook::copies_to_host(inspection).text(), "5: line 9 makes 4, line 7 makes 1");
  gs::line_counters coalesced, strided, stored;
  coalesced.where.line = 3, coalesced.requests = 10, coalesced.accesses = 320;
  coalesced.sectors = coalesced.ideal_sectors = 40;
  strided.where.line = 4, strided.requests = 10, strided.accesses = 20, strided.sectors = 20, strided.ideal_sectors = 5;
  stored.where.line = 5, stored.space = gs::memory_space::shared, stored.requests = stored.accesses = 1;
  stored.wavefronts = 8, stored.ideal_wavefronts = 1;
  EXPECT_EQ(workbook::lanes_together(inspection), 0);
  inspection.lines = {coalesced, strided, stored};
  EXPECT_EQ(workbook::wasted_sectors(inspection).text(), "15: line 4 makes 15");
  EXPECT_EQ(workbook::bank_conflicts(inspection).text(), "7: line 5 makes 7");
  EXPECT_EQ(workbook::lanes_together(inspection), 17) << "340 accesses of global memory in 20 requests";
}

TEST(report, tells_of_each_item_at_once) {
  workbook::report r;
  std::vector<std::string> lines;
  r.on_item = [&](const workbook::item& i) {
    const auto* c = std::get_if<workbook::check>(&i);
    lines.push_back(c ? c->name + (c->passed ? " passed" : " failed") : "another");
  };
  r.paragraph("nothing");
  r.check("a", true);
  const unsigned line = __LINE__ + 1;
  r.check_equal("b", 1, 2);
  r.check_near("c", 1, 1, 0);
  r.check_at_most("d", 2, 1);
  r.inspection({});
  EXPECT_EQ(lines, (std::vector<std::string>{"another", "a passed", "b failed", "c passed", "d failed", "another"}));
  const auto& b = std::get<workbook::check>(r.items()[2]);
  EXPECT_EQ(b.where.line(), line);
  EXPECT_EQ(fs::path(b.where.file_name()).filename(), "exercise_test.cpp");
}
