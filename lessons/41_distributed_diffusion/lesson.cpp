// Lesson 41: distributed diffusion. A field on several ranks: halos travel while the inner cells are computed, a rank that
// dies loses nothing, and how far that goes with a thousand machines.

#include <unistd.h>

#include <algorithm>
#include <array>
#include <bit>
#include <chrono>
#include <cmath>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <numeric>
#include <optional>
#include <string>
#include <thread>
#include <utility>
#include <vector>

#include "lessons/41_distributed_diffusion/checkpoint.h"
#include "lessons/41_distributed_diffusion/parts.h"
#include "lessons/41_distributed_diffusion/simulated_network.h"
#include "runtime/gs.h"
#include "runtime/world/world.h"
#include "workbook/lesson.h"

using parts::rectangle, parts::side;

// --- the field -------------------------------------------------------------------------------------------------------

// Lesson 26 makes its field by a Fourier transform, for which some rank would need all of it. This one is a function of
// the place: each rank makes its own cells. It is value noise: random heights on a lattice, with straight lines between
// them, on six lattices of which each is twice as fine as the one before.
GS_FN float height_on_lattice(std::uint64_t seed, std::uint64_t row, std::uint64_t column) {
  std::uint64_t x = seed * 0x9e3779b97f4a7c15 + row * 0xbf58476d1ce4e5b9 + column * 0x94d049bb133111eb;
  x = (x ^ (x >> 30)) * 0xbf58476d1ce4e5b9;  // the last steps of SplitMix64 (Steele, Lea, Flood 2014)
  x = (x ^ (x >> 27)) * 0x94d049bb133111eb;
  return static_cast<float>((x ^ (x >> 31)) >> 40) * 0x1p-24f;
}
GS_FN float height(std::uint64_t seed, std::size_t row, std::size_t column) {
  float sum = 0, weight = 0.5f;
  for (std::size_t spacing = 64; spacing >= 2; spacing /= 2, weight /= 2) {
    const std::size_t r = row / spacing, c = column / spacing;
    const float down = static_cast<float>(row % spacing) / static_cast<float>(spacing);
    const float across = static_cast<float>(column % spacing) / static_cast<float>(spacing);
    const std::uint64_t lattice = seed + spacing;
    const float upper = (1 - across) * height_on_lattice(lattice, r, c) + across * height_on_lattice(lattice, r, c + 1);
    const float lower =
        (1 - across) * height_on_lattice(lattice, r + 1, c) + across * height_on_lattice(lattice, r + 1, c + 1);
    sum += weight * ((1 - down) * upper + down * lower);
  }
  return sum;
}

constexpr float sea_level = 0x1p-10f;  // not 0: lesson 26 says why
GS_FN float land(std::uint64_t seed, std::size_t row, std::size_t column) {
  const float above_sea = 2 * height(seed, row, column) - 1;
  return above_sea > sea_level ? above_sea : sea_level;
}

// A rank's cells have a margin of one cell on each side, the halo: cell (row, column) is u(row + 1, column + 1).
GS_FN void make_land(gs::thread t, std::uint64_t seed, rectangle own, gs::view<float, 2> u) {
  for (auto row : t.grid_stride_y(own.rows))
    for (auto column : t.grid_stride(own.columns)) u(row + 1, column + 1) = land(seed, own.top + row, own.left + column);
}

GS_FN float laplacian_of(float here, float up, float down, float left, float right) {
  return up + down + (left + right) - 4 * here;
}

// A step of some of the cells.
GS_FN void diffuse(gs::thread t, float rate, rectangle cells, gs::view<const float, 2> in, gs::view<float, 2> out) {
  for (auto row : t.grid_stride_y(cells.rows))
    for (auto column : t.grid_stride(cells.columns)) {
      const std::size_t y = cells.top + row + 1, x = cells.left + column + 1;
      const float here = in(y, x);
      out(y, x) = here + rate * laplacian_of(here, in(y - 1, x), in(y + 1, x), in(y, x - 1), in(y, x + 1));
    }
}

