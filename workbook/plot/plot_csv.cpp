#include "workbook/plot/plot_csv.h"

#include <fmt/format.h>

#include <algorithm>
#include <cerrno>
#include <cmath>
#include <cstdio>
#include <cstring>
#include <iterator>
#include <memory>

#include "runtime/core/error.h"
#include "workbook/plot/reduce.h"

namespace workbook {
namespace {

class csv_file {
 public:
  explicit csv_file(const std::string& path) : path_(path), file_(std::fopen(path.c_str(), "wb")) {
    require(file_ != nullptr);
  }
  ~csv_file() {
    if (file_ != nullptr) std::fclose(file_);
  }
  csv_file(const csv_file&) = delete;
  csv_file& operator=(const csv_file&) = delete;

  void put(const std::string& text) {
    next();
    if (text.find_first_of(",\"\r\n") == text.npos) {
      line_.append(text);
      return;
    }
    line_.push_back('"');
    for (const char c : text) {
      if (c == '"') line_.push_back('"');
      line_.push_back(c);
    }
    line_.push_back('"');
  }
  void put(double v) {
    next();
    if (std::isnan(v))
      line_.append(std::string_view("NaN"));
    else
      fmt::format_to(std::back_inserter(line_), "{}", v);
  }
  void end_line() {
    line_.push_back('\n');
    begun_ = false;
    if (line_.size() > 65536) write();
  }
  void close() {
    write();
    require(std::fclose(std::exchange(file_, nullptr)) == 0);
  }

 private:
  void next() {
    if (begun_) line_.push_back(',');
    begun_ = true;
  }
  void write() {
    require(std::fwrite(line_.data(), 1, line_.size(), file_) == line_.size());
    line_.clear();
  }
  void require(bool done) const {
    if (!done)
      throw gs::error(fmt::format("writing the file {}", path_), std::strerror(errno),
                      "check that the folder can be written to and the disk has room");
  }

  std::string path_;
  std::FILE* file_;
  fmt::memory_buffer line_;
  bool begun_ = false;
};

std::string named(const axis& a, const char* otherwise) {
  const std::string title = axis_title(a);
  return title.empty() ? otherwise : title;
}

bool is_in(const std::optional<plot_view::range>& r, double v) { return !r || (v >= r->low && v <= r->high); }

struct writer {
  csv_file& file;
  const plot_view& view;

  void operator()(const xy_plot& p) const {
    const bool spread = std::ranges::any_of(p.series, [](const series& s) { return !s.spread.empty(); });
    file.put("series");
    file.put(named(p.x, "x"));
    file.put(named(p.y, "y"));
    if (spread) file.put("spread");
    file.end_line();
    for (std::size_t k = 0; k < p.series.size(); ++k) {
      if (view.is_hidden(k)) continue;
      const series& s = p.series[k];
      for (std::size_t i = 0; i < s.y.size(); ++i) {
        const double x = x_of(s, i), y = s.y[i];
        if (!is_in(view.x, x) || !is_in(view.y, y)) continue;
        file.put(s.name);
        file.put(x);
        file.put(y);
        if (spread) file.put(s.spread.empty() ? std::nan("") : s.spread[i]);
        file.end_line();
      }
    }
  }

  void operator()(const bar_plot& p) const {
    file.put(p.category_label.empty() ? "category" : p.category_label);
    const auto each_shown = [&](const auto& then) {
      for (std::size_t k = 0; k < p.groups.size(); ++k)
        if (!view.is_hidden(k)) then(p.groups[k]);
    };
    each_shown([&](const bars& b) {
      file.put(b.name.empty() ? named(p.value, "value") : b.name);
      if (!b.spread.empty()) file.put(b.name.empty() ? "spread" : b.name + ", spread");
    });
    file.end_line();
    for (std::size_t c = 0; c < p.categories.size(); ++c) {
      if (!is_in(view.y, static_cast<double>(c) + 0.5)) continue;
      file.put(p.categories[c]);
      each_shown([&](const bars& b) {
        file.put(b.values[c]);
        if (!b.spread.empty()) file.put(b.spread[c]);
      });
      file.end_line();
    }
  }

  void operator()(const heat_map& h) const {
    const xy_scales all = scales_for(h);
    const auto x = [&](std::size_t c) {
      return all.x.at((static_cast<double>(c) + 0.5) / static_cast<double>(h.columns));
    };
    const auto y = [&](std::size_t r) {
      return all.y.at(1 - (static_cast<double>(r) + 0.5) / static_cast<double>(h.rows));
    };
    std::vector<std::size_t> columns;
    for (std::size_t c = 0; c < h.columns; ++c)
      if (is_in(view.x, x(c))) columns.push_back(c);
    file.put(named(h.y, "y") + " \\ " + named(h.x, "x"));
    for (const std::size_t c : columns) file.put(x(c));
    file.end_line();
    for (std::size_t r = 0; r < h.rows; ++r) {
      if (!is_in(view.y, y(r))) continue;
      file.put(y(r));
      for (const std::size_t c : columns) file.put(h.values[r * h.columns + c]);
      file.end_line();
    }
  }

  void operator()(const access_picture& p) const {
    for (const char* name : {"lane", "address", "bytes"}) file.put(name);
    file.end_line();
    if (p.request >= p.warp.requests.size()) return;
    const gs::warp_request& request = p.warp.requests[p.request];
    for (const gs::lane_access& one : request.lanes) {
      file.put(fmt::format("{}", one.lane));
      file.put(fmt::format("{}", one.address));
      file.put(fmt::format("{}", request.bytes));
      file.end_line();
    }
  }
};

}  // namespace

void write_csv(const plot& p, const std::string& path, const plot_view* visible) {
  csv_file file(path);
  const plot_view everything;
  std::visit(writer{file, visible != nullptr ? *visible : everything}, p);
  file.close();
}

}  // namespace workbook
