// What the warm-up for 17 is checked for.

#include "workbook/exercise.h"
#include GRIDSTRIDE_EXERCISE

#include <algorithm>
#include <string>
#include <vector>

namespace {

// A counter at which somebody else draws a number between any two of our steps. What happens to threads on a bad day
// happens here every time. `taken` holds the numbers that the others have got.
struct crowded {
  unsigned* next;
  unsigned* steps;
  unsigned* taken;  // one for each step
  static constexpr unsigned crowd = 8;

  GS_FN unsigned load() const {
    return change([](unsigned old) { return old; });
  }
  GS_FN void store(unsigned value) const {
    change([=](unsigned) { return value; });
  }
  GS_FN unsigned exchange(unsigned value) const {
    return change([=](unsigned) { return value; });
  }
  GS_FN unsigned fetch_add(unsigned value) const {
    return change([=](unsigned old) { return old + value; });
  }
  GS_FN unsigned fetch_sub(unsigned value) const { return fetch_add(0u - value); }
  GS_FN unsigned fetch_min(unsigned value) const {
    return change([=](unsigned old) { return std::min(old, value); });
  }
  GS_FN unsigned fetch_max(unsigned value) const {
    return change([=](unsigned old) { return std::max(old, value); });
  }
  GS_FN unsigned compare_exchange(unsigned expected, unsigned desired) const {
    return change([=](unsigned old) { return old == expected ? desired : old; });
  }

 private:
  // From the second step on somebody else is quicker, until the crowd is gone.
  template <class F>
  GS_FN unsigned change(F result) const {
    if (*steps > 0 && *steps <= crowd) taken[*steps - 1] = (*next)++;
    ++*steps;
    const unsigned old = *next;
    *next = result(old);
    return old;
  }
};

bool in_a_crowd(unsigned first, workbook::report& report) {
  const std::string name = "beginning at " + std::to_string(first) + ", while others draw between your steps";
  unsigned next = first, steps = 0;
  std::vector<unsigned> numbers(crowded::crowd);
  const unsigned mine = draw_number(crowded{&next, &steps, numbers.data()});
  numbers.resize(std::min(std::max(steps, 1u) - 1, crowded::crowd));
  numbers.push_back(mine);
  std::ranges::sort(numbers);
  const auto twice = std::ranges::adjacent_find(numbers);
  if (!report.check_equal("drawn twice, " + name, twice == numbers.end() ? "none" : "number " + std::to_string(*twice),
                          "none"))
    return false;
  if (!report.check_equal("the smallest number, " + name, numbers.front(), first)) return false;
  return report.check_equal("the number that comes next, " + name, next, numbers.back() + 1);
}

bool by_threads(std::size_t n, workbook::report& report) {
  const std::string name = std::to_string(n) + " threads";
  std::vector<unsigned> numbers;
  unsigned next = 0;
  const gs::inspection seen = gs::inspect([&] {
    const auto counter = gs::to_device(std::vector<unsigned>{0}), drawn = gs::to_device(std::vector<unsigned>(n, 7));
    gs::launch<draw>({.grid = 7, .block = 64}, counter, drawn);
    numbers = drawn.copy_to_host();
    next = counter.copy_to_host()[0];
  });
  if (!is_clean(seen, report)) return false;
  std::ranges::sort(numbers);
  std::size_t wrong = 0;
  for (std::size_t i = 0; i < n; ++i) wrong += numbers[i] != i;
  return report.check_equal(name + ", numbers that are missing or drawn twice", wrong, 0) &&
         report.check_equal(name + ", the number that comes next", next, n);
}

}  // namespace

workbook::exercise workbook::this_exercise() {
  return {.number = 17,
          .name = "races_and_atomics",
          .task = "a number for everybody, in one step",
          .check = [](workbook::report& report) {
            for (const unsigned first : {0u, 41u})
              if (!in_a_crowd(first, report)) return;
            for (const std::size_t n : {1009, 0, 1, 31, 32, 33, 20'000})
              if (!by_threads(n, report)) return;
          }};
}
