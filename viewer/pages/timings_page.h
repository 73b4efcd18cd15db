#pragma once
// Timings: what the benchmarks have measured, as bars with their spread, against an earlier run, over the size and over
// the cores, and under the roof of what this machine can do.

#include <memory>
#include <optional>
#include <string>

#include "viewer/page.h"
#include "viewer/plot/plot_widget.h"
#include "viewer/timings/bench_results.h"
#include "viewer/timings/roofline.h"

namespace viewer {

class timings_page : public page {
 public:
  std::string_view title() const override { return "Timings"; }
  void show(std::string_view subject) override;  ///< a workload, or "roofline"
  void draw(context& c) override;
  bool moving() const override { return busy(); }
  bool busy() const override;

 private:
  void load(context& c);
  void draw_choice(context& c);
  void draw_workload(const bench_run& run, context& c);
  void draw_times(const bench_workload& w, context& c);
  void draw_history(const bench_workload& w, context& c);
  void draw_growth(const bench_growth& g, context& c);
  void draw_scaling(const bench_scaling& s, context& c);
  void draw_roofline(context& c);
  static ImVec2 plot_size(float height, const theme& look);
  const bench_run* shown() const;
  const bench_run* baseline() const;

  bool loaded_ = false;
  bench_files files_;
  std::size_t run_ = 0;                  // of files_.runs
  std::optional<std::size_t> baseline_;  // of files_.runs
  std::string workload_;                 // empty: the roofline
  std::string drawn_;                    // what the widgets below were made for
  std::optional<plot_widget> bars_, history_, growth_, scaling_, roof_;
  roofline points_;
};

}  // namespace viewer
