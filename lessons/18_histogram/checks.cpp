// What exercise 18 is checked for.

#include "workbook/exercise.h"
#include GRIDSTRIDE_EXERCISE

#include <array>
#include <cctype>
#include <limits>
#include <string>
#include <vector>

namespace {

bool formula(workbook::report& report) {
  constexpr float nan = std::numeric_limits<float>::quiet_NaN(), infinity = std::numeric_limits<float>::infinity();
  struct example {
    const char* text;
    float x;
    unsigned slot;
  };
  // Four bins from -1 to 1, so that all edges and positions are exact.
  const example examples[] = {
      {"0.25", 0.25f, 2},        {"-0.75", -0.75f, 0}, {"0.99", 0.99f, 3}, {"-1", -1, 0},
      {"-0.5", -0.5f, 1},        {"0", 0, 2},          {"1", 1, 4},        {"-1.01", -1.01f, 4},
      {"-1.49", -1.49f, 4},      {"1.01", 1.01f, 4},   {"1e30", 1e30f, 4}, {"-infinity", -infinity, 4},
      {"infinity", infinity, 4}, {"NaN", nan, 4}};
  for (const auto& [text, x, slot] : examples)
    if (!report.check_equal("slot of " + std::string(text) + " in 4 bins from -1 to 1", slot_of(x, -1, 1, 4), slot))
      return false;
  return report.check_equal("slot of 20 in 5 bins from 16 to 26", slot_of(20, 16, 26, 5), 2u);
}

// Half of it e and E, the rest bytes of all kinds.
std::vector<std::uint8_t> random_text(std::size_t n) {
  std::vector<std::uint8_t> text;
  for (const int draw : gs::integers<int>({n}, 0, 512, n).copy_to_host())
    text.push_back(static_cast<std::uint8_t>(draw < 256 ? draw : draw % 2 == 0 ? 'e' : 'E'));
  return text;
}

struct counted {
  std::vector<unsigned> counts;
  gs::inspection seen;
};
counted count(const std::vector<std::uint8_t>& text, std::size_t grid, std::size_t block) {
  const auto device_text = gs::to_device(text);
  const auto counts = gs::to_device(std::vector<unsigned>(slots));
  auto seen = gs::inspect([&] { gs::launch<count_letters>({.grid = grid, .block = block}, device_text, counts); });
  return {counts.copy_to_host(), std::move(seen)};
}

bool letters(std::size_t n, std::size_t grid, std::size_t block, workbook::report& report) {
  const std::vector<std::uint8_t> text = random_text(n);
  const auto [got, seen] = count(text, grid, block);
  if (!is_clean(seen, report)) return false;
  std::vector<unsigned> expected(slots);
  for (const std::uint8_t c : text) {
    const bool letter = (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z');
    ++expected[letter ? static_cast<std::size_t>(std::tolower(c) - 'a') : 26];
  }
  std::size_t wrong = 0;
  for (std::size_t k = 0; k < slots; ++k) wrong += got[k] != expected[k];
  return report.check_equal("wrong counts of " + std::to_string(n) + " letters by " + std::to_string(grid) + " x " +
                                std::to_string(block) + " threads",
                            wrong, 0);
}

void atomics(workbook::report& report) {
  const counted all = count(random_text(5000), 4, 128);
  std::size_t global = 0;
  for (const gs::line_counters& line : all.seen.lines)
    if (line.space == gs::memory_space::global && line.kind == gs::access_kind::atomic) global += line.accesses;
  report.check_at_most("additions to global memory, of 4 blocks with 27 counters each", static_cast<double>(global),
                       4 * 27);
}

}  // namespace

workbook::exercise workbook::this_exercise() {
  return {.number = 18,
          .name = "histogram",
          .task = "a formula that counts in the wrong bins, and counters that each block has to itself",
          .check = [](workbook::report& report) {
            if (!formula(report)) return;
            constexpr std::size_t cases[][3] = {{1000, 4, 64}, {1, 1, 32},  {0, 2, 32},   {31, 1, 32},
                                                {32, 3, 31},   {33, 2, 16}, {1009, 5, 1}, {5000, 8, 100}};
            for (const auto& [n, grid, block] : cases)
              if (!letters(n, grid, block, report)) return;
            if (gs::can_inspect()) atomics(report);
          }};
}
