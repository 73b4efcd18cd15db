// What exercise 41 is checked for. The ranks are threads here, and a message is a line in a queue.

#include "workbook/exercise.h"
#include GRIDSTRIDE_EXERCISE

#include <algorithm>
#include <chrono>
#include <condition_variable>
#include <cstddef>
#include <deque>
#include <map>
#include <mutex>
#include <string>
#include <thread>
#include <utility>
#include <vector>

#include "lessons/41_distributed_diffusion/parts.h"

namespace {

constexpr const char* names[] = {"above", "below", "before", "after"};
constexpr float unset = -1e9f;

parts::side as_part(side s) { return static_cast<parts::side>(s); }

// Lines that are on their way, from rank to rank.
class mail {
 public:
  void send(std::size_t from, std::size_t to, std::vector<float> line) {
    const std::lock_guard lock(mutex_);
    lines_[{from, to}].push_back(std::move(line));
    came_.notify_all();
  }
  // False: nothing comes, for longer than any rank could need.
  bool receive(std::size_t from, std::size_t to, std::vector<float>& line) {
    std::unique_lock lock(mutex_);
    auto& queue = lines_[{from, to}];
    if (!came_.wait_for(lock, std::chrono::seconds(2), [&] { return !queue.empty(); })) return false;
    line = std::move(queue.front());
    queue.pop_front();
    return true;
  }
  std::size_t left() {
    std::size_t count = 0;
    for (const auto& [ranks, queue] : lines_) count += queue.size();
    return count;
  }

 private:
  std::mutex mutex_;
  std::condition_variable came_;
  std::map<std::pair<std::size_t, std::size_t>, std::deque<std::vector<float>>> lines_;
};

struct nothing_comes {};

class rank_of_grid final : public neighbours {
 public:
  rank_of_grid(mail& post, const parts::grid& g, std::size_t rank) : post_(post), grid_(g), rank_(rank) {}

  bool has(side s) const final { return grid_.neighbour(rank_, as_part(s)) >= 0; }
  void send(side s, const std::vector<float>& line) final {
    ++messages;
    numbers += line.size();
    if (has(s))
      post_.send(rank_, other(s), line);
    else
      problem = "sends " + std::string(names[static_cast<std::size_t>(s)]) + ", where the field ends";
  }
  std::vector<float> receive(side s) final {
    std::vector<float> line;
    const std::string from = names[static_cast<std::size_t>(s)];
    if (!has(s)) {
      problem = "waits for a line from " + from + ", where the field ends";
      throw nothing_comes();
    }
    if (!post_.receive(other(s), rank_, line)) {
      problem = "waits for a line from " + from + ", and none comes";
      throw nothing_comes();
    }
    return line;
  }

  std::size_t messages = 0, numbers = 0;
  std::string problem;

 private:
  std::size_t other(side s) const { return static_cast<std::size_t>(grid_.neighbour(rank_, as_part(s))); }

  mail& post_;
  parts::grid grid_;
  std::size_t rank_;
};

// A height for each place of the field, other ones in the second round.
float height(std::size_t row, std::size_t column, int round) {
  return static_cast<float>(1 + row * 100 + column) + 0.5f * static_cast<float>(round);
}

struct field_of_ranks {
  parts::grid grid;
  std::size_t rows, columns;

