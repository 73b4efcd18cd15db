// Lesson 39: columns. A detector's pulses as a table on the device: filter, join, group-by; and the table in another
// library's hands without a copy.

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <map>
#include <memory>
#include <random>
#include <span>
#include <string>
#include <unordered_map>
#include <vector>

#include "runtime/columns/columns.h"
#include "runtime/gs.h"
#include "workbook/diagram.h"
#include "workbook/lesson.h"

using sample = std::int16_t;
constexpr sample threshold = 15, most = 250;  // the converter can't say more than that
constexpr std::size_t spacing = 200;          // samples from one pulse to the next
constexpr std::uint16_t without_gain = 7;     // this channel has not been calibrated

GS_FN bool is_whole(bool saturated) { return !saturated; }
inline constexpr auto whole = gs::vectorize<is_whole>;
GS_FN float energy_of(float charge, float gain) { return charge * gain; }
inline constexpr auto energy = gs::vectorize<energy_of>;

// --- pulses ----------------------------------------------------------------------------------------------------------

// A row for each stretch of samples that are kept: the table as a host has it, an array for each column.
struct pulses {
  std::vector<std::uint16_t> channel;
  std::vector<std::int32_t> start;
  std::vector<std::uint16_t> length;
  std::vector<sample> height;
  std::vector<float> charge;
  std::unique_ptr<bool[]> saturated;
};

// Lesson 08's train: pulses that rise fast and fade slowly, in noise.
std::vector<sample> pulse_train(std::size_t count, std::mt19937_64& random) {
  std::normal_distribution<float> noise(0, 3);
  std::uniform_real_distribution<float> height(60, 300), moment(0.1f, 0.6f);
  constexpr float decay = spacing / 60.0f;
  std::vector<sample> samples(count * spacing);
  for (std::size_t k = 0; k < count; ++k) {
    const float start = moment(random) * spacing, peak = height(random);
    for (std::size_t i = 0; i < spacing; ++i) {
      const float t = (static_cast<float>(i) - start) / decay;
      const float value = (t > 0 ? peak * t * std::exp(1 - t) : 0) + noise(random);
      samples[k * spacing + i] = static_cast<sample>(std::clamp<float>(std::round(value), -most, most));
    }
  }
  return samples;
}

void add_pulses(pulses& found, std::vector<bool>& saturated, std::uint16_t channel, const std::vector<sample>& x) {
  for (std::size_t i = 0; i < x.size();) {
    std::size_t end = i;
    float sum = 0;
    sample highest = 0;
    for (; end < x.size() && x[end] >= threshold; ++end) sum += x[end], highest = std::max(highest, x[end]);
    if (end > i) {
      found.channel.push_back(channel);
      found.start.push_back(static_cast<std::int32_t>(i));
      found.length.push_back(static_cast<std::uint16_t>(end - i));
      found.height.push_back(highest);
      found.charge.push_back(sum);
      saturated.push_back(highest == most);
    }
    i = end + 1;
  }
}

pulses find_pulses(std::size_t count, std::size_t channels, std::uint64_t seed) {
  std::mt19937_64 random(seed);
  pulses found;
  std::vector<bool> saturated;
  for (std::size_t c = 0; c < channels; ++c)
    add_pulses(found, saturated, static_cast<std::uint16_t>(c), pulse_train((count + c) / channels, random));
  found.saturated = std::make_unique<bool[]>(saturated.size());
  std::ranges::copy(saturated, found.saturated.get());
  return found;
}

gs::table to_table(const pulses& p) {
  gs::table t;
  t.add("channel", gs::to_device(p.channel));
  t.add("start", gs::to_device(p.start));
  t.add("length", gs::to_device(p.length));
  t.add("height", gs::to_device(p.height));
  t.add("charge", gs::to_device(p.charge));
  t.add("saturated", gs::to_device(std::span<const bool>(p.saturated.get(), p.channel.size())));
  return t;
}

// --- three questions to the table ------------------------------------------------------------------------------------

gs::table gains_of(std::size_t channels) {
  std::vector<std::uint16_t> channel;
  std::vector<float> gain;
  for (std::uint16_t c = 0; c < channels; ++c) {
    if (c == without_gain) continue;
    channel.push_back(c);
    gain.push_back(0.5f + 0.125f * static_cast<float>(c % 5));
  }
  gs::table t;
  t.add("channel", gs::to_device(channel));
  t.add("gain", gs::to_device(gain));
  return t;
}

