// A report in transit: it arrives as it was sent, whatever the pieces it is cut into.

#include "workbook/stream/report_stream.h"

#include <gtest/gtest.h>
#include <sys/mman.h>
#include <unistd.h>

#include <cmath>
#include <limits>
#include <random>

#include "runtime/core/error.h"
#include "tests/workbook/sample_inspection.h"
#include "workbook/json/report_json.h"

namespace {

constexpr double not_a_number = std::numeric_limits<double>::quiet_NaN();

void fill(workbook::report& r) {
  r.about.lesson = 8;
  r.about.name = "zero_suppress";
  r.about.device = "engine";
  r.about.target = "cpu";
  r.heading("Heading");
  r.paragraph("Text with µ and ✓.");
  auto& t = r.table("Points", {"name", {"x", "m"}, "seen"});
  t.row("a", 1.5, true).row("b", workbook::seconds(2e-3), false);
  r.check_equal("sum", 41, 42);
  r.progress(1, 4, "a quarter");
  r.timing("add", {.run_seconds = {1e-3, 2e-3}, .loops = 5}, {.bytes = 12, .operations = 3});
  gs::ledger account;
  account.copies_to_device = 2;
  account.bytes_to_device = 800;
  account.synchronizations = 1;
  r.account("copies", account);
  std::vector<float> numbers(20'000);
  for (std::size_t i = 0; i < numbers.size(); ++i) numbers[i] = static_cast<float>(i) * 0.5f;
  r.plot(workbook::xy_plot{
      .title = "Lines",
      .x = {.label = "t", .unit = "s", .log = true, .min = 1},
      .y = {.whole = true},
      .series = {{.name = "many", .x = workbook::samples::regular(1, 2, numbers.size()), .y = numbers},
                 {.name = "gap", .x = {1, 2, 3}, .y = {1, not_a_number, 3}, .spread = {0, 1, 2}}},
      .references = {{.at = 3, .label = "here", .vertical = true}}});
  r.plot(workbook::bar_plot{
      .title = "Bars", .categories = {"p", "q"}, .groups = {{.name = "g", .values = {1, not_a_number}}}});
  r.plot(workbook::heat_map{.title = "Field",
                            .rows = 2,
                            .columns = 3,
                            .values = {1, 2, 3, 4, 5, 6},
                            .colours = workbook::colour_map::inferno});
  gs::warp_picture picture{.kernel = "k", .where = {"lesson.cpp", 3, 7}, .array = "x", .extents = {4, 8}};
  picture.requests.push_back({.bytes = 4, .lanes = {{0, 0}, {1, 128}}});
  r.access_picture("Access", picture);
  r.plot(workbook::diagram{.title = "Arrows",
                           .groups = {"a", "b"},
                           .cells = {{.x = 1, .y = 2, .width = 3, .height = 4, .text = "µ", .group = 1}, {}},
                           .arrows = {{.from = 1, .to = 0, .group = 0}, {.from = 0, .to = 1}},
                           .unit_width = 20,
                           .unit_height = 10});
  r.plot(workbook::timeline{.title = "Bars in rows",
                            .time = {.label = "t", .unit = "s", .min = 0},
                            .rows = {"p", "q"},
                            .groups = {"a", "b"},
                            .bars = {{.row = 1, .group = 1, .start = 0.5, .stop = 2, .text = "µ"}, {.stop = 1}}});
  r.inspection(sample_inspection("lesson.cpp"), true);
  workbook::parameters values({}, {{.name = "much", .question = "How much?", .unit = "s"}});
  values.set_guess("much", "2k");
  r.prediction(values, "much", 2.5);
}

// Everything that was written to the descriptor since it was made.
std::string all_of(int descriptor) {
  std::string bytes(static_cast<std::size_t>(lseek(descriptor, 0, SEEK_END)), '\0');
  EXPECT_EQ(pread(descriptor, bytes.data(), bytes.size(), 0), static_cast<ssize_t>(bytes.size()));
  return bytes;
}

std::string sent(const std::optional<workbook::run_failure>& failure = {}) {
  const int file = memfd_create("stream", 0);
  workbook::report r;
  {
    workbook::report_sender sender(r, file);
    fill(r);
    std::get<workbook::table>(const_cast<workbook::item&>(r.items()[2])).row("later", 1, true);
    sender.end(failure);
  }
  const std::string bytes = all_of(file);
  close(file);
  return bytes;
}

// A report can't be filled with items as they are, so both are compared as JSON, which holds what fewer than 10,000
// points have, and by what is left out there.
const workbook::item& item_of(const workbook::item& entry) { return entry; }
const workbook::item& item_of(const std::shared_ptr<const workbook::item>& entry) { return *entry; }
std::string json_of(const auto& items) {
  workbook::report r;
  for (const auto& item : items) {
    const workbook::item& entry = item_of(item);
    if (const auto* h = std::get_if<workbook::heading>(&entry)) r.heading(h->text);
    if (const auto* p = std::get_if<workbook::paragraph>(&entry)) r.paragraph(p->text);
    if (const auto* t = std::get_if<workbook::table>(&entry)) r.table(t->title, t->columns).rows = t->rows;
    if (const auto* p = std::get_if<workbook::plot>(&entry)) r.plot(*p);
    if (const auto* t = std::get_if<workbook::timed_statement>(&entry)) r.timing(t->name, t->time, t->work);
    if (const auto* a = std::get_if<workbook::account_entry>(&entry)) r.account(a->name, a->account);
    if (const auto* i = std::get_if<workbook::inspection_entry>(&entry)) r.inspection(i->result, i->all_lines);
    if (const auto* p = std::get_if<workbook::tested_prediction>(&entry)) {
      workbook::parameters values({}, {p->asked});
      if (p->guess) values.set_guess(p->asked.name, std::to_string(*p->guess));
      r.prediction(values, p->asked.name, p->measured);
    }
  }
  return to_json(r);
}

TEST(report_stream, brings_every_item_whole) {
  workbook::report_receiver received;
  received.take(sent());
  workbook::report original;
  fill(original);
  std::get<workbook::table>(const_cast<workbook::item&>(original.items()[2])).row("later", 1, true);

  ASSERT_TRUE(received.about());
  EXPECT_EQ(received.about()->lesson, 8);
  EXPECT_EQ(received.about()->name, "zero_suppress");
  EXPECT_EQ(received.about()->device, "engine");
  EXPECT_EQ(received.about()->target, "cpu");
  ASSERT_EQ(received.items().size(), original.items().size());
  EXPECT_EQ(json_of(received.items()), json_of(original.items()));
  EXPECT_EQ(std::get<workbook::table>(*received.items()[2]).rows.size(), 3u) << "with the row that came late";
  EXPECT_TRUE(received.ended());
  EXPECT_FALSE(received.failure());

  const auto& check = std::get<workbook::check>(*received.items()[3]);
  EXPECT_EQ(check.name, "sum");
  EXPECT_FALSE(check.passed);
  EXPECT_EQ(check.expected, "42");
  EXPECT_EQ(check.got, "41");
  const auto& plot = std::get<workbook::xy_plot>(std::get<workbook::plot>(*received.items()[6]));
  ASSERT_EQ(plot.series[0].y.size(), 20'000u) << "not reduced, as it is in JSON";
  EXPECT_EQ(plot.series[0].y[19'999], 9999.5);
  EXPECT_EQ(plot.series[0].x[19'999], 39'999);
  const auto& field = std::get<workbook::heat_map>(std::get<workbook::plot>(*received.items()[8]));
  EXPECT_EQ(field.colours, workbook::colour_map::inferno);
}

TEST(report_stream, comes_in_any_pieces) {
  const std::string bytes = sent(workbook::run_failure{3, "no GPU"});
  std::mt19937 random(1);
  for (int k = 0; k < 20; ++k) {
    workbook::report_receiver received;
    std::size_t items = 0;
    for (std::size_t at = 0; at < bytes.size();) {
      const std::size_t size = std::min<std::size_t>(bytes.size() - at, random() % (k < 2 ? 2 : 50'000) + (k < 2));
      received.take(std::string_view(bytes).substr(at, size));
      EXPECT_GE(received.items().size(), items);
      items = received.items().size();
      at += size;
    }
    EXPECT_EQ(items, 14u);
    ASSERT_TRUE(received.ended());
    EXPECT_EQ(received.failure()->status, 3);
    EXPECT_EQ(received.failure()->message, "no GPU");
    EXPECT_EQ(received.doing(), "a quarter");
    EXPECT_EQ(received.fraction(), 0.25);
  }
}

TEST(report_stream, shows_items_before_the_end) {
  const int file = memfd_create("stream", 0);
  workbook::report r;
  workbook::report_sender sender(r, file);
  r.heading("one");
  r.heading("two");
  workbook::report_receiver received;
  received.take(all_of(file));
  ASSERT_EQ(received.items().size(), 1u) << "the last one may still change";
  EXPECT_FALSE(received.ended());
  close(file);
}

TEST(report_stream, refuses_what_is_no_report) {
  const auto message_of = [](const std::string& bytes) -> std::string {
    try {
      workbook::report_receiver().take(bytes);
    } catch (const gs::error& e) {
      return e.what();
    }
    return "";
  };
  const std::string size(8, '\0');
  EXPECT_NE(message_of("z" + size).find("a message of an unknown kind"), std::string::npos);
  EXPECT_NE(message_of("a" + size).find("it ends early"), std::string::npos);
  std::string too_many = "e\x09" + size.substr(1) + '\1' + std::string(8, '\xff');
  EXPECT_NE(message_of(too_many).find("it ends early"), std::string::npos);
  std::string item = "i\x10" + size.substr(1) + '\5' + size.substr(1) + size;
  EXPECT_NE(message_of(item).find("before those it follows"), std::string::npos);
  item[9] = '\0';
  item[17] = '\x63';
  EXPECT_NE(message_of(item).find("a kind of value that isn't known"), std::string::npos);
}

TEST(report_stream, survives_bytes_that_were_changed_on_the_way) {
  const std::string bytes = sent();
  std::mt19937 random(7);
  for (int k = 0; k < 2'000; ++k) {
    std::string changed = bytes;
    for (int n = 0; n < 3; ++n)
      changed[random() % std::min<std::size_t>(changed.size(), 3'000)] = static_cast<char>(random());
    workbook::report_receiver received;
    try {
      received.take(changed);
    } catch (const gs::error&) {
    }
  }
}

}  // namespace