// The cells at a border, as a line that can be sent.
GS_FN void take_border(gs::thread t, side s, gs::view<const float, 2> u, gs::view<float> line) {
  const std::size_t rows = u.extent(0) - 2, columns = u.extent(1) - 2;
  for (auto i : t.grid_stride(line.size()))
    line[i] = parts::is_row(s) ? u(s == parts::above ? 1 : rows, i + 1) : u(i + 1, s == parts::before ? 1 : columns);
}
GS_FN void put_halo(gs::thread t, side s, gs::view<const float> line, gs::view<float, 2> u) {
  const std::size_t rows = u.extent(0) - 2, columns = u.extent(1) - 2;
  for (auto i : t.grid_stride(line.size()))
    if (parts::is_row(s))
      u(s == parts::above ? 0 : rows + 1, i + 1) = line[i];
    else
      u(i + 1, s == parts::before ? 0 : columns + 1) = line[i];
}

// --- one rank's part -------------------------------------------------------------------------------------------------

struct field_description {
  std::size_t rows = 0, columns = 0;
  std::uint64_t seed = 0;
  float rate = 0;
};

enum class order { inner_cells_meanwhile, wait_first };

class distributed_field {
 public:
  distributed_field(const gs::communicator& ranks, parts::grid arrangement, const field_description& whole)
      : ranks_(ranks),
        grid_(arrangement),
        whole_(whole),
        own_(grid_.part(static_cast<std::size_t>(ranks.rank()), whole.rows, whole.columns)),
        u_({own_.rows + 2, own_.columns + 2}),
        next_({own_.rows + 2, own_.columns + 2}) {
    for (const side s : parts::all_sides) {
      neighbours_[s] = grid_.neighbour(static_cast<std::size_t>(ranks.rank()), s);
      const std::size_t length = parts::is_row(s) ? own_.columns : own_.rows;
      border_[s] = gs::device_array<float>(length);
      halo_[s] = gs::device_array<float>(length);
    }
    gs::launch<make_land>(blocks_over(own_), whole_.seed, own_, u_);
  }

  void step(order o = order::inner_cells_meanwhile) {
    for (const side s : parts::all_sides) gs::launch<take_border>(along(s), s, u_, border_[s]);
    std::array<gs::request<gs::device_array<float>>, 4> sent, comes;
    for (const side s : parts::all_sides) {
      if (neighbours_[s] < 0) continue;
      comes[s] = ranks_.start_receive(std::move(halo_[s]), neighbours_[s], static_cast<int>(s));
      sent[s] = ranks_.start_send(std::move(border_[s]), neighbours_[s], static_cast<int>(parts::opposite(s)));
    }
    if (o == order::inner_cells_meanwhile) diffuse_cells(inner_cells());
    for (const side s : parts::all_sides) {
      const bool has_neighbour = neighbours_[s] >= 0;
      if (has_neighbour) halo_[s] = comes[s].wait();
      // Beyond the edge of the field the cells at the edge repeat: nothing flows in or out.
      gs::launch<put_halo>(along(s), s, has_neighbour ? halo_[s] : border_[s], u_);
      if (has_neighbour) border_[s] = sent[s].wait();
    }
    if (o == order::wait_first) diffuse_cells(inner_cells());
    for (const rectangle& line : outer_cells()) diffuse_cells(line);
    std::swap(u_, next_);
    ++steps_;
  }
  void step(std::size_t n, order o = order::inner_cells_meanwhile) {
    for (std::size_t k = 0; k < n; ++k) step(o);
  }

  /// This rank's cells, row by row.
  std::vector<float> cells() const {
    const std::vector<float> all = u_.copy_to_host();
    std::vector<float> own;
    own.reserve(own_.cells());
    for (std::size_t row = 0; row < own_.rows; ++row) {
      const auto first = all.begin() + static_cast<std::ptrdiff_t>((row + 1) * (own_.columns + 2) + 1);
      own.insert(own.end(), first, first + static_cast<std::ptrdiff_t>(own_.columns));
    }
    return own;
  }
  void set_cells(const std::vector<float>& own, std::uint64_t steps) {
    std::vector<float> all((own_.rows + 2) * (own_.columns + 2));
    for (std::size_t row = 0; row < own_.rows; ++row)
      std::copy_n(own.begin() + static_cast<std::ptrdiff_t>(row * own_.columns), own_.columns,
                  all.begin() + static_cast<std::ptrdiff_t>((row + 1) * (own_.columns + 2) + 1));
    u_.copy_from_host(all);
    steps_ = steps;
  }

