// Results of the benchmarks: read, compared, under their roof, and on their page.

#include <gtest/gtest.h>

#include <cmath>
#include <fstream>
#include <random>

#include "runtime/core/error.h"
#include "tests/viewer/bench_document.h"
#include "tests/viewer/driven_viewer.h"
#include "tests/viewer/hostile_texts.h"
#include "viewer/pages/timings_page.h"
#include "viewer/timings/bench_results.h"
#include "viewer/timings/growth.h"
#include "viewer/timings/roofline.h"
#include "viewer/timings/scaling.h"

namespace {

namespace fs = std::filesystem;
using gridstride_test::temporary_folder;
using viewer_test::driven_viewer;

using viewer_test::bench_document;

TEST(bench_results, are_read_as_they_were_written) {
  const viewer::bench_run r = viewer::read_bench_run(bench_document("2026-03-01T10:00:00Z", 20), "a.json");
  EXPECT_EQ(r.date, "2026-03-01T10:00:00Z");
  EXPECT_EQ(r.processor, "Abacus 9000");
  EXPECT_EQ(r.cores, 4);
  ASSERT_EQ(r.limits.size(), 5u);
  EXPECT_EQ(r.limits[1].value, 800);
  ASSERT_NE(r.find("sum_of_two"), nullptr);
  EXPECT_EQ(r.find("none"), nullptr);
  const viewer::bench_workload& add = *r.find("sum_of_two");
  EXPECT_EQ(add.bytes, 1e9);
  ASSERT_EQ(add.entrants.size(), 3u);
  EXPECT_NEAR(add.entrants[0].seconds.median, 0.02, 1e-9);
  EXPECT_EQ(add.entrants[0].share_of_limit, 0.8);
  EXPECT_EQ(add.entrants[0].ratio, 1.25);
  EXPECT_EQ(add.entrants[0].ratio_high, 1.3);
  EXPECT_EQ(add.entrants[1].hardware, "gpu");
  EXPECT_FALSE(add.entrants[2].ratio);
  EXPECT_EQ(r.find("big")->skipped, "it needs 3 GB");
}

TEST(bench_results, bring_growth_and_scaling) {
  const viewer::bench_run r = viewer::read_bench_run(bench_document("2026-03-01", 20), "a.json");
  EXPECT_EQ(r.names(), (std::vector<std::string>{"sum_of_two", "big", "on_more"}));
  ASSERT_NE(r.growth_of("sum_of_two"), nullptr);
  EXPECT_EQ(r.growth_of("big"), nullptr);
  const viewer::bench_growth& g = *r.growth_of("sum_of_two");
  ASSERT_EQ(g.sizes.size(), 2u) << "with the one among the workloads";
  EXPECT_EQ(g.sizes[0].elements, 10);
  EXPECT_EQ(g.sizes[1].elements, 1000);

  const workbook::xy_plot plot = viewer::growth_plot(g);
  workbook::validate(plot);
  EXPECT_TRUE(plot.x.log && plot.y.log);
  ASSERT_EQ(plot.series.size(), 2u) << "what has a single size is no line";
  EXPECT_EQ(plot.series[0].name, "engine");
  EXPECT_EQ(plot.series[1].name, "peer: OpenMP");
  EXPECT_EQ(plot.y.unit, "ms");
  EXPECT_NEAR(plot.series[0].y[0], 0.2, 1e-12);
  EXPECT_NEAR(plot.series[0].y[1], 20, 1e-9);
  ASSERT_EQ(plot.references.size(), 1u);
  EXPECT_TRUE(plot.references[0].vertical);
  EXPECT_EQ(plot.references[0].at, 123.4);
  EXPECT_EQ(
      viewer::growth_sentences(g),
      (std::vector<std::string>{"engine is faster than cpu from about 120 elements on: for sure not at 10, at 1,000.",
                                "engine: the time grows as elements^0.84 [0.32, 1.36], off by 2.7 x at most."}));

  ASSERT_NE(r.scaling_of("on_more"), nullptr);
  const workbook::xy_plot speedup = viewer::scaling_plot(*r.scaling_of("on_more"));
  workbook::validate(speedup);
  ASSERT_EQ(speedup.series.size(), 2u);
  EXPECT_EQ(speedup.series[0].y[1], 1.8);
  EXPECT_NEAR(speedup.series[0].spread[1], 0.15, 1e-12);
  EXPECT_EQ(speedup.series[1].name, "ideal");
  EXPECT_EQ(speedup.series[1].y[1], 2);
  EXPECT_TRUE(speedup.x.whole);
}

TEST(bench_results, say_of_a_crossover_what_is_known) {
  const auto sentence = [](viewer::bench_crossover c) {
    c.winner = "engine", c.other = "cpu";
    const viewer::bench_growth g{.crossovers = {c}};
    EXPECT_TRUE(viewer::growth_plot(g).references.empty());
    return viewer::growth_sentences(g).at(0);
  };
  EXPECT_EQ(sentence({.not_at = 10}), "engine isn't faster than cpu for sure at the largest of these sizes.");
  EXPECT_EQ(sentence({.for_sure_at = 10}), "engine is faster than cpu at all of these sizes.");
}

TEST(bench_results, name_the_other_of_a_crossover_as_older_ones_did_or_not) {
  std::string text = bench_document("2026-03-01", 20);
  const auto crossover = [&] { return viewer::read_bench_run(text, "a.json").growths.at(0).crossovers.at(0).other; };
  EXPECT_EQ(crossover(), "cpu");
  const std::string member = "\"one_core\": \"cpu\"";
  text.replace(text.find(member), member.size(), R"("other": "the fastest of Numba")");
  EXPECT_EQ(crossover(), "the fastest of Numba");
}

TEST(bench_results, of_the_first_schema_are_read_too) {
  EXPECT_EQ(viewer::read_bench_run(bench_document("2026-03-01", 20, "1"), "a.json").workloads.size(), 2u);
  EXPECT_THROW(viewer::read_bench_run(bench_document("2026-03-01", 20, "3"), "a.json"), gs::error);
}

TEST(bench_results, that_the_project_keeps_are_read) {
  const viewer::bench_files files = viewer::read_bench_files({fs::path(BENCH_RESULTS)});
  EXPECT_FALSE(files.runs.empty());
  for (const std::string& file : files.unreadable) ADD_FAILURE() << file;
  for (const viewer::bench_run& r : files.runs) EXPECT_FALSE(r.workloads.empty()) << r.file;
}

TEST(bench_results, broken_ones_are_refused_with_a_sentence) {
  const auto error_of = [](const std::string& text) -> std::string {
    try {
      viewer::read_bench_run(text, "x.json");
    } catch (const gs::error& e) {
      return e.what();
    }
    return "";
  };
  EXPECT_NE(error_of("").find("reading x.json: it is not JSON, or was cut off"), std::string::npos);
  EXPECT_NE(error_of("{\"schema\": \"other/3\"}").find("its schema is 'other/3'"), std::string::npos);
  EXPECT_NE(error_of("[]").find("its schema is ''"), std::string::npos);
  EXPECT_NE(error_of("{\"schema\": \"gridstride-bench/2\", \"date\": 3}").find("missing or of another kind"),
            std::string::npos);
  const std::string whole = bench_document("2026-03-01", 20);
  EXPECT_NE(error_of(whole.substr(0, whole.size() / 2)).find("cut off"), std::string::npos);
}

TEST(bench_results, changed_anywhere_are_read_or_refused) {
  const std::string whole = bench_document("2026-03-01", 20);
  std::mt19937 random(3);
  for (int k = 0; k < 3'000; ++k) {
    std::string changed = whole;
    changed[random() % changed.size()] = static_cast<char>(random());
    try {
      viewer::read_bench_run(changed, "x.json");
    } catch (const gs::error&) {
    }
  }
}

TEST(bench_results, of_folders_come_by_date) {
  const temporary_folder folder;
  std::ofstream(folder.path() / "b.json") << bench_document("2026-03-02", 10);
  std::ofstream(folder.path() / "c.json") << bench_document("2026-03-01", 20);
  std::ofstream(folder.path() / "broken.json") << "{";
  std::ofstream(folder.path() / "notes.txt") << "nothing";
  const viewer::bench_files files = viewer::read_bench_files({folder.path(), folder.path() / "none"});
  ASSERT_EQ(files.runs.size(), 2u);
  EXPECT_EQ(files.runs[0].date, "2026-03-01");
  ASSERT_EQ(files.unreadable.size(), 1u);
  EXPECT_NE(files.unreadable[0].find("broken.json"), std::string::npos);
}

TEST(bench_results, are_compared_by_their_spread) {
  const viewer::time_spread a{.median = 10, .lower_quartile = 9, .upper_quartile = 11};
  const auto text = [&](const viewer::time_spread& b) { return comparison_text(viewer::compare(a, b)); };
  EXPECT_EQ(text({.median = 12, .lower_quartile = 11.5, .upper_quartile = 12.5}), "20 % more time");
  EXPECT_EQ(text({.median = 5, .lower_quartile = 4, .upper_quartile = 6}), "50 % less time");
  EXPECT_EQ(text({.median = 10.6, .lower_quartile = 9.5, .upper_quartile = 11.5}), "6 % more time, within the noise");
  EXPECT_EQ(text({.median = 10.01, .lower_quartile = 9, .upper_quartile = 11}), "the same");
}

// A machine with caches beside memory: two of level 1, one of level 3.
viewer::bench_run run_with_caches() {
  return {.cores = 2,
          .caches = {{.level = 1, .bytes = 1e5, .cores = 1},
                     {.level = 2, .bytes = 1e6, .cores = 1},
                     {.level = 3, .bytes = 1e7, .cores = 2}},
          .limits = {{"copy, streaming stores", "GB/s", 50},
                     {"read, L1 cache", "GB/s", 800},
                     {"read, L3 cache", "GB/s", 100},
                     {"float32 multiply-add, all cores", "GFLOP/s", 400}}};
}
void add_workload(viewer::bench_run& run, const std::string& name, double bytes, double seconds) {
  run.workloads.push_back({.name = name,
                           .bytes = bytes,
                           .operations = bytes / 4,
                           .entrants = {{.role = "ours", .seconds = {.median = seconds}}}});
}

TEST(roofline, is_the_lower_of_memory_and_arithmetic) {
  const viewer::roofline r = viewer::roofline_of(viewer::read_bench_run(bench_document("2026-03-01", 20), "a.json"));
  ASSERT_EQ(r.roofs.size(), 1u) << "the machine's caches aren't known";
  EXPECT_EQ(r.roofs[0].gigabytes_per_second, 50) << "of memory, not of a cache or of a GPU";
  EXPECT_EQ(r.peak_gigaflops, 400) << "of all cores";
  EXPECT_EQ(r.ridge(0), 8);
  EXPECT_EQ(r.limit(1, 0), 50);
  EXPECT_EQ(r.limit(8, 0), 400);
  EXPECT_EQ(r.limit(100, 0), 400);
  ASSERT_EQ(r.points.size(), 1u) << "what was left out has no place";
  EXPECT_NEAR(r.points[0].intensity, 0.1, 1e-12);
  EXPECT_NEAR(r.points[0].gigaflops, 5, 1e-9) << "1e8 operations in 20 ms";
}

TEST(roofline, is_that_of_the_processor) {
  std::string text = bench_document("2026-03-01", 20);
  const auto insert = [&](const std::string& successor, const std::string& inserted) {
    text.insert(text.find(successor), inserted);
  };
  insert(R"({"name": "read, L1)", R"({"name": "copy, GPU", "value": 2000, "unit": "GB/s"},
    {"name": "float32 multiply-add, GPU", "value": 50000, "unit": "GFLOP/s"}, )");
  insert(R"({"name": "engine")", R"({"name": "cuda", "role": "ours", "hardware": "gpu", "seconds": {"median": 0.001,
    "lower_quartile": 0.001, "upper_quartile": 0.001, "best": 0.001}}, )");
  const viewer::roofline r = viewer::roofline_of(viewer::read_bench_run(text, "a.json"));
  EXPECT_EQ(r.roofs[0].gigabytes_per_second, 50);
  EXPECT_EQ(r.peak_gigaflops, 400);
  ASSERT_EQ(r.points.size(), 1u);
  EXPECT_NEAR(r.points[0].gigaflops, 5, 1e-9);
}

