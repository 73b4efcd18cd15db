// The recorded timeline of a run as JSON and back, and what is refused.

#include "workbook/json/timeline_json.h"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <nlohmann/json.hpp>

#include "tests/runtime/refused.h"

namespace {

using runtime_test::refused;
using workbook::read_run_timeline;
using workbook::run_timeline;
using enum gs::timeline_kind;

run_timeline sample() {
  const double nan = std::numeric_limits<double>::quiet_NaN();
  return {.program = "34_streams_and_overlap",
          .title = "Pieces",
          .device = "engine",
          .entries = {{copy_to_device, "copy to the device", 0, 0.25, 0.5, 4000},
                      {launch, "take_roots", 0, 0.5, 0.75, 0},
                      {wait, "wait", 1, nan, nan, 0},
                      {copy_to_host, "copy to the host", 1, 0.75, 1, 4000}}};
}

TEST(timeline_json, brings_back_what_was_written) {
  const run_timeline t = read_run_timeline(to_json(sample()), "reading it");
  EXPECT_EQ(t.program, "34_streams_and_overlap");
  EXPECT_EQ(t.title, "Pieces");
  EXPECT_EQ(t.device, "engine");
  const auto expected = sample().entries;
  ASSERT_EQ(t.entries.size(), expected.size());
  for (std::size_t k = 0; k < expected.size(); ++k) {
    EXPECT_EQ(t.entries[k].kind, expected[k].kind) << k;
    EXPECT_EQ(t.entries[k].name, expected[k].name) << k;
    EXPECT_EQ(t.entries[k].stream, expected[k].stream) << k;
    EXPECT_EQ(t.entries[k].bytes, expected[k].bytes) << k;
    if (k != 2) {
      EXPECT_EQ(t.entries[k].start, expected[k].start) << k;
      EXPECT_EQ(t.entries[k].stop, expected[k].stop) << k;
    }
  }
  EXPECT_TRUE(std::isnan(t.entries[2].start) && std::isnan(t.entries[2].stop));
}

TEST(timeline_json, refuses_another_document) {
  const auto changed = [](auto change) {
    auto document = nlohmann::json::parse(to_json(sample()));
    change(document);
    return document.dump();
  };
  const auto is_refused = [](const std::string& text, const std::string& why) {
    return refused([&] { read_run_timeline(text, "reading it"); }, {"reading it", why, "--timeline FILE"});
  };
  EXPECT_TRUE(is_refused("", "JSON"));
  EXPECT_TRUE(is_refused("[]", "type"));
  EXPECT_TRUE(is_refused(changed([](auto& d) { d["schema"] = "gridstride-bench/1"; }), "another kind of document"));
  EXPECT_TRUE(is_refused(changed([](auto& d) { d["version"] = 2; }), "of another version"));
  EXPECT_TRUE(is_refused(changed([](auto& d) { d.erase("device"); }), "device"));
  EXPECT_TRUE(is_refused(changed([](auto& d) { d["entries"][0]["kind"] = "sleep"; }), "'sleep' is no kind of work"));
  EXPECT_TRUE(is_refused(changed([](auto& d) { d["entries"][0]["stream"] = 1'000'000; }), "order of use"));
  EXPECT_TRUE(is_refused(changed([](auto& d) { d["entries"][1]["stop_seconds"] = 0.1; }), "stops before it starts"));
}

}  // namespace