  std::string name() const {
    return std::to_string(rows) + " x " + std::to_string(columns) + " cells on " + std::to_string(grid.down) + " x " +
           std::to_string(grid.across) + " ranks";
  }
};

void set_cells(part& u, const parts::rectangle& own, int round) {
  for (std::size_t row = 0; row < own.rows; ++row)
    for (std::size_t column = 0; column < own.columns; ++column)
      u.at(row + 1, column + 1) = height(own.top + row, own.left + column, round);
}

// Compares a rank's cells and halo. False: the report has the first cell that is wrong.
bool is_right(part& u, const parts::rectangle& own, const field_of_ranks& f, int round, const std::string& title,
              workbook::report& report) {
  for (std::size_t y = 0; y < own.rows + 2; ++y)
    for (std::size_t x = 0; x < own.columns + 2; ++x) {
      const auto inside = [](std::size_t first, std::size_t margin_index, std::size_t extent) {
        const std::size_t beyond = first + margin_index;  // by one
        return std::min(beyond > 0 ? beyond - 1 : 0, extent - 1);
      };
      const float expected = height(inside(own.top, y, f.rows), inside(own.left, x, f.columns), round);
      if (u.at(y, x) == expected) continue;
      const bool is_corner = (y == 0 || y == own.rows + 1) && (x == 0 || x == own.columns + 1);
      const bool is_own = y >= 1 && y <= own.rows && x >= 1 && x <= own.columns;
      const std::string kind = is_own ? "its own cell" : is_corner ? "the corner" : "the halo";
      report.check_equal(title + ": " + kind + " (" + std::to_string(y) + ", " + std::to_string(x) + ")", u.at(y, x),
                         expected);
      return false;
    }
  return true;
}

bool fills(const field_of_ranks& f, workbook::report& report) {
  mail post;
  std::vector<rank_of_grid> ranks;
  std::vector<part> cells;
  for (std::size_t r = 0; r < f.grid.ranks(); ++r) {
    const parts::rectangle own = f.grid.part(r, f.rows, f.columns);
    ranks.emplace_back(post, f.grid, r);
    cells.push_back({own.rows, own.columns, std::vector<float>((own.rows + 2) * (own.columns + 2), unset)});
  }
  for (const int round : {0, 1}) {
    for (std::size_t r = 0; r < ranks.size(); ++r) set_cells(cells[r], f.grid.part(r, f.rows, f.columns), round);
    std::vector<std::thread> threads;
    for (std::size_t r = 0; r < ranks.size(); ++r)
      threads.emplace_back([&, r] {
        try {
          fill_halo(cells[r], ranks[r]);
        } catch (const nothing_comes&) {
        }
      });
    for (std::thread& t : threads) t.join();
    for (std::size_t r = 0; r < ranks.size(); ++r) {
      const std::string title = f.name() + ", rank " + std::to_string(r);
      if (!ranks[r].problem.empty()) return report.check(title + " " + ranks[r].problem, false);
      if (!is_right(cells[r], f.grid.part(r, f.rows, f.columns), f, round, title, report)) return false;
    }
  }
  if (!report.check_equal(f.name() + ": lines that nobody receives", post.left(), 0)) return false;
  std::size_t most = 0, numbers_too_many = 0;
  for (std::size_t r = 0; r < ranks.size(); ++r) {
    most = std::max(most, ranks[r].messages / 2);
    const std::size_t enough = 2 * 2 * (cells[r].rows + cells[r].columns + 4);
    if (ranks[r].numbers > enough) numbers_too_many += ranks[r].numbers - enough;
  }
  return report.check_at_most(f.name() + ": messages of a rank", static_cast<double>(most), 4) &&
         report.check_equal(f.name() + ": numbers sent beyond the border and its ends", numbers_too_many, 0);
}

}  // namespace

workbook::exercise workbook::this_exercise() {
  return {.number = 41,
          .name = "distributed_diffusion",
          .task = "the halo of a rank, with its corners, by four messages",
          .check = [](workbook::report& report) {
            for (const field_of_ranks& f : {field_of_ranks{{1, 1}, 3, 4},
                                            {{2, 1}, 6, 5},
                                            {{1, 2}, 4, 6},
                                            {{2, 2}, 4, 6},
                                            {{3, 3}, 9, 9},
                                            {{3, 2}, 11, 7},
                                            {{2, 4}, 2, 4},
                                            {{7, 1}, 31, 1},
                                            {{3, 3}, 32, 33}})
              if (!fills(f, report)) return;
          }};
}