TEST(roofline, is_that_of_the_smallest_cache_that_holds_the_data) {
  viewer::bench_run run = run_with_caches();
  add_workload(run, "small", 2e5, 1e-6);
  add_workload(run, "middling", 2e6, 1e-4);  // as the cache of level 2, which has no measured bandwidth
  add_workload(run, "shared", 1e7, 1e-3);
  add_workload(run, "large", 1.1e7, 1e-3);
  viewer::roofline r = viewer::roofline_of(run);
  ASSERT_EQ(r.roofs.size(), 3u);
  EXPECT_EQ(r.roofs[1].name, "L3 cache");
  EXPECT_EQ(r.roofs[2].name, "L1 cache");
  EXPECT_EQ(r.roofs[2].holds, 2e5) << "each core has one";
  EXPECT_EQ(r.ridge(2), 0.5);
  EXPECT_EQ(r.limit(0.25, 2), 200);
  std::vector<std::size_t> roofs;
  for (const viewer::roofline_point& p : r.points) roofs.push_back(p.roof);
  EXPECT_EQ(roofs, (std::vector<std::size_t>{2, 1, 1, 0}));
  EXPECT_NE(viewer::bound_text(r, r.points[0])
                .find("bound by the L1 cache: 0.25 operations per byte, and 0.5 would be needed"),
            std::string::npos)
      << viewer::bound_text(r, r.points[0]);
  EXPECT_NE(viewer::bound_text(r, r.points[0]).find("50 of the 200 GFLOP/s that the L1 cache allows it, 25 %"),
            std::string::npos);

  const workbook::xy_plot plot = viewer::roofline_plot(r);
  workbook::validate(plot);
  std::vector<std::string> names;
  for (const workbook::series& s : plot.series) names.push_back(s.name);
  EXPECT_EQ(names, (std::vector<std::string>{"memory", "L3 cache", "L1 cache", "ours, from memory",
                                             "ours, from the L3 cache", "ours, from the L1 cache"}));

  run.limits[2].value = 49;  // no faster than memory: no roof of its own
  r = viewer::roofline_of(run);
  ASSERT_EQ(r.roofs.size(), 2u);
  EXPECT_EQ(r.roofs[1].name, "L1 cache");
  EXPECT_EQ(r.points[1].roof, 0u);
}

