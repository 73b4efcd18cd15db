// Lesson 41: distributed diffusion. A field on several ranks: halos travel while the inner cells are computed, a rank
// that dies loses nothing, and how far that goes with a thousand machines.

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
  for (auto row : t.grid_stride_y(own.rows + 2))
    for (auto column : t.grid_stride(own.columns + 2)) {
      const bool is_own = row >= 1 && row <= own.rows && column >= 1 && column <= own.columns;
      u(row, column) = is_own ? land(seed, own.top + row - 1, own.left + column - 1) : 0;
    }
}

GS_FN float laplacian_of(float here, float up, float down, float left, float right) {
  return up + down + (left + right) - 4 * here;
}

constexpr unsigned wide = 256, high = 16;  // a block's cells

// A step of some of the cells. Lesson 26 has better ways for a field that lies in one memory.
GS_FN void diffuse(gs::block<wide> block, float rate, rectangle cells, gs::view<const float, 2> in,
                   gs::view<float, 2> out) {
  const std::size_t top = std::size_t{high} * block.block_idx().y, left = std::size_t{wide} * block.block_idx().x;
  const std::size_t rows = cells.rows - top < high ? cells.rows - top : high;
  const std::size_t columns = cells.columns - left < wide ? cells.columns - left : wide;
  block.each_of(rows, columns, [&](std::size_t row, std::size_t column) {
    const std::size_t y = cells.top + top + row + 1, x = cells.left + left + column + 1;
    const float here = in(y, x);
    out(y, x) = here + rate * laplacian_of(here, in(y - 1, x), in(y + 1, x), in(y, x - 1), in(y, x + 1));
  });
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

// When the parts of a step were done, in ms. Waits for the device after each, which a step without a log does not.
class step_log {
 public:
  void begin() {
    gs::synchronize();
    begun_ = std::chrono::steady_clock::now();
    times_ = {0};
  }
  void note() {
    gs::synchronize();
    times_.push_back(std::chrono::duration<double, std::milli>(std::chrono::steady_clock::now() - begun_).count());
  }
  const std::vector<double>& times() const { return times_; }

  static constexpr std::array parts{"begins the messages", "computes the inner cells", "waits for the halo",
                                    "computes the outer cells"};

 private:
  std::chrono::steady_clock::time_point begun_;
  std::vector<double> times_;
};

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
      border_.emplace_back(length);
      halo_.emplace_back(length);
    }
    // Both, for the margin: nobody reads its corners, but they are copied with the rest.
    for (auto* const field : {&u_, &next_}) gs::launch<make_land>(blocks_over(own_), whole_.seed, own_, *field);
  }

  void step(order o = order::inner_cells_meanwhile, step_log* log = nullptr) {
    const auto note = [log] {
      if (log != nullptr) log->note();
    };
    for (const side s : parts::all_sides) gs::launch<take_border>(along(s), s, u_, border_[s]);
    std::array<gs::request<gs::device_array<float>>, 4> sent, comes;
    for (const side s : parts::all_sides) {
      if (neighbours_[s] < 0) continue;
      comes[s] = ranks_.start_receive(std::move(halo_[s]), neighbours_[s], static_cast<int>(s));
      sent[s] = ranks_.start_send(std::move(border_[s]), neighbours_[s], static_cast<int>(parts::opposite(s)));
    }
    note();
    if (o == order::inner_cells_meanwhile) diffuse_cells(inner_cells());
    note();
    for (const side s : parts::all_sides) {
      const bool has_neighbour = neighbours_[s] >= 0;
      if (has_neighbour) halo_[s] = comes[s].wait();
      // Beyond the edge of the field the cells at the edge repeat: nothing flows in or out.
      gs::launch<put_halo>(along(s), s, has_neighbour ? halo_[s] : border_[s], u_);
      if (has_neighbour) border_[s] = sent[s].wait();
    }
    note();
    if (o == order::wait_first) diffuse_cells(inner_cells());
    for (const rectangle& line : outer_cells()) diffuse_cells(line);
    note();
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
    return {.grid = {(r.columns + wide - 1) / wide, (r.rows + high - 1) / high}, .block = {wide, 1}};
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
  std::vector<gs::device_array<float>> border_, halo_;  // by side
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
template <class T>
T sum_of(const std::vector<float>& cells) {
  T sum = 0;
  for (const float u : cells) sum += static_cast<T>(u);
  return sum;
}
template <class T>
T total(const distributed_field& field) {
  return field.ranks().allreduce(sum_of<T>(field.cells()));
}

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
        next[row * columns + c] = here[c] + whole.rate * laplacian_of(here[c], up[c], down[c], here[c > 0 ? c - 1 : c],
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
  const std::uint64_t expected_bits =
      fingerprint_of(expected, {.rows = whole.rows, .columns = whole.columns}, whole.columns);
  auto& table = report.table(
      "After " + std::to_string(steps) + " steps",
      {"ranks", "messages of a rank", "cells it sends", "all bits", "total in float64", "total in float32"});
  table.row("a plain loop", 0, 0, in_hex(expected_bits), all_digits(sum_of<double>(expected)), sum_of<float>(expected));
  std::vector<std::string> arrangements{"rows"};
  if (size > 3) arrangements.emplace_back("2-D");
  for (const std::string& arrangement : arrangements) {
    const parts::grid g = grid_for(arrangement, size, whole);
    distributed_field field(world, g, whole);
    field.step(steps);
    const std::uint64_t bits = fingerprint(field);
    const double sum = total<double>(field);
    table.row(text_of(g), world.allreduce(field.messages(), gs::fold::maximum),
              world.allreduce(field.cells_sent(), gs::fold::maximum), in_hex(bits), all_digits(sum),
              total<float>(field));
    report.check_equal("all bits of the field, " + text_of(g) + " ranks", in_hex(bits), in_hex(expected_bits));
    report.check_near("the total, " + text_of(g) + " ranks", sum, sum_of<double>(expected), 1e-12);
  }
}

// What a rank does with which of its cells in a step.
void picture_of_the_exchange(workbook::report& report) {
  enum : std::size_t { inner, outer, halo, corner = 6 };
  constexpr std::size_t side_length = 7;
  workbook::diagram picture{.title = "A rank's cells in a step",
                            .groups = {"computed while the halo travels", "sent; computed when the halo has come",
                                       "the halo: cells of neighbours", "", "", "", "read by nobody"},
                            .unit_width = 44,
                            .unit_height = 36};
  constexpr std::size_t last = side_length + 1;
  for (std::size_t y = 0; y <= last; ++y)
    for (std::size_t x = 0; x <= last; ++x) {
      const bool halo_row = y == 0 || y == last, halo_column = x == 0 || x == last;
      const bool is_outer = y == 1 || y == side_length || x == 1 || x == side_length;
      picture.add({.x = static_cast<double>(x),
                   .y = static_cast<double>(y),
                   .group = halo_row && halo_column   ? corner
                            : halo_row || halo_column ? halo
                            : is_outer                ? outer
                                                      : inner});
    }
  report.plot(std::move(picture));
}

// What each rank does in a step, and when. All of them begin together, so their clocks needn't agree.
void timeline_of_a_step(const gs::communicator& world, const field_description& whole, workbook::report& report) {
  constexpr std::size_t most_rows = 16;
  distributed_field field(world, parts::by_rows(static_cast<std::size_t>(world.size())), whole);
  field.step(3);
  gs::synchronize();
  world.barrier();
  step_log log;
  log.begin();
  field.step(order::inner_cells_meanwhile, &log);
  const auto of_all = world.gather(log.times());
  if (!of_all) return;
  workbook::timeline picture{.title = "A step on each rank",
                             .groups = {step_log::parts.begin(), step_log::parts.end()}};
  const std::size_t times = log.times().size();
  for (std::size_t r = 0; r < std::min(of_all->size() / times, most_rows); ++r) {
    picture.rows.push_back("rank " + std::to_string(r));
    for (std::size_t k = 0; k + 1 < times; ++k)
      picture.bars.push_back(
          {.row = r, .group = k, .start = (*of_all)[r * times + k], .stop = (*of_all)[r * times + k + 1]});
  }
  report.plot(std::move(picture));
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
  if (h.rate != static_cast<double>(whole.rate)) refuse("the rate", std::to_string(h.rate), std::to_string(whole.rate));
}

// The files of a checkpoint are shared out to be verified; the answer is the same on all ranks. Empty: it is whole.
std::string problem_of(const gs::communicator& ranks, const checkpoint::set& s, const std::filesystem::path& folder) {
  std::string problem;
  for (auto k = static_cast<std::uint64_t>(ranks.rank()); k < s.ranks && problem.empty();
       k += static_cast<std::uint64_t>(ranks.size()))
    try {
      checkpoint::read(checkpoint::file_of(folder, s, k));
    } catch (const gs::error& e) {
      problem = e.asked() + ": " + e.found();
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
        std::copy_n(from.begin() +
                        static_cast<std::ptrdiff_t>((row - about.top) * about.part_columns + shared.left - about.left),
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

// --- how long it takes -----------------------------------------------------------------------------------------------

// Waits for the rank 0 of `world` without taking a core from those that compute.
void rest(const gs::communicator& world, int tag) {
  auto call = world.start_receive(0, 0, tag);
  while (!call.done()) std::this_thread::sleep_for(std::chrono::milliseconds(2));
  static_cast<void>(call.wait());
}
void wake(const gs::communicator& world, std::size_t first, int tag) {
  for (auto r = static_cast<int>(first); r < world.size(); ++r) world.send(0, r, tag);
}

// Seconds a step of the slowest rank, the best of a few runs; known to all ranks.
double seconds_a_step(distributed_field& field, order o) {
  constexpr std::size_t steps = 10;
  double best = std::numeric_limits<double>::max();
  for (int run = 0; run < 4; ++run) {  // the first warms up
    field.ranks().barrier();
    const auto begin = std::chrono::steady_clock::now();
    field.step(steps, o);
    gs::synchronize();
    const std::chrono::duration<double> took = std::chrono::steady_clock::now() - begin;
    const double slowest = field.ranks().allreduce(took.count() / steps, gs::fold::maximum);
    if (run > 0) best = std::min(best, slowest);
  }
  return best;
}

struct trial {
  std::size_t ranks;
  std::string arrangement;
  order steps_order;
  field_description whole;
};

// The first ranks of `world` make the trial; the others rest. The result is known to rank 0.
double seconds_of(const gs::communicator& world, const trial& t) {
  constexpr int tag = 7;
  const bool takes_part = world.rank() < static_cast<int>(t.ranks);
  const gs::communicator ranks = world.split(takes_part ? 0 : 1);
  if (!takes_part) {
    rest(world, tag);
    return 0;
  }
  distributed_field field(ranks, grid_for(t.arrangement, t.ranks, t.whole), t.whole);
  const double seconds = seconds_a_step(field, t.steps_order);
  if (world.rank() == 0) wake(world, t.ranks, tag);
  return seconds;
}

// 1, 2, 4, ... and all ranks.
std::vector<std::size_t> rank_counts(std::size_t all) {
  std::vector<std::size_t> counts;
  for (std::size_t n = 1; n < all; n *= 2) counts.push_back(n);
  counts.push_back(all);
  return counts;
}

// What a step costs: the outer cells wait until the inner ones are done and the halo has come. A rank's messages travel
// at the same time, so there is a latency; they share a cable, so their bytes follow each other.
double modelled_seconds(const parts::grid& g, std::size_t rows, std::size_t columns, double seconds_a_cell,
                        const simulated_network::network& network) {
  double slowest = 0;
  for (std::size_t r = 0; r < g.ranks(); ++r) {
    const rectangle own = g.part(r, rows, columns);
    double bytes = 0;
    for (const side s : parts::all_sides)
      if (g.neighbour(r, s) >= 0)
        bytes += static_cast<double>(sizeof(float) * (parts::is_row(s) ? own.columns : own.rows));
    const auto inside = [](std::size_t n) { return static_cast<double>(n > 2 ? n - 2 : 0); };
    const double inner = inside(own.rows) * inside(own.columns) * seconds_a_cell;
    const double outer = static_cast<double>(own.cells()) * seconds_a_cell - inner;
    const double travel = bytes > 0 ? network.latency + bytes / network.bandwidth : 0;
    slowest = std::max(slowest, std::max(inner, travel) + outer);
  }
  return slowest;
}

// Half of the way there and back, the best of many; known to ranks 0 and 1.
double seconds_of_message(const gs::communicator& world, std::size_t bytes, int times) {
  std::vector<char> message(bytes);
  double best = std::numeric_limits<double>::max();
  for (int k = 0; k < times; ++k) {
    const auto begin = std::chrono::steady_clock::now();
    if (world.rank() == 0) {
      world.send(message, 1);
      world.receive(message, 1);
    } else {
      world.receive(message, 0);
      world.send(message, 0);
    }
    const std::chrono::duration<double> took = std::chrono::steady_clock::now() - begin;
    best = std::min(best, took.count() / 2);
  }
  return best;
}

// Between ranks 0 and 1; known to rank 0. None where there is one rank.
std::optional<simulated_network::network> measured_network(const gs::communicator& world) {
  constexpr std::size_t large = 4 << 20;
  constexpr int tag = 8;
  if (world.size() == 1) return {};
  if (world.rank() > 1) {
    rest(world, tag);
    return {};
  }
  const double latency = seconds_of_message(world, sizeof(float), 200);
  const double seconds = seconds_of_message(world, large, 10);
  if (world.rank() == 0) wake(world, 2, tag);
  return simulated_network::network{.latency = latency, .bandwidth = large / std::max(seconds - latency, 1e-9)};
}

// Returns the seconds that a cell takes on one rank.
double measure_scaling(const gs::communicator& world, const field_description& whole, workbook::report& report) {
  report.heading("How many times as fast");
  const auto all = static_cast<std::size_t>(world.size());
  const std::optional<simulated_network::network> between = measured_network(world);
  auto& strong = report.table("The same field on more ranks", {"ranks", "by rows, waits first", "by rows",
                                                               "model of it", "2-D", "model of it", "times as fast"});
  double alone = 0, seconds_a_cell = 0;
  for (const std::size_t n : rank_counts(all)) {
    const double waits = seconds_of(world, {n, "rows", order::wait_first, whole});
    const double rows = seconds_of(world, {n, "rows", order::inner_cells_meanwhile, whole});
    const double squares = n < 4 ? rows : seconds_of(world, {n, "2-D", order::inner_cells_meanwhile, whole});
    if (world.rank() != 0) continue;
    if (n == 1) {
      alone = rows;
      seconds_a_cell = rows / static_cast<double>(whole.rows * whole.columns);
    }
    const auto model = [&](const std::string& arrangement) {
      const simulated_network::network none{.latency = 0, .bandwidth = 1};  // nothing is sent
      return workbook::seconds(modelled_seconds(grid_for(arrangement, n, whole), whole.rows, whole.columns,
                                                seconds_a_cell, between.value_or(none)));
    };
    strong.row(n, workbook::seconds(waits), workbook::seconds(rows), model("rows"), workbook::seconds(squares),
               model("2-D"), alone / std::min(rows, squares));
  }
  auto& weak = report.table("As many cells for each rank", {"ranks", "rows", "a step took", "efficiency [%]"});
  for (const std::size_t n : rank_counts(all)) {
    field_description larger = whole;
    larger.rows *= n;
    const double seconds = seconds_of(world, {n, "rows", order::inner_cells_meanwhile, larger});
    if (world.rank() == 0) weak.row(n, larger.rows, workbook::seconds(seconds), 100 * alone / seconds);
  }
  auto& network = report.table("Between two ranks", {"", "latency", "bandwidth"});
  if (between)
    network.row("rank 0 and rank 1", workbook::seconds(between->latency),
                workbook::bytes_per_second(between->bandwidth));
  else
    network.row("one rank alone", "", "");
  const unsigned cores = std::thread::hardware_concurrency();
  if (all == 1)
    report.paragraph("This is a world of one rank: nothing was sent. Run it with --ranks 2, then 4.");
  else if (all > cores)
    report.paragraph("The " + ranks_text(all) + " share " + std::to_string(cores) + (cores == 1 ? " core" : " cores") +
                     " of this machine, so more of them can't be faster; the model has a core for each.");
  return seconds_a_cell;
}

// --- a thousand machines ---------------------------------------------------------------------------------------------

void a_thousand_machines(const workbook::parameters& given, double seconds_a_cell, workbook::report& report) {
  report.heading("A thousand machines");
  const std::size_t side_length = given.size("large");
  const simulated_network::network network{.latency = given.real("latency") * 1e-6,
                                           .bandwidth = given.real("bandwidth") * 1e6};
  const field_description whole{.rows = side_length, .columns = side_length};
  const double alone = seconds_a_cell * static_cast<double>(side_length) * static_cast<double>(side_length);
  const bool simulates = given.choice("simulated") == "yes";
  workbook::xy_plot plot{.title = "A field of " + std::to_string(side_length) + " x " + std::to_string(side_length),
                         .x = {.label = "ranks", .log = true},
                         .y = {.label = "efficiency", .unit = "%", .min = 0, .max = 105}};
  auto& table = report.table("A step on a network of " + to_text(workbook::seconds(network.latency)) + " and " +
                                 to_text(workbook::bytes_per_second(network.bandwidth)),
                             {"ranks", "arrangement", "model", "SimGrid", "times as fast"});
  for (const std::string arrangement : {"rows", "2-D"}) {
    const std::string title = arrangement == "rows" ? "by rows" : arrangement;
    std::vector<double> counts, efficiencies, replayed_counts, replayed_efficiencies;
    for (std::size_t n = 1; n <= 1024 && n <= side_length; n *= 2) {
      const parts::grid g = grid_for(arrangement, n, whole);
      const double seconds = modelled_seconds(g, side_length, side_length, seconds_a_cell, network);
      counts.push_back(static_cast<double>(n));
      efficiencies.push_back(100 * alone / seconds / static_cast<double>(n));
      if (n != 16 && n != 64 && n != 256 && n != 1024) continue;
      workbook::cell in_simgrid = "";
      if (simulates) {
        const double replayed = simulated_network::seconds_a_step(network, g, side_length, side_length, seconds_a_cell);
        replayed_counts.push_back(static_cast<double>(n));
        replayed_efficiencies.push_back(100 * alone / replayed / static_cast<double>(n));
        in_simgrid = workbook::seconds(replayed);
      }
      table.row(n, title + ", " + text_of(g), workbook::seconds(seconds), in_simgrid, alone / seconds);
    }
    plot.series.push_back({.name = title, .x = counts, .y = efficiencies});
    if (simulates)
      plot.series.push_back({.name = title + ", SimGrid",
                             .x = replayed_counts,
                             .y = replayed_efficiencies,
                             .style = workbook::drawn_as::points});
  }
  report.plot(std::move(plot));
  if (!simulates)
    report.paragraph("--simulated yes asks SimGrid, too, which replays the messages of all ranks on such a network.");
}

// --- a run that is interrupted ---------------------------------------------------------------------------------------

// Half of the steps, a checkpoint, and the other half in another arrangement, by a program that knows only the files.
void a_rank_dies(const gs::communicator& world, const field_description& whole, std::size_t steps,
                 workbook::report& report) {
  report.heading("A rank that dies");
  const auto size = static_cast<std::size_t>(world.size());
  const simulated_network::working_folder own_folder;
  std::string name = own_folder.path().string();
  std::vector<char> letters(name.begin(), name.end());
  auto length = letters.size();
  world.broadcast(length);
  letters.resize(length);
  world.broadcast(letters);
  const std::filesystem::path folder = std::string(letters.begin(), letters.end());

  distributed_field unbroken(world, parts::by_rows(size), whole);
  unbroken.step(steps / 2);
  save(unbroken, folder);
  unbroken.step(steps - steps / 2);

  const gs::communicator alone = world.split(world.rank());
  auto& table = report.table("The same steps", {"", "ranks", "from step", "to step", "all bits"});
  const std::string expected = in_hex(fingerprint(unbroken));
  table.row("without a break", size, 0, unbroken.steps(), expected);
  if (world.rank() == 0) {  // fewer ranks than have written it
    distributed_field other(alone, parts::by_rows(1), whole);
    const bool found = go_on(other, folder).happened;
    const std::uint64_t begun = other.steps();
    other.step(steps - begun);
    table.row("from the checkpoint", 1, begun, other.steps(), in_hex(fingerprint(other)));
    report.check("one rank goes on with what " + ranks_text(size) + " left", found && begun == steps / 2);
    report.check_equal("all bits, from the checkpoint", in_hex(fingerprint(other)), expected);
  }
  world.barrier();
}

std::filesystem::path checkpoint_folder() {
  const char* const chosen = std::getenv("GRIDSTRIDE_CHECKPOINTS");
  return chosen != nullptr && *chosen != '\0' ? chosen : "checkpoints";
}

// A long run that may be killed and started again, with another number of ranks if need be.
void survive(const gs::communicator& world, const workbook::parameters& given, const field_description& whole,
             workbook::report& report) {
  report.heading("A run that survives");
  const auto size = static_cast<std::size_t>(world.size());
  const std::size_t steps = given.size("iterations"), every = given.size("every");
  const std::filesystem::path folder = checkpoint_folder();
  if (world.rank() == 0) {
    std::error_code failed;
    std::filesystem::create_directories(folder, failed);
    if (failed)
      throw gs::machine_error("writing checkpoints to " + folder.string(), failed.message(),
                              "set GRIDSTRIDE_CHECKPOINTS to a folder that can be written");
  }
  world.barrier();
  const parts::grid g = parts::in_two_dimensions(size, whole.rows, whole.columns);
  distributed_field field(world, g, whole);
  const restart from = go_on(field, folder);
  const std::uint64_t begun = field.steps();
  while (field.steps() < steps) {
    field.step(std::min<std::size_t>(every - field.steps() % every, steps - field.steps()));
    save(field, folder);
    report.progress(static_cast<double>(field.steps()), static_cast<double>(steps));
  }
  for (const std::string& damaged : from.damaged) report.paragraph("Passed over: " + damaged);
  auto& table =
      report.table("Checkpoints in " + folder.string(), {"ranks", "from step", "to step", "all bits", "total"});
  const std::string bits = in_hex(fingerprint(field));
  table.row(text_of(g), begun, field.steps(), bits, all_digits(total<double>(field)));
  distributed_field read_back(world, g, whole);
  go_on(read_back, folder);
  report.check_equal("all bits, read back from the newest checkpoint", in_hex(fingerprint(read_back)), bits);
}

void run(const workbook::parameters& given, workbook::report& report) {
  const gs::communicator& world = gs::world();
  const field_description whole{.rows = given.size(),
                                .columns = given.size(),
                                .seed = given.seed(),
                                .rate = static_cast<float>(given.real("rate"))};
  const auto size = static_cast<std::size_t>(world.size());
  for (const std::size_t n : rank_counts(size)) {
    check_size(parts::by_rows(n), whole);
    check_size(parts::in_two_dimensions(n, whole.rows, whole.columns), whole);
  }
  if (given.integer("every") > 0) {
    survive(world, given, whole, report);
    return;
  }
  same_bits(world, whole, given.size("iterations"), report);
  picture_of_the_exchange(report);
  timeline_of_a_step(world, whole, report);
  const double seconds_a_cell = measure_scaling(world, whole, report);
  a_rank_dies(world, whole, given.size("iterations"), report);
  if (world.rank() == 0) a_thousand_machines(given, seconds_a_cell, report);
  world.barrier();
}

workbook::lesson workbook::this_lesson() {
  return {
      .number = 41,
      .name = "distributed_diffusion",
      .title = "A field on several machines",
      .summary =
          "A field in parts, a rank for each: halos travel while inner cells are computed, checkpoints survive a "
          "rank that dies, and a model says how far it goes.",
      .parameters =
          {workbook::integer{.name = "size",
                             .text = "rows and columns of the field",
                             .min = 1,
                             .max = 20'000,
                             .default_value = 1000,
                             .inspected = 32},
           workbook::integer{
               .name = "iterations", .text = "steps", .min = 1, .max = 1'000'000, .default_value = 100, .inspected = 4},
           workbook::real{
               .name = "rate", .text = "share of the Laplacian in a step", .min = 0, .max = 0.25, .default_value = 0.2},
           workbook::integer{.name = "every",
                             .text = "steps between two checkpoints of a long run; 0: the lesson",
                             .min = 0,
                             .max = 1'000'000,
                             .default_value = 0},
           workbook::integer{.name = "large",
                             .text = "rows and columns of the field on a thousand machines",
                             .min = 1,
                             .max = 1'000'000,
                             .default_value = 8192},
           workbook::real{
               .name = "latency", .text = "of their network", .min = 0, .max = 1e6, .default_value = 50, .unit = "µs"},
           workbook::real{.name = "bandwidth",
                          .text = "of a machine's cable",
                          .min = 0.001,
                          .max = 1e6,
                          .default_value = 125,
                          .unit = "MB/s"},
           workbook::choice{
               .name = "simulated", .text = "the same in SimGrid, beside the model", .choices = {"no", "yes"}}},
      .run = run};
}
