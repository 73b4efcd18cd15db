// JSON: the document is read back with a parser and compared with what went in.

#include "workbook/json/report_json.h"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <nlohmann/json.hpp>
#include <random>

namespace {

using nlohmann::json;

json json_of(const workbook::report& r, const std::optional<workbook::run_failure>& failure = {}) {
  return json::parse(to_json(r, failure));
}

TEST(report_json, describes_the_run) {
  workbook::report r;
  r.about = {
      .lesson = 6,
      .name = "gaussian_pdf",
      .title = "Arithmetic",
      .device = "engine",
      .target = "device",
      .parameters = workbook::parameters({workbook::integer{.name = "size", .min = 1, .max = 9, .default_value = 3},
                                          workbook::real{.name = "sigma", .min = 0, .max = 2, .default_value = 0.5},
                                          workbook::choice{.name = "mode", .choices = {"fast"}}})};
  r.about.parameters.set_seed(18446744073709551615u);
  const json d = json_of(r);
  EXPECT_EQ(d["schema"], "gridstride-report");
  EXPECT_EQ(d["version"], 1);
  EXPECT_EQ(d["lesson"], 6);
  EXPECT_EQ(d["name"], "gaussian_pdf");
  EXPECT_EQ(d["title"], "Arithmetic");
  EXPECT_EQ(d["device"], "engine");
  EXPECT_EQ(d["target"], "device");
  EXPECT_EQ(d["seed"], 18446744073709551615u);
  EXPECT_EQ(d["parameters"], json::parse(R"({"size": 3, "sigma": 0.5, "mode": "fast"})"));
  EXPECT_EQ(d["status"], "passed");
  EXPECT_EQ(d["checks"], json::parse(R"({"all": 0, "failed": 0})"));
  EXPECT_FALSE(d.contains("error"));
}

TEST(report_json, says_how_it_went) {
  workbook::report r;
  r.check("no", false);
  EXPECT_EQ(json_of(r)["status"], "failed");
  EXPECT_EQ(json_of(r)["checks"]["failed"], 1);
  const json d = json_of(r, workbook::run_failure{3, "no GPU"});
  EXPECT_EQ(d["status"], "error");
  EXPECT_EQ(d["error"], json::parse(R"({"exit_status": 3, "message": "no GPU"})"));
}

TEST(report_json, holds_every_item) {
  const double nan = std::nan(""), inf = std::numeric_limits<double>::infinity();
  workbook::report r;
  r.heading("h");
  r.paragraph("\"quotes\", µ and\nlines");
  r.table("t", {"a", {"b", "ms"}})
      .row(1, 2.5)
      .row(nan, -inf)
      .row("x", true)
      .row(workbook::seconds(0.5), workbook::cell{});
  r.check_equal("c", 1, 2);
  r.timing("s", {{1e-6, 3e-6}, 10}, {.bytes = 8, .operations = 2});
  r.account("l", {.copies_to_device = 1, .bytes_to_device = 2, .launches = 7});
  const json items = json_of(r)["items"];
  ASSERT_EQ(items.size(), 6u);
  EXPECT_EQ(items[0], json::parse(R"({"kind": "heading", "text": "h"})"));
  EXPECT_EQ(items[1]["text"], "\"quotes\", µ and\nlines");
  EXPECT_EQ(items[2], json::parse(R"({"kind": "table", "title": "t",
      "columns": [{"name": "a", "unit": ""}, {"name": "b", "unit": "ms"}],
      "rows": [[1, 2.5], ["NaN", "-inf"], ["x", true], [{"value": 0.5, "unit": "s"}, null]]})"));
  EXPECT_EQ(items[3], json::parse(R"({"kind": "check", "name": "c", "passed": false, "expected": "2", "got": "1"})"));
  EXPECT_EQ(items[4]["mean_seconds"], 2e-6);
  EXPECT_EQ(items[4]["best_seconds"], 1e-6);
  EXPECT_EQ(items[4]["loops"], 10);
  EXPECT_EQ(items[4]["run_seconds"], json::parse("[1e-6, 3e-6]"));
  EXPECT_EQ(items[4]["bytes"], 8);
  EXPECT_EQ(items[4]["operations"], 2);
  EXPECT_EQ(items[4]["text"], "2 µs ± 1 µs per loop (mean ± std. dev. of 2 runs, 10 loops each)");
  EXPECT_EQ(items[5]["bytes_to_device"], 2);
  EXPECT_EQ(items[5]["launches"], 7);
}

TEST(report_json, holds_predictions) {
  workbook::parameters values({}, {{.name = "time", .question = "How long?", .unit = "s"}});
  workbook::report r;
  r.prediction(values, "time", 3);
  values.set_guess("time", "1.5");
  r.prediction(values, "time", 3);
  r.prediction(values, "time", std::nan(""));
  const json items = json_of(r)["items"];
  EXPECT_EQ(items[0], json::parse(R"({"kind": "prediction", "name": "time", "question": "How long?", "unit": "s",
      "guess": null, "measured": 3.0, "factor": null})"));
  EXPECT_EQ(items[1]["guess"], 1.5);
  EXPECT_EQ(items[1]["factor"], 2.0);
  EXPECT_EQ(items[2]["measured"], "NaN");
  EXPECT_EQ(items[2]["factor"], nullptr);
}

TEST(report_json, has_nan_for_what_was_not_timed) {
  workbook::report r;
  r.timing("s", {{std::nan("")}, 1});
  const json item = json_of(r)["items"][0];
  for (const char* member : {"mean_seconds", "standard_deviation_seconds", "best_seconds"})
    EXPECT_EQ(item[member], "NaN");
  EXPECT_EQ(item["run_seconds"], json::parse(R"(["NaN"])"));
  EXPECT_EQ(item["text"], "not timed");
}

TEST(report_json, holds_plots) {
  const double nan = std::nan("");
  workbook::report r;
  r.plot(workbook::xy_plot{
      .title = "xy",
      .x = {.label = "n", .log = true, .min = 1},
      .y = {.max = 9, .whole = true},
      .series = {{.name = "s", .x = {1, 2}, .y = {nan, 4}, .style = workbook::drawn_as::points}, {.y = {5, 6}}},
      .references = {{.at = 3, .label = "here", .vertical = true}}});
  r.plot(workbook::bar_plot{.title = "bars", .categories = {"a"}, .groups = {{.name = "g", .values = {1}}}});
  r.plot(workbook::heat_map{.title = "heat", .rows = 1, .columns = 2, .values = {1, nan}});
  const json items = json_of(r)["items"];
  EXPECT_EQ(items[0]["kind"], "xy plot");
  EXPECT_EQ(items[0]["x"], json::parse(R"({"label": "n", "unit": "", "log": true, "min": 1.0})"));
  EXPECT_EQ(items[0]["y"], json::parse(R"({"label": "", "unit": "", "log": false, "max": 9.0, "whole": true})"));
  EXPECT_EQ(items[0]["series"][0]["x"], json::parse("[1.0, 2.0]"));
  EXPECT_EQ(items[0]["series"][0]["y"], json::parse(R"(["NaN", 4.0])"));
  EXPECT_EQ(items[0]["series"][0]["style"], "points");
  EXPECT_EQ(items[0]["series"][1]["x"], json::parse("[0.0, 1.0]"));
  EXPECT_EQ(items[0]["references"][0], json::parse(R"({"at": 3.0, "label": "here", "vertical": true})"));
  EXPECT_EQ(items[1]["groups"][0]["values"], json::parse("[1.0]"));
  EXPECT_EQ(items[2]["values"], json::parse(R"([[1.0, "NaN"]])"));
}

TEST(report_json, holds_access_pictures) {
  workbook::report r;
  r.access_picture("column", {.kernel = "transpose",
                              .where = {"lesson.cpp", 25, 7},
                              .array = "a",
                              .block = {1, 2, 0},
                              .warp = 3,
                              .extents = {8, 16},
                              .requests = {{.kind = gs::access_kind::write, .lanes = {{0, 0}, {4, 64}}}}});
  EXPECT_EQ(json_of(r)["items"][0], json::parse(R"({"kind": "access picture", "title": "column",
      "kernel": "transpose", "where": {"file": "lesson.cpp", "line": 25, "column": 7}, "array": "a",
      "extents": [8, 16], "element_bytes": 4, "block": [1, 2, 0], "warp": 3,
      "space": "global", "access": "write", "bytes": 4, "lanes": [0, 4], "addresses": [0, 64],
      "cost": {"bytes_used": 8, "sectors": 2, "ideal_sectors": 1, "wavefronts": 0, "ideal_wavefronts": 0,
               "addresses": 2, "most_per_address": 1}})"));
}

TEST(report_json, holds_diagrams) {
  workbook::report r;
  r.plot(workbook::diagram{
      .title = "copies",
      .groups = {"host", ""},
      .cells = {{.x = 0, .y = 1, .text = "x", .group = 0}, {.x = 2, .y = -1, .width = 3, .height = 2}},
      .arrows = {{.from = 1, .to = 0, .group = 1}, {.from = 0, .to = 1}}});
  EXPECT_EQ(json_of(r)["items"][0], json::parse(R"({"kind": "diagram", "title": "copies", "groups": ["host", ""],
      "cells": [{"x": 0.0, "y": 1.0, "width": 1.0, "height": 1.0, "text": "x", "group": 0},
                {"x": 2.0, "y": -1.0, "width": 3.0, "height": 2.0, "text": "", "group": null}],
      "arrows": [{"from": 1, "to": 0, "group": 1}, {"from": 0, "to": 1, "group": null}]})"));
}

TEST(report_json, holds_timelines) {
  workbook::report r;
  r.plot(workbook::timeline{.title = "copies",
                            .rows = {"stream 0", "stream 1"},
                            .groups = {"copy", "kernel"},
                            .bars = {{.row = 1, .group = 0, .start = 0.5, .stop = 2, .text = "in"},
                                     {.row = 0, .group = 1, .start = std::nan(""), .stop = std::nan("")}}});
  EXPECT_EQ(json_of(r)["items"][0], json::parse(R"({"kind": "timeline", "title": "copies",
      "time": {"label": "time", "unit": "ms", "log": false}, "rows": ["stream 0", "stream 1"],
      "groups": ["copy", "kernel"],
      "bars": [{"row": 1, "group": 0, "start": 0.5, "stop": 2.0, "text": "in"},
               {"row": 0, "group": 1, "start": "NaN", "stop": "NaN", "text": ""}]})"));
}

TEST(report_json, reduces_long_series_and_keeps_the_extremes) {
  std::vector<float> y(1'000'000);
  std::mt19937 random(5);
  std::uniform_real_distribution<float> draw(0, 1);
  for (float& v : y) v = draw(random);
  y[777'777] = 5;
  y[123'456] = -5;
  workbook::report r;
  r.plot(workbook::xy_plot{.series = {{.y = y}}});
  const json s = json_of(r)["items"][0]["series"][0];
  EXPECT_EQ(s["points"], 1'000'000);
  EXPECT_EQ(s["reduced"], true);
  ASSERT_EQ(s["x"].size(), 10'000u);
  ASSERT_EQ(s["y"].size(), 10'000u);
  EXPECT_EQ(*std::max_element(s["y"].begin(), s["y"].end()), 5.0);
  EXPECT_EQ(*std::min_element(s["y"].begin(), s["y"].end()), -5.0);
  for (std::size_t i = 0; i < s["x"].size(); ++i) ASSERT_EQ(s["y"][i].get<float>(), y[s["x"][i].get<std::size_t>()]);
}

TEST(report_json, survives_text_that_is_not_utf8) {
  workbook::report r;
  r.paragraph("broken \xff byte");
  EXPECT_EQ(json_of(r)["items"][0]["text"], "broken \xEF\xBF\xBD byte");
}

}  // namespace
