// The points that single lessons make: the numbers on which their texts rest are in their reports.

#include <cmath>
#include <map>
#include <sstream>
#include <string>

#include "tests/lessons/lesson_process.h"
#include "workbook/json/inspection_json.h"

namespace {

using nlohmann::json;

json table_titled(const json& report, const std::string& title) {
  for (const json& table : items_of(report, "table"))
    if (table.at("title") == title) return table;
  ADD_FAILURE() << "no table \"" << title << "\"";
  return {};
}

TEST(hypot, breaks_where_the_text_says) {
  const json rows =
      table_titled(passing_report("01_hypot", "--size 31"), "The same functions where it gets difficult").at("rows");
  //                        x       y      direct  textbook  std::hypot
  EXPECT_EQ(rows.at(0), json({3.0, 4.0, 5.0, 5.0, 5.0}));
  EXPECT_EQ(rows.at(1).at(2), "inf");
  for (std::size_t method : {3, 4}) EXPECT_NEAR(rows.at(1).at(method).get<double>() / 5e200, 1, 1e-15);
  EXPECT_EQ(rows.at(2).at(2), 0.0);
  EXPECT_NEAR(rows.at(2).at(3).get<double>() / 5e-200, 1, 1e-15);
  EXPECT_EQ(rows.at(3), json({0.0, 0.0, 0.0, "NaN", 0.0}));
  EXPECT_EQ(rows.at(5), json({"inf", "inf", "inf", "NaN", "inf"}));
}

TEST(hypot, times_the_same_function_with_and_without_the_optimiser) {
  double unoptimised = 0, optimised = 0;
  for (const json& timing : items_of(passing_report("01_hypot", "--size 31"), "timing")) {
    if (timing.at("name") == "textbook, -O0") unoptimised = timing.at("best_seconds");
    if (timing.at("name") == "textbook, -O3") optimised = timing.at("best_seconds");
  }
  EXPECT_GT(unoptimised, 0);
  EXPECT_GT(optimised, 0);
}

TEST(monte_carlo_pi, shows_how_far_shared_streams_scatter) {
  const json report = passing_report("02_monte_carlo_pi", "--size 1009 --pieces 4 --games 400");
  const json rows = table_titled(report, "400 games, 4 pieces, 10000 darts").at("rows");
  EXPECT_NEAR(rows.at(0).at(4).get<double>(), 1, 0.2);
  EXPECT_NEAR(rows.at(1).at(4).get<double>(), 2, 0.4);  // four pieces that know no more than one
  const json picture = items_of(report, "xy plot").at(0);
  for (const json& series : picture.at("series")) {
    double total = 0;
    for (const json& share : series.at("y")) total += share.get<double>();
    EXPECT_NEAR(total, 1, 0.03);  // what is further off than 8 isn't drawn
  }
}

TEST(ufunc, refuses_one_number_per_row_unless_the_matrix_is_square) {
  const auto says = [](const std::string& options) {
    std::string text;
    for (const json& paragraph : items_of(passing_report("04_ufunc", "--size 31 " + options), "paragraph"))
      text += paragraph.at("text").get<std::string>() + "\n";
    return text;
  };
  EXPECT_NE(says("").find("shape (3, 4) and (3,) don't broadcast: dimension 1 is 4 and 3"), std::string::npos);
  EXPECT_NE(says("--rows 4").find("add(matrix, one_per_row) is accepted; the result's shape is (4, 4)"),
            std::string::npos);
  EXPECT_NE(says("--rows 1").find("the result's shape is (1, 4)"), std::string::npos);
}

TEST(ufunc, draws_the_distance_from_the_middle) {
  const json picture = items_of(passing_report("04_ufunc", "--size 5"), "heat map").at(0);
  for (std::size_t r = 0; r < 5; ++r) {
    for (std::size_t c = 0; c < 5; ++c) {
      const double x = -1 + 0.5 * static_cast<double>(c), y = -1 + 0.5 * static_cast<double>(r);
      EXPECT_NEAR(picture.at("values").at(r).at(c).get<double>(), std::hypot(x, y), 1e-6);
    }
  }
}

TEST(too_small, tests_both_predictions) {
  const json report = passing_report("05_too_small", "--size 1009 --guess-elements 0.5k");
  const auto predictions = items_of(report, "prediction");
  ASSERT_EQ(predictions.size(), 2u);
  EXPECT_EQ(predictions[0].at("guess"), 500);
  EXPECT_TRUE(predictions[1].at("guess").is_null());
  EXPECT_TRUE(predictions[0].at("measured") == "inf" || predictions[0].at("measured") >= 100) << predictions[0];
  EXPECT_TRUE(predictions[1].at("measured") == "inf" || predictions[1].at("measured") >= 2) << predictions[1];
  EXPECT_EQ(items_of(report, "xy plot").at(0).at("references").back().at("label"), "your guess");
}

TEST(device_functions, clamps_as_printed_and_as_meant) {
  const json report = passing_report("07_device_functions", "--size 1009");
  const json rows = table_titled(report, "Clamped to 0 ... 1").at("rows");
  const std::vector<std::vector<double>> expected{{-2, 0, 0},      {0, 0, 0}, {0.25, 1, 0.25},
                                                  {0.75, 1, 0.75}, {1, 1, 1}, {7, 1, 1}};
  for (std::size_t k = 0; k < expected.size(); ++k) EXPECT_EQ(rows.at(k), json(expected[k])) << k;
  const json tests = table_titled(report, "1009 random numbers of -1 ... 2").at("rows");
  EXPECT_EQ(tests.at(0), json({"the result lies in 0 ... 1", 0, 0}));
  EXPECT_NEAR(tests.at(1).at(1).get<double>(), 1009.0 / 3, 75);  // five standard deviations
  EXPECT_EQ(tests.at(1).at(2), 0);
}

TEST(gaussian_pdf, draws_the_density) {
  const json curve = items_of(passing_report("06_gaussian_pdf", "--size 31 --mean 2 --sigma 3"), "xy plot").at(0);
  const json& series = curve.at("series").at(0);
  double area = 0;
  for (std::size_t i = 0; i < series.at("y").size(); ++i) {
    const double t = (series.at("x").at(i).get<double>() - 2) / 3, y = series.at("y").at(i);
    EXPECT_NEAR(y, std::exp(-t * t / 2) / (3 * std::sqrt(2 * M_PI)), 1e-6);
    area += y * 3 * 8 / 400;
  }
  EXPECT_NEAR(area, std::erf(4 / std::sqrt(2.0)), 1e-4);  // from 4 sigma below to 4 sigma above
}

TEST(gaussian_pdf, copies_only_host_arrays_and_only_for_the_device) {
  std::vector<double> crossed;
  const json table = table_titled(passing_report("06_gaussian_pdf", "--size 1009"), "Time of a call");
  for (const json& row : table.at("rows")) crossed.push_back(row.at(5).at("value"));
  EXPECT_EQ(crossed, (std::vector<double>{0, 0, 2 * 4 * 1009, 0}));
}

TEST(zero_suppress, leaves_what_the_plot_shows_above_the_threshold) {
  const json report = passing_report("08_zero_suppress", "--size 5000 --threshold 20");
  const auto plots = items_of(report, "xy plot");
  const json original = plots.at(0).at("series").at(0).at("y"), suppressed = plots.at(1).at("series").at(0).at("y");
  ASSERT_EQ(original.size(), 5000u);
  std::size_t kept_count = 0;
  for (std::size_t i = 0; i < original.size(); ++i) {
    const double value = original.at(i);
    EXPECT_EQ(suppressed.at(i), value >= 20 ? value : 0) << i;
    kept_count += value >= 20;
  }
  EXPECT_GT(kept_count, 100u);
  EXPECT_EQ(table_titled(report, "").at("rows").at(1), json({"kept", kept_count}));
}

TEST(zero_suppress, has_as_many_pulses_as_were_asked_for) {
  const json report = passing_report("08_zero_suppress", "--size 5000 --pulses 7 --noise 0 --threshold 10");
  EXPECT_EQ(table_titled(report, "").at("rows").at(2).at(1), 7);  // without noise each pulse is one piece
  EXPECT_EQ(table_titled(passing_report("08_zero_suppress", "--pulses 0 --noise 0"), "").at("rows").at(1).at(1), 0);
}

TEST(zero_suppress, loses_the_largest_magnitude_in_int16_only) {
  const json rows =
      table_titled(passing_report("08_zero_suppress", "--size 31"), "Three rules, threshold 15").at("rows");
  EXPECT_EQ(rows.at(4), json({-32767, 0, -32767, -32767}));
  EXPECT_EQ(rows.at(5), json({-32768, 0, 0, -32768}));
}

TEST(device_arrays, the_ledger_tells_the_four_ways_apart) {
  const auto accounts = items_of(passing_report("09_device_arrays", "--size 1009 --target cpu"), "ledger");
  ASSERT_EQ(accounts.size(), 5u);
  const std::vector<std::string> names{"the statements above", "host arrays", "device inputs", "device output",
                                       "all on the device"};
  const std::vector<std::vector<int>> copies{{1, 2}, {2, 1}, {0, 1}, {2, 0}, {0, 0}};
  for (std::size_t k = 0; k < 5; ++k) {
    EXPECT_EQ(accounts[k].at("name"), names[k]);
    EXPECT_EQ(accounts[k].at("copies_to_device"), copies[k][0]) << names[k];
    EXPECT_EQ(accounts[k].at("bytes_to_device"), copies[k][0] * 4 * 1009) << names[k];
    EXPECT_EQ(accounts[k].at("copies_to_host"), copies[k][1]) << names[k];
    EXPECT_EQ(accounts[k].at("bytes_to_host"), copies[k][1] * 4 * 1009) << names[k];
    EXPECT_EQ(accounts[k].at("launches"), 1) << names[k];
  }
}

TEST(make_pulses, copies_less_from_way_to_way) {
  const auto accounts = items_of(passing_report("10_make_pulses", "--size 1009"), "ledger");
  ASSERT_EQ(accounts.size(), 5u);
  const int copies[][3] = {{4, 2, 2}, {3, 1, 2}, {3, 1, 1}, {0, 1, 2}, {0, 0, 2}};  // in, out, launches
  for (std::size_t k = 0; k < 5; ++k) {
    EXPECT_EQ(accounts[k].at("bytes_to_device"), copies[k][0] * 4 * 1009) << k;
    EXPECT_EQ(accounts[k].at("bytes_to_host"), copies[k][1] * 4 * 1009) << k;
    EXPECT_EQ(accounts[k].at("launches"), copies[k][2]) << k;
  }
}

TEST(gufunc, turns_one_shape_by_each_matrix) {
  const json series = items_of(passing_report("11_gufunc", "--size 31 --turns 4"), "xy plot").at(0).at("series");
  ASSERT_EQ(series.size(), 4u);
  for (std::size_t i = 0; i < 7; ++i)
    for (std::size_t k = 0; k < 3; ++k) {  // a quarter of a circle further: (x, y) has become (-y, x)
      EXPECT_NEAR(series[k + 1]["x"][i].get<double>(), -series[k]["y"][i].get<double>(), 1e-6);
      EXPECT_NEAR(series[k + 1]["y"][i].get<double>(), series[k]["x"][i].get<double>(), 1e-6);
    }
}

TEST(reduce, loses_in_one_order_what_it_keeps_in_another) {
  const json rows = table_titled(passing_report("12_reduce", "--size 1000000"), "").at("rows");
  EXPECT_NEAR(rows.at(0).at(1).get<double>(), 100'958.34, 0.01);  // float32 from the left, as in any language
  for (std::size_t k = 1; k < 4; ++k) EXPECT_NEAR(rows.at(k).at(1).get<double>(), 1e5, 0.01) << k;
}

TEST(first_kernel, shows_whom_a_grid_reaches) {
  const auto tables = items_of(passing_report("13_first_kernel", "--size 21 --threads 8"), "table");
  ASSERT_EQ(tables.size(), 3u);
  EXPECT_EQ(tables[0].at("rows").back(), json({20, 2, 4, 20}));
  EXPECT_EQ(tables[1].at("rows"),
            json({{2, 16, 16, 0, 0}, {3, 24, 21, 0, 3}, {4, 32, 21, 0, 11}, {30, 240, 21, 0, 219}}));
  EXPECT_EQ(tables[2].at("rows").at(0), json({"add", 3, 0}));
  if (tables[2].at("rows").size() == 2) {  // the checked flavour stops the other kernel
    EXPECT_EQ(tables[2].at("rows").at(1), json({"add_unguarded", 3, 3}));
  }
}

TEST(launch_configuration, sets_a_guess_beside_what_came_out) {
  const json report = passing_report("14_launch_configuration", "--size 1009 --thread_registers 64 --guess-idle 30");
  const auto predictions = items_of(report, "prediction");
  ASSERT_EQ(predictions.size(), 3u);
  EXPECT_EQ(predictions[1].at("guess"), 30.0);
  EXPECT_EQ(predictions[1].at("measured"), 100.0 * 31 / 64);
  EXPECT_EQ(predictions[0].at("guess"), nullptr);
  // 64 registers for each of 32 lanes: of 65,536 there are enough for 32 warps, 4 blocks of 8.
  const json row = table_titled(report, "On a GPU of compute capability 9.0").at("rows").at(8);
  EXPECT_EQ(row, json({256, 8, 0, 4, 32, 50.0}));
}

TEST(grid_stride, one_element_each_computes_as_many_as_there_are_threads) {
  const json rows =
      table_titled(passing_report("15_grid_stride", "--size 1009 --blocks 3 --threads 31"), "").at("rows");
  EXPECT_EQ(rows.at(0), json({"one each", 93, 1009, 93, 1009 - 93, 0}));
  for (std::size_t loop : {1, 2}) EXPECT_EQ(rows.at(loop).at(3), 1009);
}

TEST(asynchrony, compares_the_guesses_with_what_it_measures) {
  const json report = passing_report("16_asynchrony", "--size 1009 --rounds 10 --guess-launch 20 --guess-streams 2");
  const auto predictions = items_of(report, "prediction");
  ASSERT_EQ(predictions.size(), 2u);
  EXPECT_EQ(predictions[0].at("guess"), 20.0);
  EXPECT_EQ(predictions[1].at("guess"), 2.0);
  for (const json& p : predictions) EXPECT_GT(p.at("measured").get<double>(), 0);
}

TEST(races_and_atomics, one_core_counts_right_without_an_atomic) {
  setenv("GRIDSTRIDE_THREADS", "1", 1);
  const json report = passing_report("17_races_and_atomics", "--size 100003");
  unsetenv("GRIDSTRIDE_THREADS");
  const json rows = table_titled(report, "Counted, each ten times").at("rows");
  ASSERT_EQ(rows.size(), 4u);
  EXPECT_EQ(rows.at(3), json({100'003, 100'003, 100'003, 100'003, 100'003}));
}

TEST(histogram, counts_every_value_once_and_shows_what_a_wrong_sign_loses) {
  const json report = passing_report("18_histogram", "--size 5000 --bins 8");
  const json rows = table_titled(report, "").at("rows");
  ASSERT_EQ(rows.size(), 8u + 3 + 2);  // bins; below, above, NaN; the sums
  std::size_t total = 0;
  for (std::size_t k = 0; k < 11; ++k) total += rows.at(k).at(4).get<std::size_t>();
  EXPECT_EQ(total, 5000u);
  EXPECT_EQ(rows.at(11).at(4), 5000);
  EXPECT_LT(rows.at(11).at(2), 50);  // of normal data, 14 in 10,000 are above 3
  EXPECT_EQ(rows.at(12).at(2).get<int>(), 5000 - rows.at(11).at(2).get<int>());
  const json heights = items_of(report, "bar plot").at(0).at("groups").at(0).at("values");
  for (std::size_t k = 0; k < 8; ++k) EXPECT_EQ(heights.at(k), rows.at(k).at(4)) << k;
}

TEST(histogram, has_room_for_the_numbers_of_its_picture_in_80_columns) {
  for (const char* seed : {"1", "2", "3"}) {
    const std::string options = std::string(" --size 1009 --seed ") + seed + " 2>/dev/null";
    std::istringstream lines(run_command("COLUMNS=80 " + lesson_program("18_histogram") + options).out);
    std::string line;
    while (std::getline(lines, line) && !line.starts_with("Twelve values")) continue;
    int rows = 0;
    for (; std::getline(lines, line) && rows < 16; ++rows) EXPECT_EQ(line.find("…"), line.npos) << line;
    EXPECT_EQ(rows, 16);
  }
}

TEST(histogram, follows_its_rule_on_the_edges) {
  for (const json& table : items_of(passing_report("18_histogram", "--size 31"), "table")) {
    if (table.at("columns").at(0).at("name") != "value") continue;
    const std::vector<std::string> slots{"bin 0", "below", "bin 5", "bin 5", "bin 5", "above",
                                         "above", "above", "above", "below", "NaN"};
    for (std::size_t k = 0; k < slots.size(); ++k) EXPECT_EQ(table.at("rows").at(k).at(1), slots[k]) << k;
    return;
  }
  FAIL() << "no table of values on the edge";
}

// In the checked flavour the kernel is stopped where its index leaves the array.
TEST(debugging, one_too_far_spoils_what_lies_behind_and_nothing_else) {
  const json report = passing_report("19_debugging", "--size 1009 --show out_of_bounds");
  const auto tables = items_of(report, "table");
  if (tables.size() == 1) {
    const std::string text = items_of(report, "paragraph").at(0).at("text");
    EXPECT_NE(text.find("index 1009 along dimension 0"), std::string::npos) << text;
    return;
  }
  const json row = tables.at(1).at("rows").at(0);
  EXPECT_EQ(row.at(2), 0);
  EXPECT_EQ(row.at(3), 1000.0);
  EXPECT_NE(row.at(4), 1000.0);
}

TEST(debugging, prints_from_one_thread) {
  const std::string out = run_lesson("19_debugging", "--size 1009 --print 300").out;
  EXPECT_NE(out.find("block (1, 0, 0) thread (44, 0, 0): x[i] = "), std::string::npos) << out;
  EXPECT_EQ(out.find("block ("), out.rfind("block (")) << out;
}

TEST(random_numbers, draws_what_numba_draws) {
  const json rows = table_titled(passing_report("20_random_numbers", "--seed 0 --size 100"), "").at("rows");
  const double first[4][3] = {{0.7666215896606445, 0.8435220718383789, 0.6734751462936401},
                              {0.5122494101524353, 0.925386905670166, 0.5062839388847351},
                              {0.4206429421901703, 0.2280086874961853, 0.6814135909080505},
                              {0.1646333485841751, 0.18427257239818573, 0.62233966588974}};
  for (std::size_t thread = 0; thread < 4; ++thread)
    for (std::size_t draw = 0; draw < 3; ++draw)
      EXPECT_NEAR(rows.at(thread).at(draw + 1).get<double>(), first[thread][draw], 1e-7);
}

TEST(random_numbers, says_the_same_on_every_number_of_cores) {
  std::vector<json> pi;
  for (const char* threads : {"1", "2", "3"}) {
    setenv("GRIDSTRIDE_THREADS", threads, 1);
    pi.push_back(table_titled(passing_report("20_random_numbers", "--size 1009"), "Pi").at("rows"));
    unsetenv("GRIDSTRIDE_THREADS");
  }
  EXPECT_EQ(pi[0], pi[1]);
  EXPECT_EQ(pi[0], pi[2]);
}

TEST(matmul, reads_less_from_way_to_way) {
  const json rows =
      table_titled(passing_report("24_matmul", "--size 33"), "A product of two square matrices").at("rows");
  ASSERT_EQ(rows.size(), 5u);
  const double reads[] = {2, 0.125, 0.125, 0.03125};
  for (std::size_t i = 0; i < 4; ++i) EXPECT_EQ(rows.at(i).at(1), reads[i]);
  EXPECT_EQ(rows.at(4).at(4), 1.0);
}

// In the checked flavour the kernel that reads too far is stopped instead, and the report says where.
TEST(matmul, a_bound_too_far_is_right_by_luck_only) {
  const json report = passing_report("24_matmul", "--size 33");
  for (const json& table : items_of(report, "table"))
    if (table.at("title") == "The same kernel with i <= n") {
      EXPECT_EQ(table.at("rows").at(0).at(2), true);
      EXPECT_EQ(table.at("rows").at(1).at(2), false);
      return;
    }
  const auto paragraphs = items_of(report, "paragraph");
  ASSERT_EQ(paragraphs.size(), 1u);
  EXPECT_NE(paragraphs[0].at("text").get<std::string>().find("lesson.cpp"), std::string::npos);
  EXPECT_NE(paragraphs[0].at("text").get<std::string>().find("index 1089 along dimension 0"), std::string::npos);
}

TEST(coalescing, knows_how_many_sectors_a_warp_touches) {
  const json report = passing_report("22_coalescing", "--size 1009 --guess-stride 2");
  const double sectors[] = {4, 8, 16, 32, 32, 32};
  const json strides = table_titled(report, "A copy that reads with a stride").at("rows");
  for (std::size_t k = 0; k < 6; ++k) EXPECT_EQ(strides.at(k).at(1), sectors[k]);
  EXPECT_EQ(table_titled(report, "A matrix summed up").at("rows").at(0).at(3), 32);
  EXPECT_EQ(table_titled(report, "A matrix summed up").at("rows").at(1).at(3), 4);
  const auto predictions = items_of(report, "prediction");
  ASSERT_EQ(predictions.size(), 3u);
  EXPECT_EQ(predictions[0].at("guess"), 2);
  const double slower = strides.at(5).at(4);
  EXPECT_EQ(predictions[0].at("measured"), slower);
}

TEST(transpose, asks_for_columns_where_the_text_says) {
  const json rows = table_titled(passing_report("25_transpose", "--size 33"), "A warp carries 32 floats").at("rows");
  EXPECT_EQ(rows.at(0), json({"naive", 4, nullptr, nullptr, 32}));
  EXPECT_EQ(rows.at(1), json({"tiled", 4, 1, 32, 4}));
  EXPECT_EQ(rows.at(2), json({"padded", 4, 1, 1, 4}));
}

TEST(fft_mask, takes_two_waves_away_and_stays_on_the_device) {
  const json report = passing_report("27_fft_mask", "--size 101");
  const json rows = table_titled(report, "How far from the scene").at("rows");
  EXPECT_EQ(rows.at(0).at(1), 101 * 179);
  EXPECT_EQ(rows.at(1).at(1), 101 * 179 - 2);
  EXPECT_GT(rows.at(0).at(2), 2.0);  // stripes of strength 3
  EXPECT_LT(rows.at(1).at(2), 0.01);
  const auto accounts = items_of(report, "ledger");
  ASSERT_EQ(accounts.size(), 2u);
  EXPECT_EQ(accounts[0].at("bytes_to_device"), 4 * 101 * 179);
  EXPECT_EQ(accounts[1].at("bytes_to_device"), 4 * 101 * 179 + 8 * 101 * 90);
}

TEST(reduction_ladder, asks_three_times_as_much_where_all_warps_work) {
  const json rows =
      table_titled(passing_report("28_reduction_ladder", "--size 1009"), "A block of 256 threads").at("rows");
  EXPECT_EQ(rows.at(0).at(2), 150);
  EXPECT_EQ(rows.at(1).at(2), 45);
  EXPECT_EQ(rows.at(3), json({"warp shuffle", 1, 9, 16.0 / 9}));
}

TEST(warps, wait_for_the_longest_row) {
  const json rows = table_titled(passing_report("29_warps", "--size 5000"), "The loop over a row's numbers").at("rows");
  const auto lanes = [&](std::size_t row) { return rows.at(row).at(2).get<double>(); };
  EXPECT_LT(lanes(0), 11);  // as they come
  EXPECT_GT(lanes(1), 28);  // sorted
}

TEST(scan, takes_fewest_steps_or_fewest_additions) {
  const json report = passing_report("30_scan", "--size 1009");
  const json rows = table_titled(report, "A scan of 256 numbers").at("rows");
  EXPECT_EQ(rows.at(0), json({"a loop", 255, 255}));
  EXPECT_EQ(rows.at(1), json({"Hillis and Steele", 8, 1793}));
  EXPECT_EQ(rows.at(2), json({"Blelloch", 15, 502}));
  const json eight = table_titled(report, "Eight numbers").at("rows");
  EXPECT_EQ(eight.at(1).at(1), "3 4 8 9 14 23 25 31");
  EXPECT_EQ(eight.at(2).at(1), "3 3 4 4 5 9 9 9");
  EXPECT_EQ(eight.at(3).at(1), "3 4 8 1 6 15 2 8");
}

TEST(occupancy, is_limited_by_what_runs_out_first) {
  const json report = passing_report("32_occupancy", "--size 1009 --model 9.0");
  const json rows = table_titled(report, "What a multiprocessor of the H100 SXM holds").at("rows");
  ASSERT_EQ(rows.size(), 6u);
  EXPECT_EQ(rows.at(1), json({32, 0, 32, 32, 32, 50.0, "blocks"}));
  EXPECT_EQ(rows.at(3), json({256, 0, 128, 2, 16, 25.0, "registers"}));
  EXPECT_EQ(rows.at(5), json({256, 48 << 10, 32, 4, 32, 50.0, "shared memory"}));
  // Little's law by hand: 3350 GB/s over 132 multiprocessors at 1980 MHz, for 600 cycles, by 4 bytes in each of 32
  // lanes.
  const json warps = table_titled(report, "Warps that keep the memory busy").at("rows");
  EXPECT_EQ(warps.at(0).at(2), std::ceil(3350e9 / 132 / 1.98e9 * 600 / 4 / 32));
}

TEST(occupancy, bounds_a_product_by_its_loads_until_arithmetic_takes_as_long) {
  const auto products = [](const std::string& model) {
    const json report = passing_report("32_occupancy", "--size 1009 --model " + model);
    return table_titled(report, "A matrix product, r x r results a thread, blocks of 256 threads").at("rows");
  };
  const double multiply_adds = std::pow(4096.0, 3);
  const json rows = products("9.0");
  // Two loads for each, by 32 lanes at once.
  EXPECT_NEAR(rows.at(0).at(4).at("value").get<double>(), multiply_adds * 2 / 32 / (132 * 1.98e9), 1e-9);
  EXPECT_EQ(rows.at(0).at(5), "shared memory");
  EXPECT_NEAR(rows.at(3).at(4).at("value").get<double>(), multiply_adds / 128 / (132 * 1.98e9), 1e-9);
  // An A100 has half the lanes.
  EXPECT_EQ(products("8.0").at(3).at(5), "arithmetic");
}

TEST(occupancy, asks_for_warps_in_proportion_to_the_latency) {
  const json report = passing_report("32_occupancy", "--size 1009 --model 9.0 --latency 1200");
  const json warps = table_titled(report, "Warps that keep the memory busy").at("rows");
  EXPECT_GT(warps.at(0).at(3), 100) << "more than there are";
}

TEST(roofline, tells_memory_from_arithmetic) {
  const json report = passing_report("33_roofline", "--size 1000000 --model 9.0");
  const json rows = table_titled(report, "H100 SXM: the least time, by its data sheet").at("rows");
  ASSERT_EQ(rows.size(), 6u);
  EXPECT_EQ(rows.at(0).at(0), "add");
  EXPECT_NEAR(rows.at(0).at(3).at("value").get<double>(), 12e6 / 3350e9, 1e-9);
  EXPECT_EQ(rows.at(0).at(4), "memory");
  const double gemm = 2 * std::pow(250.0, 3) / (2e6 * 128 * 132 * 1980);
  EXPECT_NEAR(rows.at(5).at(3).at("value").get<double>(), gemm, 1e-9);
  EXPECT_EQ(rows.at(5).at(4), "arithmetic");
  // No kernel is above the roof of arithmetic, though both were measured.
  for (const json& measured : table_titled(report, "").at("rows"))
    if (measured.at(5) == "arithmetic") {
      EXPECT_GE(measured.at(2).at("value"), measured.at(4).at("value")) << measured.at(0);
    }
}

TEST(stencils_in_depth, reads_four_times_its_cells_or_goes_down) {
  const json report = passing_report("35_stencils_in_depth", "--size 1009 --shapes 2");
  const json rows = table_titled(report, "Numbers read, for each cell").at("rows");
  EXPECT_EQ(rows.at(0), json({"straight", 7.0, 25.0}));
  EXPECT_EQ(rows.at(1), json({"bricks", 1.75, 4.0}));
  EXPECT_EQ(rows.at(2), json({"going down", 608.0 / 512, 896.0 / 512}));
  const json steps = table_titled(report, "Radius 1, for each cell and step").at("rows");
  EXPECT_EQ(steps.at(3), json({4, 0.469, 0.25, 1.875}));
}

TEST(stencils_in_depth, draws_a_front_as_wide_as_there_are_steps) {
  const json picture = items_of(passing_report("35_stencils_in_depth", "--size 31 --shapes 1"), "heat map").at(0);
  const json& rows = picture.at("values");
  ASSERT_EQ(rows.size(), 16u + 4);
  for (std::size_t newest = 0; newest < rows.size(); ++newest)
    for (std::size_t plane = 0; plane < 16; ++plane) {
      const json& made = rows.at(newest).at(plane);
      if (plane > newest)
        EXPECT_FALSE(made.is_number()) << newest << ", " << plane;  // not read yet
      else
        EXPECT_EQ(made, std::min(newest - plane, std::size_t{4})) << newest << ", " << plane;
    }
}

TEST(libraries, takes_one_launch_where_a_kernel_of_our_own_takes_many) {
  const json report = passing_report("36_libraries", "--size 1009");
  const json rows = table_titled(report, "Launches").at("rows");
  ASSERT_EQ(rows.size(), 5u);
  EXPECT_EQ(rows.at(1), json({"Fourier transform", 9, 1}));   // of 512 numbers
  EXPECT_EQ(rows.at(2), json({"sort", 1 + 10 * 11 / 2, 1}));  // of 1,024 places, which are filled first
  for (const std::size_t row : {0, 3, 4}) {
    EXPECT_EQ(rows.at(row).at(1), 1) << row;
    EXPECT_EQ(rows.at(row).at(2), 1) << row;
  }
  // 31 x 31 cells, with four neighbours but for those beyond the edge.
  const double cells = 31 * 31, stored = 5 * cells - 4 * 31;
  const json bytes = table_titled(report, "Bytes, for each row").at("rows");
  EXPECT_NEAR(bytes.at(0).at(1).get<double>(), 4 * stored / cells, 1e-9);
  EXPECT_NEAR(bytes.at(0).at(4).get<double>(), (8 * stored + 4 * (cells + 1)) / cells + 8, 1e-9);
  EXPECT_EQ(bytes.at(1).at(4), 8);
}

TEST(libraries, draws_four_neighbours_of_each_cell) {
  const json picture = items_of(passing_report("36_libraries", "--size 31"), "heat map").at(0);
  const auto apart = [](int a, int b) { return std::abs(a / 6 - b / 6) + std::abs(a % 6 - b % 6); };
  for (int row = 0; row < 36; ++row)
    for (int column = 0; column < 36; ++column) {
      const json& element = picture.at("values").at(static_cast<std::size_t>(row)).at(static_cast<std::size_t>(column));
      if (apart(row, column) > 1)
        EXPECT_FALSE(element.is_number()) << row << ", " << column;
      else
        EXPECT_EQ(element, row == column ? 4 : -1) << row << ", " << column;
    }
}

TEST(attention, has_shares_where_the_formula_has_none) {
  const json report = passing_report("43_attention", "--size 33 --sizes 1");
  const json rows = table_titled(report, "The share of the second").at("rows");
  ASSERT_EQ(rows.size(), 5u);
  EXPECT_EQ(rows.at(0).at(2), 0.7311);
  for (std::size_t k = 1; k < 5; ++k) EXPECT_EQ(rows.at(k).at(2), "NaN") << k;
  for (std::size_t k = 0; k < 5; ++k) EXPECT_EQ(rows.at(k).at(3), rows.at(k).at(4)) << k;
  EXPECT_EQ(rows.at(2).at(3), 0.7311);  // 1 / (1 + 1 / e)
  const json stored = table_titled(report, "Numbers beside queries, keys, values and result").at("rows");
  EXPECT_EQ(stored.at(2).at(1).at("value"), 4e10);
}

TEST(attention, shrinks_its_sum_where_the_largest_rises) {
  const json picture = items_of(passing_report("43_attention", "--size 1 --sizes 1"), "xy plot").at(0);
  const json &scores = picture.at("series").at(0).at("y"), &largest = picture.at("series").at(1).at("y"),
             &sums = picture.at("series").at(2).at("y");
  ASSERT_EQ(scores.size(), 48u);
  std::size_t rises = 0;
  for (std::size_t k = 1; k < scores.size(); ++k) {
    const double before = largest.at(k - 1), now = largest.at(k), score = scores.at(k), sum = sums.at(k - 1);
    EXPECT_EQ(now, std::max(before, score)) << k;
    EXPECT_NEAR(sums.at(k).get<double>(), sum * std::exp(before - now) + std::exp(score - now), 1e-5) << k;
    rises += now > before;
  }
  EXPECT_GE(rises, 3u);
}

TEST(attention, looks_seven_words_back) {
  const json picture = items_of(passing_report("43_attention", "--size 1 --sizes 1"), "heat map").at(0);
  for (std::size_t query = 0; query < 40; ++query) {
    double all = 0, best = 0;
    std::size_t where = 0;
    for (std::size_t key = 0; key < 40; ++key) {
      const double share = picture.at("values").at(query).at(key);
      all += share;
      if (share > best) best = share, where = key;
    }
    EXPECT_NEAR(all, 1, 1e-5);
    if (query >= 7) {
      EXPECT_EQ(where, query - 7);
    }
  }
}

TEST(cuda_cpp, gets_the_same_bits_by_hand_with_calls_that_gs_spares) {
  const std::vector<std::string> names = lesson_names();
  if (std::ranges::find(names, "44_cuda_cpp") == names.end()) GTEST_SKIP() << "this build doesn't have the lesson";
  const json report = passing_report("44_cuda_cpp", "--size 33");
  const json prints = table_titled(report, "Fingerprints of the results").at("rows");
  ASSERT_EQ(prints.size(), 3u);
  for (const json& row : prints) {
    EXPECT_EQ(row.at(1).get<std::string>().size(), 16u) << row;
#if !GRIDSTRIDE_CHECKED  // which has nothing that runs by_hand.cu
    EXPECT_EQ(row.at(1), row.at(2));
#endif
  }
  for (const json& row : table_titled(report, "In the sources of the three programs").at("rows")) {
    const std::string what = row.at(0);
    EXPECT_GT(row.at(1), 0) << what;
    const bool spared = what == "memory given back" || what == "sizes in bytes" || what == "error codes looked at";
    EXPECT_EQ(row.at(2) == 0, spared) << what;
  }
}

TEST(compaction_and_sort, keeps_the_order_by_scan) {
  const json report = passing_report("31_compaction_and_sort", "--size 100003");
  const json rows = table_titled(report, "Pulses of the recording").at("rows");
  ASSERT_EQ(rows.size(), 4u);
  for (const json& row : rows) EXPECT_EQ(row.at(1), rows.at(0).at(1));
  for (const std::size_t row : {2, 3}) EXPECT_EQ(rows.at(row).at(3), 0);
  const json picture = items_of(report, "heat map").at(0);  // its last row is in order
  for (std::size_t k = 1; k < 64; ++k)
    EXPECT_LE(picture.at("values").at(6).at(k - 1).get<double>(), picture.at("values").at(6).at(k).get<double>());
}

#if GRIDSTRIDE_CHECKED
// A kernel's name without the namespace that its lesson is compiled in.
std::string name_alone(const std::string& kernel) {
  const std::size_t colons = kernel.rfind("::");
  return colons == kernel.npos ? kernel : kernel.substr(colons + 2);
}

// The lessons' tables are worked out from addresses; the instruments count what the kernels do.
TEST(coalescing, its_sectors_are_what_the_instruments_count) {
  const std::string report = run_command(lesson_program("22_coalescing") + " --inspect --json 2>/dev/null").out;
  std::map<std::string, double> expected{{"row_sums", 32}, {"column_sums", 4}, {"discharge_array", 4}};
  for (const json& row : table_titled(json::parse(report), "A copy that reads with a stride").at("rows"))
    expected["copy_strided<" + row.at(0).dump().substr(0, row.at(0).dump().find('.')) + ">"] = row.at(1);
  for (const gs::line_counters& line : workbook::inspection_of_report(report).lines) {
    const auto kernel = expected.find(name_alone(line.kernel));
    if (kernel == expected.end() || line.kind != gs::access_kind::read) continue;
    EXPECT_EQ(line.sectors_per_request(), kernel->second) << line.kernel;
    expected.erase(kernel);
  }
  EXPECT_TRUE(expected.empty()) << expected.size() << " kernels not seen";
}

TEST(transpose, its_table_is_what_the_instruments_count) {
  const std::string report = run_command(lesson_program("25_transpose") + " --inspect --json 2>/dev/null").out;
  const json rows = table_titled(json::parse(report), "A warp carries 32 floats").at("rows");
  const std::map<std::string, std::size_t> row_of{{"naive", 0}, {"through_tile<32>", 1}, {"through_tile<33>", 2}};
  std::size_t lines = 0;
  for (const gs::line_counters& line : workbook::inspection_of_report(report).lines) {
    const auto row = row_of.find(name_alone(line.kernel));
    if (row == row_of.end()) continue;
    const bool shared = line.space == gs::memory_space::shared, write = line.kind == gs::access_kind::write;
    const std::size_t column = shared ? (write ? 2 : 3) : (write ? 4 : 1);
    const std::uint64_t counted = shared ? line.wavefronts : line.sectors;
    EXPECT_EQ(counted, rows.at(row->second).at(column).get<std::uint64_t>() * line.requests) << line.where.line;
    ++lines;
  }
  EXPECT_EQ(lines, 2u + 4 + 4);
}

TEST(reduction_ladder, its_requests_are_what_the_instruments_count) {
  const json report =
      json::parse(run_command(lesson_program("28_reduction_ladder") + " --inspect --size 5000 --json 2>/dev/null").out);
  const gs::inspection inspection = workbook::inspection_of_report(report.dump());
  const json rows = table_titled(report, "A block of 256 threads").at("rows");
  const std::vector<std::string> kernels{"interleaved", "sequential", "two_loads", "by_warps"};
  for (std::size_t k = 0; k < kernels.size(); ++k) {
    double blocks = 0, requests = 0;
    for (const gs::kernel_counters& kernel : inspection.kernels)
      if (name_alone(kernel.kernel) == kernels[k]) blocks += static_cast<double>(kernel.grid.size() * kernel.launches);
    for (const gs::line_counters& line : inspection.lines)
      if (name_alone(line.kernel) == kernels[k] && line.space == gs::memory_space::shared)
        requests += static_cast<double>(line.requests);
    EXPECT_EQ(requests / blocks, rows.at(k).at(2).get<double>()) << kernels[k];
  }
}

TEST(stencils_in_depth, its_reads_are_what_the_instruments_count) {
  // 32 planes in all launches: whole blocks, and the ends of a field of this depth.
  const json report =
      json::parse(run_command(lesson_program("35_stencils_in_depth") + " --inspect --json 2>/dev/null").out);
  const json rows = table_titled(report, "Numbers read, for each cell").at("rows");
  const gs::inspection seen = workbook::inspection_of_report(report.dump());
  const std::vector<std::string> kernels{"straight", "bricks", "going_down"};
  for (std::size_t k = 0; k < kernels.size(); ++k)
    for (const int radius : {1, 4}) {
      const std::string kernel = kernels[k] + "<" + std::to_string(radius) + ">";
      double reads = 0, writes = 0;
      for (const gs::line_counters& line : seen.lines)
        if (name_alone(line.kernel) == kernel && line.space == gs::memory_space::global)
          (line.kind == gs::access_kind::read ? reads : writes) += static_cast<double>(line.accesses);
      ASSERT_GT(writes, 0) << kernel;
      const double ends = kernels[k] == "going_down" ? (32.0 + 2 * radius) / 32 : 1;
      EXPECT_NEAR(reads / writes, rows.at(k).at(radius == 1 ? 1 : 2).get<double>() * ends, 1e-9) << kernel;
    }
}

TEST(warps, their_lanes_are_what_the_instruments_count) {
  const json report = json::parse(run_command(lesson_program("29_warps") + " --inspect --json 2>/dev/null").out);
  const double expected = table_titled(report, "The loop over a row's numbers").at("rows").at(2).at(2);
  gs::line_counters loop;
  for (const gs::line_counters& line : workbook::inspection_of_report(report.dump()).lines)
    if (name_alone(line.kernel) == "row_per_warp" && line.array == "values") loop = line;
  EXPECT_NEAR(loop.active_lanes(), expected, 1e-3);
}

#endif

}  // namespace