TEST(roofline, says_what_bounds_a_kernel) {
  const viewer::roofline r{.roofs = {{"memory", 50}}, .peak_gigaflops = 400};
  const auto text = [&](double intensity, double gigaflops) { return bound_text(r, {"k", intensity, gigaflops}); };
  EXPECT_NE(text(1, 45).find("bound by memory"), std::string::npos);
  EXPECT_NE(text(1, 45).find("45 of the 50 GFLOP/s that memory allows it, 90 %: it is at the limit"),
            std::string::npos);
  EXPECT_NE(text(100, 200).find("bound by arithmetic"), std::string::npos);
  EXPECT_NE(text(100, 200).find("200 of the 400 GFLOP/s that arithmetic allows it, 50 %: there is something to gain"),
            std::string::npos);
  EXPECT_NE(text(100, 20).find("something else holds it back"), std::string::npos);
  EXPECT_NE(text(1, 60).find("The measurement is wrong"), std::string::npos) << "above the roof";
  EXPECT_NE(viewer::bound_text(viewer::roofline{}, {"k", 1, 1}).find("no measured limits"), std::string::npos);
}

TEST(roofline, draws_what_is_above_apart) {
  const viewer::roofline r{.roofs = {{"memory", 50}},
                           .peak_gigaflops = 400,
                           .points = {{"below", 1, 40}, {"above", 1, 80}, {"at it", 1, 51}}};
  const workbook::xy_plot plot = viewer::roofline_plot(r);
  workbook::validate(plot);
  ASSERT_EQ(plot.series.size(), 3u);
  EXPECT_EQ(plot.series[1].y.size(), 2u) << "a measured limit may be passed by 5 %";
  EXPECT_EQ(plot.series[2].y[0], 80);
  EXPECT_NE(plot.series[2].name.find("error in the measurement"), std::string::npos);
  workbook::validate(viewer::roofline_plot({}));
}