  const rectangle& own() const { return own_; }
  const field_description& whole() const { return whole_; }
  const gs::communicator& ranks() const { return ranks_; }
  const parts::grid& arrangement() const { return grid_; }
  std::uint64_t steps() const { return steps_; }
  /// Cells that this rank sends in a step, and in how many messages.
  std::size_t cells_sent() const {
    std::size_t cells = 0;
    for (const side s : parts::all_sides)
      if (neighbours_[s] >= 0) cells += parts::is_row(s) ? own_.columns : own_.rows;
    return cells;
  }
  std::size_t messages() const {
    return static_cast<std::size_t>(std::ranges::count_if(neighbours_, [](int rank) { return rank >= 0; }));
  }

 private:
  static gs::launch_options blocks_over(const rectangle& r) {
    return {.grid = {(r.columns + 255) / 256, (r.rows + 15) / 16}, .block = {256, 1}};
  }
  gs::launch_options along(side s) const {
    return {.grid = ((parts::is_row(s) ? own_.columns : own_.rows) + 255) / 256, .block = 256};
  }
  void diffuse_cells(const rectangle& r) {
    if (r.cells() > 0) gs::launch<diffuse>(blocks_over(r), whole_.rate, r, u_, next_);
  }
  // Those that need nothing from another rank.
  rectangle inner_cells() const {
    return {.top = 1,
            .left = 1,
            .rows = own_.rows > 2 ? own_.rows - 2 : 0,
            .columns = own_.columns > 2 ? own_.columns - 2 : 0};
  }
  std::array<rectangle, 4> outer_cells() const {
    const std::size_t last_row = own_.rows - 1, last_column = own_.columns - 1;
    const std::size_t between = own_.rows > 2 ? own_.rows - 2 : 0;
    return {{{.top = 0, .left = 0, .rows = 1, .columns = own_.columns},
             {.top = last_row, .left = 0, .rows = last_row > 0 ? 1u : 0u, .columns = own_.columns},
             {.top = 1, .left = 0, .rows = between, .columns = 1},
             {.top = 1, .left = last_column, .rows = between, .columns = last_column > 0 ? 1u : 0u}}};
  }

  gs::communicator ranks_;
  parts::grid grid_;
  field_description whole_;
  rectangle own_;
  gs::device_array<float> u_, next_;
  std::array<int, 4> neighbours_{};
  std::array<gs::device_array<float>, 4> border_{gs::device_array<float>(0), gs::device_array<float>(0),
                                                 gs::device_array<float>(0), gs::device_array<float>(0)},
      halo_ = border_;
  std::uint64_t steps_ = 0;
};

// --- what all ranks know of it ---------------------------------------------------------------------------------------

// A number for all bits of a field, whoever has which cell: whole numbers may be added in any order.
std::uint64_t fingerprint_of(const std::vector<float>& cells, const rectangle& own, std::size_t columns) {
  std::uint64_t sum = 0;
  for (std::size_t i = 0; i < cells.size(); ++i) {
    const std::uint64_t place = (own.top + i / own.columns) * columns + own.left + i % own.columns;
    std::uint64_t x = (place << 32 ^ std::bit_cast<std::uint32_t>(cells[i])) * 0x9e3779b97f4a7c15;
    x = (x ^ (x >> 32)) * 0xd6e8feb86659fd93;
    sum += x ^ (x >> 32);
  }
  return sum;
}
std::uint64_t fingerprint(const distributed_field& field) {
  return field.ranks().allreduce(fingerprint_of(field.cells(), field.own(), field.whole().columns));
}
double sum_of(const std::vector<float>& cells) {
  double sum = 0;
  for (const float u : cells) sum += static_cast<double>(u);
  return sum;
}
double total(const distributed_field& field) { return field.ranks().allreduce(sum_of(field.cells())); }

