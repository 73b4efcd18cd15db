#include "viewer/plot/plot_cache.h"

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

// Where a view through one pair of scales lies in another.
void move(std::vector<place>& places, const xy_scales& from, const xy_scales& to) {
  for (place& p : places) p = {to.x(from.x.at(p.x)), to.y(from.y.at(p.y))};
}
void move(line_pieces& pieces, const xy_scales& from, const xy_scales& to) {
  for (auto& piece : pieces) move(piece, from, to);
}

std::vector<workbook::series_index> indices_of(const xy_plot& p, const std::stop_token& stop) {
  std::vector<workbook::series_index> indices;
  for (const series& s : p.series) indices.emplace_back(s, p.x.log, p.y.log, stop);
  return indices;
}

}  // namespace

template <class T>
bool plot_cache::seen<T>::is_of(const xy_scales& s, int c, int r) const {
  return scales && same(scales->x, s.x) && same(scales->y, s.y) && columns == c && rows == r;
}

void plot_cache::set(std::shared_ptr<const workbook::plot> shown) {
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
  std::size_t total = 0;
  for (const series& s : p->series) total += s.y.size();
  if (total <= many)
    indices_ = indices_of(*p, {});
  else
    indexing_.start([plot = shown_, p](const std::stop_token& stop) { return indices_of(*p, stop); });
}

bool plot_cache::ready() {
  if (auto done = indexing_.take()) indices_ = std::move(*done);
  return !indexing_.running();
}

bool plot_cache::working() const {
  bool any = indexing_.running();
  for (const auto& reduction : lines_) any = any || reduction.next.running();
  for (const auto& reduction : points_) any = any || reduction.next.running();
  return any;
}

xy_scales plot_cache::scales(const xy_plot& p) {
  if (!scales_) {
    std::vector<workbook::series_extent> extents;
    for (const auto& reduction : indices_) extents.push_back(reduction.extent());
    scales_ = scales_for(p, extents);
  }
  return *scales_;
}

workbook::scale plot_cache::values(const workbook::heat_map& h) {
  if (!values_) values_ = value_scale_for(h);
  return *values_;
}

const workbook::series_index* plot_cache::index(std::size_t k) const {
  return k < indices_.size() && indices_[k].sorted() ? &indices_[k] : nullptr;
}

point_range plot_cache::within(const xy_plot& p, std::size_t k, const xy_scales& s) {
  const auto* sorted = index(k);
  return sorted != nullptr ? sorted->within(p.series[k], s.x) : point_range{0, p.series[k].y.size()};
}

// What was read for these scales, earlier or now; if reading takes long, it begins in the background and what was read
// last is returned.
template <class T, class F>
T plot_cache::now_or_later(cached<T>& of, const xy_scales& s, int columns, int rows, bool later, F&& read) {
  if (auto done = of.next.take()) of.last = std::move(*done);
  if (of.last.is_of(s, columns, rows)) return of.last.result;
  if (!later) {
    of.last = {s, columns, rows, read(std::stop_token())};
    return of.last.result;
  }
  if (!of.next.running())
    of.next.start([plot = shown_, s, columns, rows, read](const std::stop_token& stop) {
      return seen<T>{s, columns, rows, read(stop)};
    });
  T meanwhile = of.last.result;
  if (of.last.scales) move(meanwhile, *of.last.scales, s);
  return meanwhile;
}

line_pieces plot_cache::line(const xy_plot& p, std::size_t k, const xy_scales& s, int columns) {
  const series& drawn = p.series[k];
  if (const auto* sorted = index(k))
    return now_or_later(lines_[k], s, columns, 0, false,
                        [&](const std::stop_token&) { return sorted->line(drawn, s.x, s.y, columns); });
  return now_or_later(
      lines_[k], s, columns, 0, drawn.y.size() > many,
      [&drawn, s, columns](const std::stop_token& stop) { return reduced_line(drawn, s.x, s.y, columns, stop); });
}

std::vector<place> plot_cache::points(const xy_plot& p, std::size_t k, const xy_scales& s, int columns, int rows) {
  const series& drawn = p.series[k];
  const point_range part = within(p, k, s);
  return now_or_later(points_[k], s, columns, rows, part.end - part.begin > many,
                      [&drawn, part, s, columns, rows](const std::stop_token& stop) {
                        return reduced_points(drawn, part, s.x, s.y, columns, rows, stop);
                      });
}

const std::vector<std::uint32_t>& plot_cache::pixels(const workbook::heat_map& h,
                                                     const workbook::matrix_picture& picture) {
  if (painted_ && painted_->part == picture.part && painted_->rows == picture.rows &&
      painted_->columns == picture.columns && painted_->colours == picture.colours &&
      same(painted_->value, picture.value))
    return pixels_;
  paint_pixels(h, picture, pixels_);
  painted_.emplace(picture);
  return pixels_;
}

}  // namespace viewer