class viewer_timings_page : public testing::Test {
 protected:
  driven_viewer open() {
    std::vector<std::unique_ptr<viewer::page>> pages;
    pages.push_back(std::make_unique<viewer::timings_page>());
    return {std::move(pages), {.root = folder_.path(), .build = {}, .my = folder_.path() / "my"}, {1280, 1200}};
  }
  void result(const std::string& name, const std::string& text) {
    fs::create_directories(folder_.path() / "bench/results");
    std::ofstream(folder_.path() / "bench/results" / name) << text;
  }
  temporary_folder folder_;
};

TEST_F(viewer_timings_page, says_how_to_get_results) {
  auto viewer = open();
  EXPECT_TRUE(viewer.sees("There are no results yet."));
}

TEST_F(viewer_timings_page, shows_bars_and_the_change_against_a_baseline) {
  result("a.json", bench_document("2026-03-01T10:00", 50));
  result("b.json", bench_document("2026-03-02T10:00", 25));
  result("c.json", "{");
  auto viewer = open();
  EXPECT_TRUE(viewer.sees("c.json")) << "what can't be read is said";
  EXPECT_TRUE(viewer.sees("Abacus 9000, 4 cores"));
  EXPECT_TRUE(viewer.sees("bound by memory")) << "the roofline comes first";
  viewer.application.open("Timings", "sum_of_two");
  viewer.frame(3);
  for (const char* text : {"25 ms ± 2 %", "peer: OpenMP", "80 %", "1.25 [1.20, 1.30]", "Over the runs"})
    EXPECT_TRUE(viewer.sees(text)) << text;
  EXPECT_TRUE(viewer.sees("Other programs had 20 % of the cores"));
  viewer.click("none");
  viewer.click("2026-03-01 10:00  abc123");
  EXPECT_TRUE(viewer.sees("50 % less time"));
  EXPECT_TRUE(viewer.sees("baseline"));
  viewer.draw_at_extreme_sizes();
  EXPECT_TRUE(viewer.sees("50 % less time"));
  viewer.click("big");
  EXPECT_TRUE(viewer.sees("it needs 3 GB"));
}