std::string in_hex(std::uint64_t x) {
  std::array<char, 17> text{};
  std::snprintf(text.data(), text.size(), "%016llx", static_cast<unsigned long long>(x));
  return text.data();
}
std::string all_digits(double x) {
  std::array<char, 32> text{};
  std::snprintf(text.data(), text.size(), "%.17g", x);
  return text.data();
}
std::string text_of(const parts::grid& g) { return std::to_string(g.down) + " x " + std::to_string(g.across); }
std::string ranks_text(std::size_t n) { return std::to_string(n) + (n == 1 ? " rank" : " ranks"); }

// The same steps by a plain loop over the whole field.
std::vector<float> by_plain_loop(const field_description& whole, std::size_t steps) {
  const std::size_t rows = whole.rows, columns = whole.columns;
  std::vector<float> u(rows * columns), next(u.size());
  for (std::size_t i = 0; i < u.size(); ++i) u[i] = land(whole.seed, i / columns, i % columns);
  for (std::size_t k = 0; k < steps; ++k) {
    for (std::size_t row = 0; row < rows; ++row) {
      const float* const here = &u[row * columns];
      const float* const up = row > 0 ? here - columns : here;
      const float* const down = row + 1 < rows ? here + columns : here;
      for (std::size_t c = 0; c < columns; ++c)
        next[row * columns + c] =
            here[c] + whole.rate * laplacian_of(here[c], up[c], down[c], here[c > 0 ? c - 1 : c],
                                                here[c + 1 < columns ? c + 1 : c]);
    }
    std::swap(u, next);
  }
  return u;
}

parts::grid grid_for(const std::string& arrangement, std::size_t ranks, const field_description& whole) {
  return arrangement == "rows" ? parts::by_rows(ranks) : parts::in_two_dimensions(ranks, whole.rows, whole.columns);
}

// Throws on every rank, before the first message.
void check_size(const parts::grid& g, const field_description& whole) {
  if (g.down > whole.rows)
    throw gs::error("sharing a field among " + ranks_text(g.ranks()),
                    "it has " + std::to_string(whole.rows) + " rows, fewer than the " + std::to_string(g.down) +
                        " parts, one above the other",
                    "start fewer ranks, or choose a larger --size");
}

void same_bits(const gs::communicator& world, const field_description& whole, std::size_t steps,
               workbook::report& report) {
  report.heading("The same bits?");
  const auto size = static_cast<std::size_t>(world.size());
  const std::vector<float> expected = by_plain_loop(whole, steps);
  const std::uint64_t expected_bits = fingerprint_of(
      expected, {.rows = whole.rows, .columns = whole.columns}, whole.columns);
  auto& table = report.table("After " + std::to_string(steps) + " steps",
                             {"ranks", "messages a step, at most", "cells a rank sends, at most", "all bits", "total"});
  table.row("a plain loop", 0, 0, in_hex(expected_bits), all_digits(sum_of(expected)));
  std::vector<std::string> arrangements{"rows"};
  if (size > 3) arrangements.emplace_back("2-D");
  for (const std::string& arrangement : arrangements) {
    const parts::grid g = grid_for(arrangement, size, whole);
    distributed_field field(world, g, whole);
    field.step(steps);
    const std::uint64_t bits = fingerprint(field);
    const double sum = total(field);
    table.row(text_of(g), world.allreduce(field.messages(), gs::fold::maximum),
              world.allreduce(field.cells_sent(), gs::fold::maximum), in_hex(bits), all_digits(sum));
    report.check_equal("all bits of the field, " + text_of(g) + " ranks", in_hex(bits), in_hex(expected_bits));
    report.check_near("the total, " + text_of(g) + " ranks", sum, sum_of(expected), 1e-12);
  }
}

// --- a rank that dies ------------------------------------------------------------------------------------------------

