// What exercise 13 is checked for.

#include "workbook/exercise.h"
#include GRIDSTRIDE_EXERCISE

#include <cmath>
#include <exception>
#include <string>
#include <utility>
#include <vector>

namespace {

void numbers_of_blocks(workbook::report& report) {
  // The last ones have more elements than a float can count.
  const std::size_t cases[][3] = {{1024, 128, 8},
                                  {1000, 128, 8},
                                  {1025, 128, 9},
                                  {1, 128, 1},
                                  {31, 32, 1},
                                  {32, 32, 1},
                                  {33, 32, 2},
                                  {7, 1, 7},
                                  {0, 128, 0},
                                  {16'777'217, 1, 16'777'217},
                                  {4'294'967'297, 1024, 4'194'305}};
  for (const auto& [n, threads, blocks] : cases)
    report.check_equal("blocks_for(" + std::to_string(n) + ", " + std::to_string(threads) + ")", blocks_for(n, threads),
                       blocks);
}

struct input {
  std::vector<float> x, y;
  float share;

  // How many of the elements aren't the mixture, computed in float64; float32 rounds each of its three steps.
  std::size_t wrong(const std::vector<float>& got) const {
    std::size_t count = 0;
    for (std::size_t i = 0; i < x.size(); ++i) {
      const double from = static_cast<double>(x[i]), to = static_cast<double>(y[i]);
      const double expected = from + static_cast<double>(share) * (to - from);
      count += !(std::abs(static_cast<double>(got[i]) - expected) <= 0x1p-22 * (std::abs(from) + std::abs(to)));
    }
    return count;
  }
};

input random_input(std::size_t n, float share = 0.3f) {
  return {gs::normal<float>({n}, n + 1).copy_to_host(), gs::normal<float>({n}, n + 2).copy_to_host(), share};
}

// The kernel alone, with a launch that is right.
void kernel_at(std::size_t n, std::size_t blocks, std::size_t threads, workbook::report& report, float share = 0.3f) {
  std::string name = "mix: " + std::to_string(n) + " elements by " + std::to_string(blocks) + " x " +
                     std::to_string(threads) + " threads";
  if (share != 0.3f) name += ", share " + workbook::to_text(workbook::cell(share));
  const input in = random_input(n, share);
  const auto x = gs::to_device(in.x), y = gs::to_device(in.y), out = gs::to_device(std::vector(n, std::nanf("")));
  const gs::inspection seen =
      gs::inspect([&] { gs::launch<mix>({.grid = blocks, .block = threads}, x, y, in.share, out); });
  report.inspection(seen);
  report.check_equal(name + ", wrong elements", in.wrong(out.copy_to_host()), 0);
  if (gs::can_inspect() && n >= 1000)
    report.check(name + ", neighbours work together", workbook::lanes_together(seen) >= 16);
}

// What leaves the learner's function as an exception, as a text.
std::string message_of(const std::exception_ptr& failure) {
  try {
    if (failure) std::rethrow_exception(failure);
  } catch (const std::exception& e) {
    return e.what();
  }
  return "nothing";
}

void everything_at(std::size_t n, workbook::report& report) {
  const std::string name = "mixed: " + std::to_string(n) + " elements";
  const input in = random_input(n);
  const auto x = gs::to_device(in.x), y = gs::to_device(in.y);
  gs::to_device(std::vector(n, std::nanf("")));  // memory that is freed at once: the next array finds NaN in it
  std::vector<float> got;
  gs::ledger account;
  gs::inspection seen = gs::inspect([&] {
    const gs::ledger_scope scope;
    const gs::device_array<float> out = mixed(x, y, in.share);
    account = scope.account();
    got = out.copy_to_host();
  });
  const std::exception_ptr failure = std::exchange(seen.failure, nullptr);
  report.inspection(seen);
  if (!report.check_equal(name + ", what stopped it", message_of(failure), "nothing")) return;
  if (!report.check_equal(name + ", size of the result", got.size(), n)) return;
  std::size_t launches = 0;
  for (const gs::kernel_counters& one : seen.kernels) launches += one.launches;
  if (gs::can_inspect() && report.check_equal(name + ", launches", launches, n > 0 ? 1 : 0) && n > 0) {
    report.check_equal(name + ", threads per block", seen.kernels[0].block.x, 128);
    report.check_equal(name + ", blocks", seen.kernels[0].grid.x, (n + 127) / 128);
  }
  report.check_equal(name + ", copies", account.copies_to_device + account.copies_to_host, 0);
  report.check_equal(name + ", wrong elements", in.wrong(got), 0);
}

}  // namespace

workbook::exercise workbook::this_exercise() {
  return {.number = 13,
          .name = "first_kernel",
          .task = "a kernel with one thread for each element, and a launch that fits any number of them",
          .check = [](workbook::report& report) {
            numbers_of_blocks(report);
            kernel_at(32, 1, 32, report);
            kernel_at(64, 2, 32, report);
            kernel_at(33, 2, 32, report);
            kernel_at(1, 3, 128, report);
            kernel_at(0, 1, 32, report);
            kernel_at(100, 4, 31, report);
            kernel_at(33, 2, 32, report, 0);
            kernel_at(33, 2, 32, report, 1);
            kernel_at(1009, 4, 256, report);
            for (const std::size_t n : {256, 1, 31, 32, 33, 129, 10'007, 0}) everything_at(n, report);
          }};
}
