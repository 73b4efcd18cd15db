// How much comes from where: the part of gather, scatter and alltoall that is sent before the elements.

#include <fmt/format.h>

#include <array>

#include "runtime/core/error.h"
#include "runtime/world/rank_group.h"

namespace gs::inline GS_FLAVOUR::detail {
namespace {

operand numbers(const std::size_t* data, std::size_t count) {
  return {const_cast<std::size_t*>(data), count, sizeof(std::size_t), number_type::uint64};
}

/// Elements of a row, that is of all dimensions but the first.
std::size_t row_size(const shape& s) {
  std::size_t elements = 1;
  for (std::size_t d = 1; d < s.rank(); ++d) elements *= s[d];
  return elements;
}
std::size_t row_count(const shape& s) { return s.rank() == 0 ? 1 : s[0]; }

shape with_rows(const shape& s, std::size_t rows) {
  shape result = s;
  if (s.rank() == 0) return shape(rows);
  result[0] = rows;
  return result;
}

std::vector<std::size_t> times(std::span<const std::size_t> rows, std::size_t row) {
  std::vector<std::size_t> elements(rows.begin(), rows.end());
  for (std::size_t& n : elements) n *= row;
  return elements;
}

void check_count(const rank_group& ranks, const char* verb, std::span<const std::size_t> rows,
                 const rank_place& place) {
  if (!rows.empty() && rows.size() != static_cast<std::size_t>(ranks.size()))
    ranks.fail({verb, place}, fmt::format("{} counts for {} ranks", rows.size(), ranks.size()),
               "give one for each rank, or none");
}

void check_sum(const rank_group& ranks, const char* verb, std::span<const std::size_t> rows, std::size_t found,
               const rank_place& place) {
  if (!rows.empty() && sum_of(rows) != found)
    ranks.fail({verb, place}, fmt::format("the counts make {} and the array's first extent is {}", sum_of(rows), found),
               "give counts that share it out");
}

}  // namespace

std::vector<std::size_t> even_parts(std::size_t n, int parts) {
  const auto p = static_cast<std::size_t>(parts);
  std::vector<std::size_t> counts(p, n / p);
  for (std::size_t i = 0; i < n % p; ++i) ++counts[i];
  return counts;
}

gather_plan rank_group::plan_gather(const char* verb, const shape& own, int root, std::span<const std::size_t> rows,
                                    const rank_place& place) const {
  check_count(*this, verb, rows, place);
  const bool takes_part = root < 0 || root == rank_;
  const auto ranks = static_cast<std::size_t>(size_);
  if (own.rank() == 0) return {true, {}, shape(ranks)};  // one of each
  const std::size_t mine = row_count(own);
  if (!rows.empty() && rows[static_cast<std::size_t>(rank_)] != mine)
    fail({verb, place},
         fmt::format("this rank's count is {} and its array's first extent {}", rows[static_cast<std::size_t>(rank_)],
                     mine),
         "give the counts of all ranks, in their order");
  std::vector<std::size_t> all(rows.begin(), rows.end());
  if (rows.empty()) {
    if (takes_part) all.resize(ranks);
    gather(verb, numbers(&mine, 1), takes_part ? all.data() : nullptr, {}, root, place);
  }
  if (!takes_part) return {false, {}, {}};
  return {false, times(all, row_size(own)), with_rows(own, sum_of(all))};
}

gather_plan rank_group::plan_scatter(const shape& own, int root, std::span<const std::size_t> rows,
                                     const rank_place& place) const {
  check_count(*this, "scatter", rows, place);
  if (rank_ == root) check_sum(*this, "scatter", rows, row_count(own), place);
  // The root's shape: the rank, then the extents.
  std::array<std::size_t, 1 + shape::max_rank> sent{};
  sent[0] = own.rank();
  for (std::size_t d = 0; d < own.rank(); ++d) sent[1 + d] = own[d];
  broadcast("scatter", numbers(sent.data(), sent.size()), root, place);
  const shape whole(std::span<const std::size_t>(sent).subspan(1, sent[0]));
  const std::vector<std::size_t> parts =
      rows.empty() ? even_parts(row_count(whole), size_) : std::vector<std::size_t>(rows.begin(), rows.end());
  return {false, times(parts, row_size(whole)), with_rows(whole, parts[static_cast<std::size_t>(rank_)])};
}

alltoall_plan rank_group::plan_alltoall(const shape& own, std::span<const std::size_t> rows,
                                        const rank_place& place) const {
  if (rows.empty()) fail({"alltoall", place}, "the counts are empty", "give one for each rank, or leave them out");
  check_count(*this, "alltoall", rows, place);
  check_sum(*this, "alltoall", rows, row_count(own), place);
  std::vector<std::size_t> come(static_cast<std::size_t>(size_));
  alltoall("alltoall", numbers(rows.data(), rows.size()), {}, come.data(), {}, place);
  const std::size_t row = row_size(own);
  return {times(rows, row), times(come, row), come, with_rows(own, sum_of(come))};
}

}  // namespace gs::inline GS_FLAVOUR::detail
