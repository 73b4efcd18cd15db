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
// So far: four lines without their ends, all at the same time.
void fill_halo(part& u, neighbours& ranks) {
  const auto border = [&](side s) {
    std::vector<float> line;
    if (s == side::above || s == side::below)
      for (std::size_t column = 1; column <= u.columns; ++column)
        line.push_back(u.at(s == side::above ? 1 : u.rows, column));
    else
      for (std::size_t row = 1; row <= u.rows; ++row) line.push_back(u.at(row, s == side::before ? 1 : u.columns));
    return line;
  };
  const side sides[] = {side::above, side::below, side::before, side::after};
  for (const side s : sides)
    if (ranks.has(s)) ranks.send(s, border(s));
  for (const side s : sides) {
    const auto line = ranks.has(s) ? ranks.receive(s) : border(s);
    for (std::size_t i = 0; i < line.size(); ++i)
      if (s == side::above || s == side::below)
        u.at(s == side::above ? 0 : u.rows + 1, i + 1) = line[i];
      else
        u.at(i + 1, s == side::before ? 0 : u.columns + 1) = line[i];
  }
}
// Until here.