gs::table energies_by_channel(const gs::table& all, const gs::table& gains) {
  const gs::table clean = gs::filter(all, whole(all.column<bool>("saturated")));
  gs::table t = gs::join(clean, gains, "channel");
  t.add("energy", energy(t.column<float>("charge"), t.column<float>("gain")));
  return gs::group_by(t, "channel",
                      {{"", gs::aggregate::count}, {"energy", gs::aggregate::mean}, {"height", gs::aggregate::max}});
}

// The same by hand.
struct group {
  std::int64_t count = 0;
  double energy = 0;
};
std::map<std::uint16_t, group> energies_by_hand(const pulses& p, const gs::table& gains) {
  const auto channels = gains.column<std::uint16_t>("channel").copy_to_host();
  const auto gain = gains.column<float>("gain").copy_to_host();
  std::map<std::uint16_t, group> groups;
  for (std::size_t i = 0; i < p.channel.size(); ++i)
    for (std::size_t k = 0; k < channels.size(); ++k)
      if (!p.saturated[i] && p.channel[i] == channels[k]) {
        ++groups[p.channel[i]].count;
        groups[p.channel[i]].energy += static_cast<double>(energy_of(p.charge[i], gain[k]));
      }
  return groups;
}

void ask_the_table(const pulses& p, const gs::table& all, std::size_t channels, workbook::report& report) {
  report.heading("By channel");
  const gs::table gains = gains_of(channels);
  const gs::table result = energies_by_channel(all, gains);
  const auto channel = result.column<std::uint16_t>("channel").copy_to_host();
  const auto count = result.column<std::int64_t>("count").copy_to_host();
  const auto mean = result.column<double>("energy_mean").copy_to_host();
  const auto height = result.column<sample>("height_max").copy_to_host();
  auto& table = report.table("Pulses that aren't saturated", {"channel", "count", "energy_mean", "height_max"});
  for (std::size_t g = 0; g < channel.size(); ++g) table.row(channel[g], count[g], std::round(mean[g]), height[g]);

  const auto expected = energies_by_hand(p, gains);
  std::size_t wrong = channel.size() != expected.size();
  for (std::size_t g = 0; g < channel.size() && wrong == 0; ++g) {
    const auto found = expected.find(channel[g]);
    wrong += found == expected.end() || count[g] != found->second.count ||
             !(std::abs(mean[g] - found->second.energy / static_cast<double>(count[g])) <= 1e-9 * mean[g]);
  }
  report.check_equal("groups that differ from those of a plain loop", wrong, 0);
  std::vector<std::string> names;
  for (const std::uint16_t c : channel) names.push_back(std::to_string(c));
  if (!names.empty())
    report.plot(workbook::bar_plot{.title = "Mean energy of a pulse",
                                   .category_label = "channel",
                                   .categories = names,
                                   .value = {.label = "energy", .min = 0},
                                   .groups = {{.name = "", .values = mean}}});
}

// --- how a group-by goes ---------------------------------------------------------------------------------------------

void draw_rows(workbook::diagram& picture, double top, const std::string& name, const std::vector<std::int32_t>& keys,
               const std::vector<std::int32_t>& values) {
  picture.add({.x = 0, .y = top, .width = 3, .text = name});
  for (std::size_t i = 0; i < keys.size(); ++i)
    for (const bool is_value : {false, true})
      picture.add({.x = 3 + static_cast<double>(i),
                   .y = top + is_value,
                   .text = std::to_string(is_value ? values[i] : keys[i]),
                   .group = static_cast<std::size_t>(keys[i])});
}

void draw_group_by(workbook::report& report) {
  gs::table t;
  t.add("key", gs::to_device(std::vector<std::int32_t>{2, 0, 1, 2, 0, 2, 1, 0}));
  t.add("value", gs::to_device(std::vector<std::int32_t>{5, 1, 7, 3, 2, 9, 4, 6}));
  const gs::table sorted = gs::sort_by(t, "key");
  const gs::table greatest = gs::group_by(t, "key", {{"value", gs::aggregate::max}});
  workbook::diagram picture{.title = "The greatest value of each key, by sort", .groups = {"", "", ""}};
  const auto keys = [](const gs::table& of) { return of.column<std::int32_t>("key").copy_to_host(); };
  draw_rows(picture, 0, "rows", keys(t), t.column<std::int32_t>("value").copy_to_host());
  draw_rows(picture, 3, "sorted", keys(sorted), sorted.column<std::int32_t>("value").copy_to_host());
  draw_rows(picture, 6, "reduced", keys(greatest), greatest.column<std::int32_t>("value_max").copy_to_host());
  report.plot(std::move(picture));
}

