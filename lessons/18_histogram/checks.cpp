// What exercise 18 is checked for.

#include "workbook/exercise.h"
#include GRIDSTRIDE_EXERCISE

#include <array>
#include <cctype>
#include <limits>
#include <string>
#include <vector>

// What a block does after it has counted: all its threads meet. If a thread has left out a barrier, the others wait
// for it here.
GS_FN void count_and_go_on(gs::thread t, gs::shared<counters> own, gs::view<const std::uint8_t> text,
                           gs::view<unsigned> counts) {
  count_letters(t, own, text, counts);
  t.sync();
}

namespace {

bool formula(workbook::report& report) {
  constexpr float nan = std::numeric_limits<float>::quiet_NaN(), infinity = std::numeric_limits<float>::infinity();
  struct example {
    const char* text;
    float x;
    unsigned slot;
  };
  // Four bins from -1 to 1, so that all edges and positions are exact.
  const example examples[] = {{"0.25", 0.25f, 2},
                              {"-0.75", -0.75f, 0},
                              {"0.99", 0.99f, 3},
                              {"-1", -1, 0},
                              {"-0.5", -0.5f, 1},
                              {"0", 0, 2},
                              {"1", 1, 4},
                              {"-1.01", -1.01f, 4},
                              {"-1.49", -1.49f, 4},
                              {"1.01", 1.01f, 4},
                              {"1e30", 1e30f, 4},
                              {"-infinity", -infinity, 4},
                              {"infinity", infinity, 4},
                              {"NaN", nan, 4},
                              // Positions of 2^32 and more, whose last bits are those of a bin.
                              {"2^31", 0x1p31f, 4},
                              {"2^31 + 256", 0x1p31f + 256, 4},
                              {"-2^31", -0x1p31f, 4},
                              {"2^40", 0x1p40f, 4}};
  for (const auto& [text, x, slot] : examples)
    if (!report.check_equal("slot of " + std::string(text) + " in 4 bins from -1 to 1", slot_of(x, -1, 1, 4), slot))
      return false;
  return report.check_equal("slot of 20 in 5 bins from 16 to 26", slot_of(20, 16, 26, 5), 2u) &&
         report.check_equal("slot of 15 in 5 bins from 16 to 26", slot_of(15, 16, 26, 5), 5u) &&
         report.check_equal("slot of 26 in 5 bins from 16 to 26", slot_of(26, 16, 26, 5), 5u) &&
         report.check_equal("slot of -3 in 1 bin from -4 to -2", slot_of(-3, -4, -2, 1), 0u) &&
         report.check_equal("slot of -2 in 1 bin from -4 to -2", slot_of(-2, -4, -2, 1), 1u);
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

std::vector<unsigned> counted_by_loop(const std::vector<std::uint8_t>& text) {
  std::vector<unsigned> counts(slots);
  for (const std::uint8_t c : text) {
    const bool letter = (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z');
    ++counts[letter ? static_cast<std::size_t>(std::tolower(c) - 'a') : 26];
  }
  return counts;
}

bool letters(std::size_t n, std::size_t grid, std::size_t block, workbook::report& report) {
  const std::vector<std::uint8_t> text = random_text(n);
  const auto [got, seen] = count(text, grid, block);
  if (!is_clean(seen, report)) return false;
  const std::vector<unsigned> expected = counted_by_loop(text);
  std::size_t wrong = 0;
  for (std::size_t k = 0; k < slots; ++k) wrong += got[k] != expected[k];
  return report.check_equal("wrong counts of " + std::to_string(n) + " letters by " + std::to_string(grid) + " x " +
                                std::to_string(block) + " threads",
                            wrong, 0);
}

bool every_thread_meets(workbook::report& report) {
  const auto text = gs::to_device(random_text(33));
  const auto counts = gs::to_device(std::vector<unsigned>(slots));
  return is_clean(gs::inspect([&] { gs::launch<count_and_go_on>({.grid = 2, .block = 64}, text, counts); }), report);
}

// Counters that hold something already, from another text.
bool goes_on_counting(workbook::report& report) {
  const std::vector<std::uint8_t> text = random_text(500), same(700, 'z');
  const auto counts = gs::to_device(std::vector<unsigned>(slots));
  for (const auto& one : {text, same}) gs::launch<count_letters>({.grid = 1, .block = 64}, gs::to_device(one), counts);
  std::vector<unsigned> expected = counted_by_loop(text);
  expected[25] += 700;
  return report.check("counts of a second text are added to those of the first", counts.copy_to_host() == expected);
}

void atomics(workbook::report& report) {
  const counted all = count(random_text(5000), 4, 128);
  std::size_t global = 0;
  for (const gs::line_counters& line : all.seen.lines)
    if (line.space == gs::memory_space::global && line.kind == gs::access_kind::atomic) global += line.accesses;
  report.check_at_most("additions to global memory, of 4 blocks with 27 counters each", static_cast<double>(global),
                       4 * 27);
  report.check("threads of a warp work together", workbook::lanes_together(all.seen) >= 8);
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
            if (!goes_on_counting(report)) return;
            if (gs::can_inspect() && every_thread_meets(report)) atomics(report);
          }};
}
