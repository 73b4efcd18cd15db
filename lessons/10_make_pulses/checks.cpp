// What exercise 10 is checked for.

#include "workbook/exercise.h"
#include GRIDSTRIDE_EXERCISE

#include <cmath>
#include <string>

namespace {

struct samples {
  array time, height;
  std::vector<array> records;
  float period = 43.7f;

  samples(std::size_t n, std::size_t k) : time(n), height(n) {
    for (std::size_t i = 0; i < n; ++i) time[i] = static_cast<float>(i) + 0.25f;
    gs::fill_uniform(height, n + 1);
    for (std::size_t r = 0; r < k; ++r) {
      records.emplace_back(n);
      gs::fill_normal(records.back(), n + 10 * k + r);
    }
  }

  // How many samples aren't pulses plus the mean of the records, computed in float64.
  std::size_t wrong(const array& got) const {
    std::size_t count = 0;
    for (std::size_t i = 0; i < time.size(); ++i) {
      const double phase = static_cast<double>(time[i]) / static_cast<double>(period);
      const double x = 2 * (phase - std::floor(phase)) - 1;
      double noise = 0;
      for (const array& record : records) noise += static_cast<double>(record[i]);
      const double expected =
          static_cast<double>(height[i]) * (1 - x * x) + noise / static_cast<double>(records.size());
      // The phase of a late sample has few digits behind the point; what is added to it none beyond a float's.
      const double digits = 4 * std::abs(static_cast<double>(height[i])) * std::abs(phase) + 8 + std::abs(noise);
      count += !(std::abs(static_cast<double>(got[i]) - expected) <= std::ldexp(digits, -22));
    }
    return count;
  }
};

struct outcome {
  array result;
  gs::ledger account;
  gs::inspection seen;
};

template <class Call>
outcome observed(const Call& call) {
  outcome o;
  const gs::ledger_scope scope;
  o.seen = gs::inspect([&] { o.result = call(); });
  o.account = scope.account();
  if (o.seen.failure) std::rethrow_exception(o.seen.failure);
  return o;
}

bool is_right(const std::string& name, const samples& s, const outcome& o, workbook::report& report) {
  if (!report.check_equal(name + ", size of the result", o.result.size(), s.time.size())) return false;
  report.inspection(o.seen);  // the instruments explain a sum without a start value better
  return report.check_equal(name + ", wrong samples", s.wrong(o.result), 0);
}

// Whatever adds them, the device needs all of the numbers, and each number of the result returns to the host.
void on_the_device(const std::string& name, const outcome& o, std::size_t numbers, workbook::report& report) {
  report.check(name + ", computed on the device",
               o.account.launches >= 1 && o.account.bytes_to_device >= sizeof(float) * numbers);
}

void copies(const std::string& name, const outcome& o, std::size_t most, workbook::report& report) {
  if (!gs::can_inspect()) return;
  check_at_most(report, name + ", copies to the device", workbook::copies_to_device(o.seen), most);
  check_at_most(report, name + ", copies to the host", workbook::copies_to_host(o.seen), 1);
}

void one_waveform(std::size_t n, workbook::report& report) {
  const std::string name = "waveform of " + std::to_string(n) + " samples";
  const samples s(n, 1);
  outcome o = observed([&] { return waveform(s.time, s.period, s.height, s.records[0]); });
  if (!is_right(name, s, o, report) || n == 0) return;
  on_the_device(name, o, 3 * n, report);
  copies(name, o, 3, report);
}

gs::ledger averaged(std::size_t n, std::size_t k, workbook::report& report) {
  const std::string name = "average of " + std::to_string(k) + " records of " + std::to_string(n) + " samples";
  const samples s(n, k);
  outcome o = observed([&] { return average(s.time, s.period, s.height, s.records); });
  if (!is_right(name, s, o, report) || n == 0) return o.account;
  on_the_device(name, o, (2 + k) * n, report);
  copies(name, o, 2 + k, report);
  report.check_at_most(name + ", launches", static_cast<double>(o.account.launches), static_cast<double>(k + 3));
  return o.account;
}

}  // namespace

workbook::exercise workbook::this_exercise() {
  return {.number = 10,
          .name = "make_pulses",
          .task = "a pipeline, and an average of many, with as few copies as there can be",
          .check = [](workbook::report& report) {
            for (const std::size_t n : {1000, 1, 31, 32, 33, 10'007, 0}) one_waveform(n, report);
            const gs::ledger few = averaged(1000, 3, report), many = averaged(1000, 7, report);
            report.check_equal("average, allocations for 7 records as for 3", many.allocations, few.allocations);
            for (const std::size_t n : {1, 33, 2003, 0}) averaged(n, 1, report);
            averaged(31, 32, report);
          }};
}
