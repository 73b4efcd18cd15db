// What exercise 31 is checked for.

#include "workbook/exercise.h"
#include GRIDSTRIDE_EXERCISE

#include <string>
#include <vector>

namespace {

constexpr gs::launch_options blocks{.grid = 3, .block = 64};

std::vector<unsigned> begins_in(const std::vector<int>& x) {
  std::vector<unsigned> begins(x.size());
  for (std::size_t i = 0; i < x.size(); ++i) begins[i] = i == 0 || x[i] != x[i - 1];
  return begins;
}

template <class T>
bool equal(const std::string& name, const std::vector<T>& got, const std::vector<T>& expected,
           workbook::report& report) {
  if (!report.check_equal(name + ": how many", got.size(), expected.size())) return false;
  for (std::size_t k = 0; k < got.size(); ++k)
    if (got[k] != expected[k]) return report.check_equal(name + ": number " + std::to_string(k), got[k], expected[k]);
  return report.check(name, true);
}

// Each kernel by itself, with what the ones before it should have made.
bool kernels(const std::vector<int>& x, workbook::report& report) {
  const std::vector<unsigned> begins = begins_in(x);
  std::vector<unsigned> before(x.size()), places, lengths;
  std::vector<int> values;
  for (std::size_t i = 0; i < x.size(); ++i) {
    before[i] = static_cast<unsigned>(values.size());
    if (begins[i] == 1) values.push_back(x[i]), places.push_back(static_cast<unsigned>(i)), lengths.push_back(0);
    ++lengths.back();
  }
  const std::string of = " of " + std::to_string(x.size()) + " numbers";
  const auto there = gs::to_device(x);
  const auto begins_there = gs::to_device(begins), before_there = gs::to_device(before);
  const auto marked = gs::to_device(std::vector<unsigned>(x.size(), 99));  // a kernel that counts on zeros is wrong
  if (!is_clean(gs::inspect([&] { gs::launch<mark_begins>(blocks, there, marked); }), report) ||
      !equal("mark_begins" + of, marked.copy_to_host(), begins, report))
    return false;
  const auto got_values = gs::to_device(std::vector<int>(values.size(), -1));
  const auto got_places = gs::to_device(std::vector<unsigned>(values.size(), 99));
  const auto place = [&] { gs::launch<place_runs>(blocks, there, begins_there, before_there, got_values, got_places); };
  if (!is_clean(gs::inspect(place), report) ||
      !equal("place_runs" + of + ", values", got_values.copy_to_host(), values, report) ||
      !equal("place_runs" + of + ", places", got_places.copy_to_host(), places, report))
    return false;
  const auto places_there = gs::to_device(places);
  const auto measured = gs::to_device(std::vector<unsigned>(places.size(), 99));
  return is_clean(gs::inspect([&] { gs::launch<measure_runs>(blocks, places_there, x.size(), measured); }), report) &&
         equal("measure_runs" + of, measured.copy_to_host(), lengths, report);
}

bool whole(std::size_t n, int kinds, workbook::report& report) {
  const std::vector<int> x = gs::integers<int>({n}, 0, kinds - 1, n + workbook::seed_of_checks()).copy_to_host();
  std::vector<int> values;
  std::vector<unsigned> lengths;
  for (const int one : x) {
    if (values.empty() || values.back() != one) values.push_back(one), lengths.push_back(0);
    ++lengths.back();
  }
  const runs got = runs_of(gs::to_device(x));
  const std::string of = "runs of " + std::to_string(n) + " numbers";
  return equal(of + ", values", got.values.copy_to_host(), values, report) &&
         equal(of + ", lengths", got.lengths.copy_to_host(), lengths, report);
}

}  // namespace

workbook::exercise workbook::this_exercise() {
  return {.number = 31,
          .name = "compaction_and_sort",
          .task = "runs of equal numbers, as values and lengths",
          .check = [](workbook::report& report) {
            if (!kernels({7, 7, 7, 2, 2, 9}, report)) return;
            std::vector<int> some(300, 4);
            for (std::size_t i = 0; i < some.size(); ++i) some[i] += i / 3 % 5 == 0 ? static_cast<int>(i % 3) : 0;
            if (!kernels(some, report)) return;
            for (const std::size_t n : {1, 31, 32, 33, 0, 1009})
              for (const int kinds : {2, 1, 1000})
                if (!whole(n, kinds, report)) return;
          }};
}
