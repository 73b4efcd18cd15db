// expect: messages of a rank
// Exercise 41: the corners of the halo; ./gridstride check 41 says what is still missing.
//
// A rule with eight neighbours, such as the Game of Life of exercise 26, reads the corners of the halo as well. They
// belong to ranks that touch this one at a corner only, and a message to those would cost as much as one to a
// neighbour. There is a way without: messages go above, below, before and after, one to each, and the corners are right
// all the same.

#include <cstddef>
#include <vector>

#include "runtime/gs.h"

enum class side { above, below, before, after };

// A rank's cells: rows 1 to `rows`, columns 1 to `columns`. Around them lies the halo: rows 0 and rows + 1, columns 0
// and columns + 1.
struct part {
  std::size_t rows = 0, columns = 0;
  std::vector<float> cells = {};

  float& at(std::size_t row, std::size_t column) { return cells[row * (columns + 2) + column]; }
};

// The ranks at the four sides.
class neighbours {
 public:
  virtual ~neighbours() = default;
  virtual bool has(side s) const = 0;                             // false: the field ends there
  virtual void send(side s, const std::vector<float>& line) = 0;  // returns at once
  virtual std::vector<float> receive(side s) = 0;                 // waits for what that rank has sent to this one
};

// Your turn: fill the halo, its corners as well. Beyond the edge of the field the cells at the edge repeat.
std::vector<float> column_of(part& u, std::size_t column) {
  std::vector<float> line;
  for (std::size_t row = 1; row <= u.rows; ++row) line.push_back(u.at(row, column));
  return line;
}
std::vector<float> row_of(part& u, std::size_t row) {
  std::vector<float> line;
  for (std::size_t column = 0; column <= u.columns + 1; ++column) line.push_back(u.at(row, column));
  return line;
}

// Columns first. The rows that follow have the columns' halo at their ends, which has come from the sides: so a corner
// arrives in two steps, by way of a rank that touches both.
void fill_once(part& u, neighbours& ranks) {
  for (const side s : {side::before, side::after})
    if (ranks.has(s)) ranks.send(s, column_of(u, s == side::before ? 1 : u.columns));
  for (const side s : {side::before, side::after}) {
    const auto line = ranks.has(s) ? ranks.receive(s) : column_of(u, s == side::before ? 1 : u.columns);
    for (std::size_t i = 0; i < line.size(); ++i) u.at(i + 1, s == side::before ? 0 : u.columns + 1) = line[i];
  }
  for (const side s : {side::above, side::below})
    if (ranks.has(s)) ranks.send(s, row_of(u, s == side::above ? 1 : u.rows));
  for (const side s : {side::above, side::below}) {
    const auto line = ranks.has(s) ? ranks.receive(s) : row_of(u, s == side::above ? 1 : u.rows);
    for (std::size_t i = 0; i < line.size(); ++i) u.at(s == side::above ? 0 : u.rows + 1, i) = line[i];
  }
}
// The second time the corners are right.
void fill_halo(part& u, neighbours& ranks) {
  fill_once(u, ranks);
  fill_once(u, ranks);
}
// Until here.
