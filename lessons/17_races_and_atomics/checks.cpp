// What exercise 17 is checked for.

#include "workbook/exercise.h"
#include GRIDSTRIDE_EXERCISE

#include <algorithm>
#include <cmath>
#include <random>
#include <string>
#include <vector>

namespace {

constexpr std::size_t sizes[] = {0, 1, 31, 32, 33, 1009, 5000};
constexpr gs::extent3 blocks = 7, threads = 64;

std::string of_size(std::size_t n) { return ", n = " + std::to_string(n); }

std::vector<float> random_numbers(std::size_t n) {
  static std::mt19937_64 random(workbook::seed_of_checks());
  std::normal_distribution<float> normal(-1, 3);
  std::vector<float> x(n);
  for (float& v : x) v = normal(random);
  return x;
}

unsigned counted(const std::vector<float>& x, float limit) {
  const auto count = gs::to_device(std::vector<unsigned>{0});
  gs::launch<count_above>({.grid = blocks, .block = threads}, gs::to_device(x), limit, count);
  return count.copy_to_host()[0];
}
std::size_t above(const std::vector<float>& x, float limit) {
  return static_cast<std::size_t>(std::ranges::count_if(x, [=](float v) { return v > limit; }));
}

void counting(workbook::report& report) {
  const auto some = random_numbers(100);
  report.inspection(gs::inspect([&] { counted(some, 0.5f); }));
  report.check_equal("elements above 2 of {1, 2, 3, 4}", counted({1, 2, 3, 4}, 2), 2);
  report.check_equal("elements above -3 of {-4, -2, -1}", counted({-4, -2, -1}, -3), 2);
  report.check_equal("elements above 2 of {NaN, 3}", counted({std::nanf(""), 3}, 2), 1);
  for (const std::size_t n : sizes) {
    const auto x = random_numbers(n);
    report.check_equal("elements above 0.5" + of_size(n), counted(x, 0.5f), above(x, 0.5f));
  }
  const auto many = random_numbers(300'000);
  report.check_equal("counted by all cores at once", counted(many, 0.5f), above(many, 0.5f));
}

float largest(const std::vector<float>& x) {
  const auto result = gs::to_device(std::vector<float>{0});
  gs::launch<largest_magnitude>({.grid = blocks, .block = threads}, gs::to_device(x), result);
  return result.copy_to_host()[0];
}

void magnitudes(workbook::report& report) {
  const auto some = random_numbers(100);
  report.inspection(gs::inspect([&] { largest(some); }));
  report.check_equal("largest magnitude of {1, -7.5, 3}", largest({1, -7.5f, 3}), 7.5);
  report.check_equal("largest magnitude of {-3e38, 1e-40}", largest({-3e38f, 1e-40f}), 3e38f);
  report.check_equal("largest magnitude of {1e-40}", largest({1e-40f}), 1e-40f);
  report.check_equal("largest magnitude of {0, -0}", largest({0.0f, -0.0f}), 0);
  for (const std::size_t n : sizes) {
    const auto x = random_numbers(n);
    float expected = 0;
    for (const float v : x) expected = std::max(expected, std::abs(v));
    report.check_equal("largest magnitude" + of_size(n), largest(x), expected);
  }
}

// A number of seats sold that others are quicker to change: before each of our first `rivals` writes, somebody else
// buys a seat. So what happens to threads on a bad day happens here every time.
struct contended {
  unsigned* sold;
  unsigned* rivals;
  unsigned seats;
  unsigned* most;   // ever sold, for a moment
  unsigned* tries;  // to change the number
  static constexpr unsigned most_tries = 1000;

  GS_FN unsigned load() const { return *sold; }
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
  // A loop that tries for ever, with a number that is out of date, is told that it has succeeded, and so ends.
  GS_FN unsigned compare_exchange(unsigned expected, unsigned desired) const {
    if (*tries >= most_tries) return expected;
    return change([=](unsigned old) { return old == expected ? desired : old; });
  }

 private:
  template <class F>
  GS_FN unsigned change(F next) const {
    ++*tries;
    if (*rivals > 0 && *sold < seats) --*rivals, ++*sold;
    const unsigned old = *sold;
    *sold = next(old);
    if (*sold > *most) *most = *sold;
    return old;
  }
};

void one_buyer(workbook::report& report) {
  const auto buy = [&](const std::string& situation, unsigned already, unsigned rivals, bool gets_one) {
    constexpr unsigned seats = 100;
    unsigned sold = already, left = rivals, most = already, tries = 0;
    const bool got = take_seat(contended{&sold, &left, seats, &most, &tries}, seats);
    report.check("a buyer looks again when " + situation, tries < contended::most_tries);
    report.check_equal("a buyer gets a seat when " + situation, got, gets_one);
    report.check_equal("seats sold when " + situation, sold, already + (rivals - left) + (gets_one ? 1 : 0));
    report.check_at_most("seats sold at any moment when " + situation, most, seats);
  };
  buy("all are free", 0, 0, true);
  buy("one is left", 99, 0, true);
  buy("none is left", 100, 0, false);
  buy("somebody else is quicker once", 3, 1, true);
  buy("others are quicker four times", 3, 4, true);
  buy("others are quicker eighty times", 3, 80, true);
  buy("somebody else takes the last one", 99, 1, false);
  buy("others take the last two", 98, 2, false);
}

void many_buyers(std::size_t buyers, unsigned seats, bool watched, workbook::report& report) {
  const std::string size = std::to_string(buyers) + " buyers and " + std::to_string(seats) + " seats";
  unsigned sold = 0;
  std::vector<unsigned> has_seat;
  const auto sale = [&] {
    const auto sold_device = gs::to_device(std::vector<unsigned>{0});
    const auto seat_device = gs::to_device(std::vector<unsigned>(buyers, 7));
    gs::launch<sell>({.grid = blocks, .block = threads}, seats, sold_device, seat_device);
    sold = sold_device.copy_to_host()[0];
    has_seat = seat_device.copy_to_host();
  };
  if (watched)
    report.inspection(gs::inspect(sale));
  else
    sale();
  const std::size_t expected = std::min<std::size_t>(buyers, seats);
  report.check_equal("seats sold to " + size, sold, expected);
  report.check_equal("buyers with a seat, of " + size, std::ranges::count(has_seat, 1u), expected);
}

}  // namespace

workbook::exercise workbook::this_exercise() {
  return {.number = 17,
          .name = "races_and_atomics",
          .task = "count, find the largest magnitude and sell seats, without losing anything",
          .check = [](workbook::report& report) {
            counting(report);
            magnitudes(report);
            const std::size_t failed_before = report.failed_checks();
            one_buyer(report);
            if (report.failed_checks() > failed_before) return;  // many buyers might try for ever
            many_buyers(1009, 100, true, report);
            for (const std::size_t buyers : sizes) many_buyers(buyers, 32, false, report);
            many_buyers(100'000, 60'000, false, report);
          }};
}