TEST_F(viewer_timings_page, lives_with_any_text_in_a_document) {
  for (const std::string& text : {std::string(), std::string(20'000, 'x'), std::string("\xff##%s")})
    viewer_test::with_each_text_replaced(
        bench_document("2026-03-01T10:00", 50), text, [&](const std::string& replaced) {
          result("a.json", replaced);
          auto viewer = open();
          for (const std::string& workload : {std::string("sum_of_two"), std::string("big"), text}) {
            viewer.application.open("Timings", workload);
            viewer.frame(2);
            EXPECT_GT(ImGui::GetDrawData()->TotalVtxCount, 0);
          }
        });
}

TEST_F(viewer_timings_page, is_led_by_keyboard_alone) {
  result("a.json", bench_document("2026-03-01T10:00", 50));
  result("b.json", bench_document("2026-03-02T10:00", 25));
  auto viewer = open();
  viewer.choose("big");
  EXPECT_TRUE(viewer.sees("it needs 3 GB"));
  viewer.choose("sum_of_two");
  EXPECT_TRUE(viewer.sees("the sum of two arrays"));
  viewer.choose("none");
  viewer.choose("2026-03-01 10:00  abc123");
  viewer.frame(3);
  EXPECT_TRUE(viewer.sees("50 % less time"));
  viewer.choose("Roofline");
  EXPECT_FALSE(viewer.sees("50 % less time"));
}

TEST_F(viewer_timings_page, shows_how_the_cost_grows_and_what_more_cores_bring) {
  result("a.json", bench_document("2026-03-01T10:00", 50));
  auto viewer = open();
  viewer.application.open("Timings", "sum_of_two");
  viewer.frame(3);
  for (const char* text : {"Growth with the size", "engine overtakes cpu", "engine is faster than cpu from about 120",
                           "the time grows as elements^0.84"})
    EXPECT_TRUE(viewer.sees(text)) << text;
  viewer.click("on_more");
  for (const char* text : {"Speed-up with more cores", "ideal", "efficiency", "1.80 [1.70, 2.00]", "90 %"})
    EXPECT_TRUE(viewer.sees(text)) << text;
  EXPECT_FALSE(viewer.sees("Growth with the size"));
  viewer.draw_at_extreme_sizes();
}

TEST_F(viewer_timings_page, cuts_no_run_s_name) {
  std::string document = bench_document("2026-03-01T10:00", 50);
  document.replace(document.find("abc123"), 6, "abc1234-with-changes-of-its-own");
  result("a.json", document);
  auto viewer = open();
  viewer.surface->size = {900, 600};
  viewer.frame(3);
  EXPECT_TRUE(viewer.sees_all_of("2026-03-01 10:00  abc1234-with-changes-of-its-own"));
}

TEST_F(viewer_timings_page, is_scrolled_on_over_plots_that_come_to_the_mouse) {
  result("a.json", bench_document("2026-03-01T10:00", 50));
  auto viewer = open();
  viewer.surface->size = {1280, 500};
  viewer.application.open("Timings", "sum_of_two");
  viewer.frame(3);
  EXPECT_FALSE(viewer.sees("the time grows as elements"));
  const auto row = viewer.find("50 ms ± 2 %");
  ASSERT_TRUE(row);
  const auto turn_wheel = [&](int n, float by) {
    for (int k = 0; k < n; ++k) {
      viewer.surface->wheel = by;
      viewer.frame(2);
    }
  };
  viewer.surface->mouse = *row;
  viewer.frame(2);
  turn_wheel(30, -1);
  EXPECT_TRUE(viewer.sees("the time grows as elements")) << "down to the end";
  const auto plot = viewer.find("time of a call [ms]");
  ASSERT_TRUE(plot);
  const ImVec2 inside{plot->x + 100, plot->y + 60};
  viewer.surface->mouse = inside;  // now the mouse comes to the plot
  viewer.frame(2);
  turn_wheel(30, 1);
  EXPECT_FALSE(viewer.sees("the time grows as elements")) << "the page was scrolled back";
  turn_wheel(30, -1);
  viewer.click_at(inside);
  const auto ticks_before = viewer.fingerprint();
  turn_wheel(5, 1);
  EXPECT_TRUE(viewer.sees("the time grows as elements")) << "the wheel belongs to the plot that was clicked";
  EXPECT_NE(viewer.fingerprint(), ticks_before) << "it was zoomed";
}

TEST_F(viewer_timings_page, answers_within_two_frames) {
  result("a.json", bench_document("2026-03-01T10:00", 50));
  auto viewer = open();
  EXPECT_LE(viewer.frames_from_click("big", [&] { return viewer.sees("Left out: it needs 3 GB"); }), 2);
  viewer.frame(3);
  EXPECT_LE(viewer.frames_from_click("sum_of_two", [&] { return viewer.sees("50 ms ± 2 %"); }), 2);
  viewer.frame(3);
  const auto title = viewer.find("the sum of two arrays");
  ASSERT_TRUE(title);
  viewer.surface->mouse = {title->x + 100, title->y + 100};
  viewer.frame(3);
  EXPECT_LE(viewer.frames_until_change([](auto& on) { on.wheel = 1; }), 2);
  viewer.frame(3);
  viewer.surface->buttons[0] = true;
  viewer.frame(3);
  EXPECT_LE(viewer.frames_until_change([](auto& on) { on.mouse.x += 40; }), 2);
}

}  // namespace
