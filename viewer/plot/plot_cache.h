#pragma once
// What a plot in the window keeps of its data between two frames, so that a frame costs as much as its pixels.

#include <memory>
#include <optional>
#include <vector>

#include "viewer/plot/background.h"
#include "workbook/plot/plot_reader.h"
#include "workbook/plot/series_index.h"

namespace viewer {

/// Lines whose x never falls are drawn from an index that is built once. Other lines, and clouds of points, are read
/// again when another part is shown; for more than `many` points in the background, while the earlier picture stays.
class plot_cache final : public workbook::plot_reader {
 public:
  void set(std::shared_ptr<const workbook::plot> shown);

  /// Takes what the background has read. False while nothing can be drawn yet. Throws what reading threw.
  bool ready();
  /// Whether another frame will show more.
  bool working() const;

  workbook::xy_scales scales(const workbook::xy_plot& p) override;
  workbook::scale values(const workbook::heat_map& h) override;
  workbook::point_range within(const workbook::xy_plot& p, std::size_t k, const workbook::xy_scales& s) override;
  workbook::line_pieces line(const workbook::xy_plot& p, std::size_t k, const workbook::xy_scales& s,
                             int columns) override;
  std::vector<workbook::place> points(const workbook::xy_plot& p, std::size_t k, const workbook::xy_scales& s,
                                      int columns, int rows) override;
  const std::vector<std::uint32_t>& pixels(const workbook::heat_map& h,
                                           const workbook::matrix_picture& picture) override;

  const workbook::series_index* index(std::size_t k) const override;

 private:
  using indices = std::vector<workbook::series_index>;
  // What was seen of a series, and how it was looked at.
  template <class T>
  struct seen {
    std::optional<workbook::xy_scales> scales = {};
    int columns = 0, rows = 0;
    T result = {};

    bool is_of(const workbook::xy_scales& s, int c, int r) const;
  };
  template <class T>
  struct cached {
    seen<T> last = {};
    background<seen<T>> next = {};
  };

  template <class T, class F>
  T now_or_later(cached<T>& of, const workbook::xy_scales& s, int columns, int rows, bool later, F&& read);

  std::shared_ptr<const workbook::plot> shown_;
  indices indices_;
  background<indices> indexing_;
  std::optional<workbook::xy_scales> scales_;
  std::optional<workbook::scale> values_;
  std::vector<cached<workbook::line_pieces>> lines_;
  std::vector<cached<std::vector<workbook::place>>> points_;
  std::optional<workbook::matrix_picture> painted_;
  std::vector<std::uint32_t> pixels_;
};

}  // namespace viewer
