#include "viewer/plot/kept_data.h"

#include <utility>

namespace viewer {
namespace {

using workbook::line_pieces;
using workbook::place;
using workbook::point_range;
using workbook::series;
using workbook::xy_plot;
using workbook::xy_scales;

bool same(const workbook::scale& a, const workbook::scale& b) { return a.low() == b.low() && a.high() == b.high(); }

// Where what was seen through one pair of scales lies in another.
void move(std::vector<place>& places, const xy_scales& from, const xy_scales& to) {
  for (place& p : places) p = {to.x(from.x.at(p.x)), to.y(from.y.at(p.y))};
}
void move(line_pieces& pieces, const xy_scales& from, const xy_scales& to) {
  for (auto& piece : pieces) move(piece, from, to);
}

std::vector<workbook::series_index> indices_of(const xy_plot& p, std::stop_token stop) {
  std::vector<workbook::series_index> all;
  for (const series& s : p.series) all.emplace_back(s, p.x.log, p.y.log, stop);
  return all;
}

}  // namespace

template <class T>
bool kept_data::seen<T>::is_of(const xy_scales& s, int c, int r) const {
  return scales && same(scales->x, s.x) && same(scales->y, s.y) && columns == c && rows == r;
}

void kept_data::set(std::shared_ptr<const workbook::plot> shown) {
  indexing_.stop();
  lines_.clear();
  points_.clear();
  indices_.clear();
  scales_.reset();
  values_.reset();
  painted_.reset();
  shown_ = std::move(shown);
  const auto* p = std::get_if<xy_plot>(shown_.get());
  if (p == nullptr) return;
  lines_.resize(p->series.size());
  points_.resize(p->series.size());
  std::size_t all = 0;
  for (const series& s : p->series) all += s.y.size();
  if (all <= many)
    indices_ = indices_of(*p, {});
  else
    indexing_.start([plot = shown_, p](std::stop_token stop) { return indices_of(*p, stop); });
}

bool kept_data::ready() {
  if (auto done = indexing_.take()) indices_ = std::move(*done);
  return !indexing_.running();
}

bool kept_data::working() const {
  bool any = indexing_.running();
  for (const auto& one : lines_) any = any || one.next.running();
  for (const auto& one : points_) any = any || one.next.running();
  return any;
}

xy_scales kept_data::scales(const xy_plot& p) {
  if (!scales_) {
    std::vector<workbook::series_extent> extents;
    for (const auto& one : indices_) extents.push_back(one.extent());
    scales_ = scales_for(p, extents);
  }
  return *scales_;
}

workbook::scale kept_data::values(const workbook::heat_map& h) {
  if (!values_) values_ = value_scale_for(h);
  return *values_;
}

const workbook::series_index* kept_data::index(std::size_t k) const {
  return k < indices_.size() && indices_[k].sorted() ? &indices_[k] : nullptr;
}

point_range kept_data::within(const xy_plot& p, std::size_t k, const xy_scales& s) {
  const auto* sorted = index(k);
  return sorted != nullptr ? sorted->within(p.series[k], s.x) : point_range{0, p.series[k].y.size()};
}

// What was read for these scales before, or now; or what was read last if reading takes long, which begins.
template <class T, class F>
T kept_data::now_or_later(cached<T>& of, const xy_scales& s, int columns, int rows, bool later, F&& read) {
  if (auto done = of.next.take()) of.last = std::move(*done);
  if (of.last.is_of(s, columns, rows)) return of.last.result;
  if (!later) {
    of.last = {s, columns, rows, read(std::stop_token())};
    return of.last.result;
  }
  if (!of.next.running())
    of.next.start([plot = shown_, s, columns, rows, read](std::stop_token stop) {
      return seen<T>{s, columns, rows, read(stop)};
    });
  T meanwhile = of.last.result;
  if (of.last.scales) move(meanwhile, *of.last.scales, s);
  return meanwhile;
}

line_pieces kept_data::line(const xy_plot& p, std::size_t k, const xy_scales& s, int columns) {
  const series& one = p.series[k];
  if (const auto* sorted = index(k))
    return now_or_later(lines_[k], s, columns, 0, false,
                        [&](std::stop_token) { return sorted->line(one, s.x, s.y, columns); });
  return now_or_later(lines_[k], s, columns, 0, one.y.size() > many,
                      [&one, s, columns](std::stop_token stop) { return reduced_line(one, s.x, s.y, columns, stop); });
}

std::vector<place> kept_data::points(const xy_plot& p, std::size_t k, const xy_scales& s, int columns, int rows) {
  const series& one = p.series[k];
  const point_range part = within(p, k, s);
  return now_or_later(points_[k], s, columns, rows, part.end - part.begin > many,
                      [&one, part, s, columns, rows](std::stop_token stop) {
                        return reduced_points(one, part, s.x, s.y, columns, rows, stop);
                      });
}

const std::vector<std::uint32_t>& kept_data::pixels(const workbook::heat_map& h,
                                                    const workbook::matrix_picture& wanted) {
  if (painted_ && painted_->part == wanted.part && painted_->rows == wanted.rows &&
      painted_->columns == wanted.columns && painted_->colours == wanted.colours && same(painted_->value, wanted.value))
    return pixels_;
  paint_pixels(h, wanted, pixels_);
  painted_.emplace(wanted);
  return pixels_;
}

}  // namespace viewer