void time_group_by(const workbook::parameters& given, const pulses& p, const gs::table& all, workbook::report& report) {
  report.heading("How a group-by goes");
  draw_group_by(report);
  const gs::timeit_options quick{.min_run_seconds = 0.05, .max_seconds = 1};
  const gs::timing sorted = gs::timeit(
      [&] {
        gs::group_by(all, "channel", {{"charge", gs::aggregate::sum}});
        gs::synchronize();
      },
      quick);
  std::unordered_map<std::uint16_t, double> sums;
  const gs::timing hashed = gs::timeit(
      [&] {
        sums.clear();
        for (std::size_t i = 0; i < p.channel.size(); ++i) sums[p.channel[i]] += static_cast<double>(p.charge[i]);
        gs::do_not_optimize(sums);
      },
      quick);
  report.timing("gs::group_by, all cores", sorted);
  report.timing("std::unordered_map, one core", hashed);
  report.prediction(given, "ratio", sorted.best() / hashed.best());
}

// --- in another library's hands --------------------------------------------------------------------------------------

void lend(const workbook::parameters& given, const pulses& p, const gs::table& all, workbook::report& report) {
  report.heading("Lent, not copied");
  const gs::ledger_scope exporting;
  ArrowSchema schema;
  ArrowArray array;
  gs::export_arrow(all, &schema, &array);
  const std::uint64_t lent = exporting.account().loans;
  report.account("export", exporting.account());
  const gs::ledger_scope importing;
  const gs::arrow_table theirs = gs::import_arrow(&schema, &array);
  report.account("import", importing.account());
  report.prediction(given, "lent", static_cast<double>(lent));

  // From here on this could be PyArrow: it has two structures of C, and no line of our code.
  const std::span<const float> theirs_charge = theirs.column<float>("charge");
  auto charge = all.column<float>("charge").slice(0, all.rows());  // the same memory
  report.check("Arrow's charges are the pulses'", std::ranges::equal(theirs_charge, p.charge));
  auto& table = report.table("The first charge, as the other library reads it", {"", "charge"});
  table.row("lent", theirs_charge[0]);
  energy(charge, 2.0f, gs::out(charge));
  gs::synchronize();
  table.row("and after a ufunc of ours", theirs_charge[0]);
  const bool shared = theirs_charge.data() == charge.data();
  report.check_equal("lent memory is the table's own", shared, lent > 0);
}

void run(const workbook::parameters& given, workbook::report& report) {
  const std::size_t channels = given.size("channels");
  const pulses p = find_pulses(given.size(), channels, given.seed());
  const gs::ledger_scope copying;
  const gs::table all = to_table(p);
  report.account("to the device", copying.account());
  ask_the_table(p, all, channels, report);
  time_group_by(given, p, all, report);
  if (const std::string file = given.choice("file"); file != "none") {
    gs::write_arrow_file(file, all);
    report.paragraph("The table is in " + file + ".");
  }
  lend(given, p, all, report);
}

workbook::lesson workbook::this_lesson() {
  return {.number = 39,
          .name = "columns",
          .title = "A table of columns, and who may read it",
          .summary = "Filter, join and group-by on the device; the same columns in another library, without a copy.",
          .parameters = {workbook::integer{.name = "size",
                                           .text = "pulses",
                                           .min = 1,
                                           .max = 5'000'000,
                                           .default_value = 100'000,
                                           .inspected = 500},
                         workbook::integer{
                             .name = "channels", .text = "channels", .min = 1, .max = 10'000, .default_value = 16},
                         workbook::choice{
                             .name = "file", .text = "an Arrow file to write", .choices = {"none", "pulses.arrow"}}},
          .predictions = {{.name = "ratio",
                           .question = "100,000 pulses, summed up by channel: how many times as long as "
                                       "std::unordered_map on one core does a group-by by sort take, on all cores?",
                           .unit = "times"},
                          {.name = "lent",
                           .question = "The table has six columns, and Arrow may read the engine's memory. How many "
                                       "of the six get there without a copy?",
                           .unit = "columns"}},
          .run = run};
}