void save(const distributed_field& field, const std::filesystem::path& folder) {
  const rectangle& own = field.own();
  checkpoint::write(folder,
                    {.step = field.steps(),
                     .rows = field.whole().rows,
                     .columns = field.whole().columns,
                     .seed = field.whole().seed,
                     .rate = static_cast<double>(field.whole().rate),
                     .ranks = static_cast<std::uint64_t>(field.ranks().size()),
                     .rank = static_cast<std::uint64_t>(field.ranks().rank()),
                     .top = own.top,
                     .left = own.left,
                     .part_rows = own.rows,
                     .part_columns = own.columns},
                    field.cells());
  field.ranks().barrier();  // from here on, the checkpoint is whole, and an older one isn't needed
  if (field.ranks().rank() == 0) checkpoint::remove_older(folder, 2);
}

// Throws where the checkpoint is of another field.
void check_same_field(const checkpoint::header& h, const field_description& whole, const std::filesystem::path& file) {
  const auto refuse = [&](const std::string& name, const std::string& found, const std::string& asked) {
    throw gs::error("going on from the checkpoint " + file.string(),
                    "its field has " + name + " " + found + ", and this one " + asked,
                    "choose the same, or remove the folder to begin anew");
  };
  const auto text = [](std::uint64_t n) { return std::to_string(n); };
  if (h.rows != whole.rows || h.columns != whole.columns)
    refuse("the size", text(h.rows) + " x " + text(h.columns), text(whole.rows) + " x " + text(whole.columns));
  if (h.seed != whole.seed) refuse("the seed", text(h.seed), text(whole.seed));
  if (h.rate != static_cast<double>(whole.rate))
    refuse("the rate", std::to_string(h.rate), std::to_string(whole.rate));
}

// The files of a checkpoint are shared out to be verified; the answer is the same on all ranks. Empty: it is whole.
std::string problem_of(const gs::communicator& ranks, const checkpoint::set& s, const std::filesystem::path& folder) {
  std::string problem;
  for (auto k = static_cast<std::uint64_t>(ranks.rank()); k < s.ranks && problem.empty();
       k += static_cast<std::uint64_t>(ranks.size())) try {
      checkpoint::read(checkpoint::file_of(folder, s, k));
    } catch (const gs::error& e) {
      problem = e.what();
    }
  const int first = ranks.allreduce(problem.empty() ? ranks.size() : ranks.rank(), gs::fold::minimum);
  if (first == ranks.size()) return "";
  std::vector<char> letters(problem.begin(), problem.end());
  auto length = letters.size();
  ranks.broadcast(length, first);
  letters.resize(length);
  ranks.broadcast(letters, first);
  return {letters.begin(), letters.end()};
}

struct restart {
  bool happened = false;
  std::vector<std::string> damaged = {};  // checkpoints that were passed over
};

// Goes on from the newest checkpoint that is whole, whatever number of ranks wrote it.
restart go_on(distributed_field& field, const std::filesystem::path& folder) {
  const gs::communicator& ranks = field.ranks();
  std::vector<checkpoint::set> sets;
  if (ranks.rank() == 0) sets = checkpoint::find(folder);  // all ranks have to see the same
  auto count = sets.size();
  ranks.broadcast(count);
  sets.resize(count);
  ranks.broadcast(sets);
  restart result;
  for (const checkpoint::set& s : sets) {
    if (const std::string problem = problem_of(ranks, s, folder); !problem.empty()) {
      result.damaged.push_back(problem);
      continue;
    }
    std::vector<float> cells(field.own().cells());
    for (std::uint64_t k = 0; k < s.ranks; ++k) {
      const std::filesystem::path file = checkpoint::file_of(folder, s, k);
      const auto [about, from] = checkpoint::read(file);
      check_same_field(about, field.whole(), file);
      const rectangle shared = parts::common(about.part(), field.own());
      for (std::size_t row = shared.top; row < shared.top + shared.rows; ++row)
        std::copy_n(from.begin() + static_cast<std::ptrdiff_t>((row - about.top) * about.part_columns + shared.left -
                                                               about.left),
                    shared.columns,
                    cells.begin() + static_cast<std::ptrdiff_t>((row - field.own().top) * field.own().columns +
                                                                shared.left - field.own().left));
    }
    field.set_cells(cells, s.step);
    result.happened = true;
    return result;
  }
  if (!result.damaged.empty())
    throw gs::error("going on from a checkpoint in " + folder.string(), "none is whole: " + result.damaged.front(),
                    "remove the folder to begin anew");
  return result;
}
