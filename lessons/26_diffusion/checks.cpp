// What exercise 26 is checked for.

#include "workbook/exercise.h"
#include GRIDSTRIDE_EXERCISE

#include <string>
#include <utility>
#include <vector>

namespace {

using cells = std::vector<int>;

cells by_plain_loop(cells now, std::size_t rows, std::size_t columns, std::size_t generations) {
  for (std::size_t k = 0; k < generations; ++k) {
    cells next(now.size());
    for (std::size_t i = 0; i < now.size(); ++i) {
      int neighbours = 0;
      for (const std::size_t down : {rows - 1, rows, rows + 1})
        for (const std::size_t across : {columns - 1, columns, columns + 1})
          if (down != rows || across != columns)
            neighbours += now[(i / columns + down) % rows * columns + (i % columns + across) % columns];
      next[i] = neighbours == 3 || (neighbours == 2 && now[i] == 1);
    }
    now = next;
  }
  return now;
}

gs::device_array<int> on_device(const cells& start, std::size_t rows) {
  return gs::to_device(start).reshape(
      {static_cast<std::ptrdiff_t>(rows), static_cast<std::ptrdiff_t>(start.size() / rows)});
}

bool plays(const std::string& name, const cells& start, std::size_t rows, std::size_t generations,
           workbook::report& report) {
  auto field = on_device(start, rows);
  auto options = gs::inspect_options::from_environment();
  options.instruments.reset(
      static_cast<std::size_t>(gs::instrument::leakcheck));  // one array more may stay: in `field`
  const gs::inspection seen = gs::inspect([&] { play(field, generations); }, options);
  if (!is_clean(seen, report)) return false;
  const std::string what = name + ", generation " + std::to_string(generations);
  const cells got = field.copy_to_host(), expected = by_plain_loop(start, rows, start.size() / rows, generations);
  if (!report.check_equal(what + ": cells of the field", got.size(), expected.size())) return false;
  std::size_t wrong = 0;
  for (std::size_t i = 0; i < got.size(); ++i) wrong += got[i] != expected[i];
  return report.check_equal(what + ": wrong cells", wrong, 0);
}

// About a third of the cells live.
cells random_field(std::size_t rows, std::size_t columns) {
  cells field;
  for (const float u : gs::uniform<float>({rows * columns}, 100 * rows + columns).copy_to_host())
    field.push_back(u < 0.35f);
  return field;
}

void what_it_takes(workbook::report& report) {
  auto field = on_device(random_field(40, 50), 40);
  gs::synchronize();
  const gs::ledger_scope scope;
  play(field, 20);
  gs::synchronize();
  const gs::ledger account = scope.account();
  report.check_equal("20 generations: copies",
                     account.copies_to_host + account.copies_to_device + account.copies_within_device, 0);
  report.check_at_most("20 generations: launches", static_cast<double>(account.launches), 20);
  report.check_at_most("20 generations: arrays made", static_cast<double>(account.allocations), 1);
}

}  // namespace

workbook::exercise workbook::this_exercise() {
  return {.number = 26,
          .name = "diffusion",
          .task = "the Game of Life, in which each generation comes from the one before and from no other",
          .check = [](workbook::report& report) {
            const cells blinker{0, 0, 0, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 0, 0, 0};
            for (const std::size_t generations : {1, 2, 0, 7})
              if (!plays("a blinker", blinker, 5, generations, report)) return;
            for (const auto& [rows, columns] :
                 {std::pair<std::size_t, std::size_t>{8, 32}, {33, 65}, {1, 31}, {31, 1}, {2, 33}, {97, 2}, {1, 1}})
              for (const std::size_t generations : {1, 3, 4})
                if (!plays(std::to_string(rows) + " x " + std::to_string(columns), random_field(rows, columns), rows,
                           generations, report))
                  return;
            what_it_takes(report);
          }};
}
