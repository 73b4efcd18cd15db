#pragma once
// The page Instruments: findings in a lesson's kernels by source line, counters beside their ideal, and each request's
// lanes and addresses.

#include <memory>
#include <optional>
#include <string>

#include "runtime/instruments/results/inspection.h"
#include "viewer/course/lesson_run.h"
#include "viewer/page.h"
#include "viewer/plot/plot_widget.h"
#include "viewer/text/source_view.h"
#include "workbook/catalogue.h"

namespace viewer {

class instruments_page : public page {
 public:
  std::string_view title() const override { return "Instruments"; }
  void show(std::string_view subject) override { subject_ = subject; }  ///< a lesson, which is then inspected
  void draw(context& c) override;
  bool moving() const override { return busy(); }
  bool busy() const override;

 private:
  void choose(const workbook::catalogue_entry& entry, context& c);
  void inspect(context& c);
  void take_result();
  void show_source(std::filesystem::path source);
  void go_to(const gs::source_place& place);
  void draw_choice(context& c);
  void draw_source(context& c);
  void draw_meaning_of_marks(context& c);
  void draw_findings(context& c);
  void draw_bounds(context& c);
  void draw_counters(context& c);
  void draw_costs(context& c);
  void draw_picture(context& c);
  void choose_picture(std::size_t picture, std::size_t request);
  void step(int requests);

  std::vector<workbook::course_part> course_;
  std::string subject_;
  std::optional<workbook::catalogue_entry> lesson_;
  std::vector<std::filesystem::path> sources_;
  source_view source_;  // of one of them
  std::unique_ptr<lesson_run> run_;
  std::optional<run_state> state_;
  std::shared_ptr<const workbook::item> item_;  // which holds the inspection
  const gs::inspection* found_ = nullptr;       // in item_
  bool counters_wanted_ = false;
  std::size_t picture_ = 0, request_ = 0;
  std::optional<plot_widget> access_;
};

}  // namespace viewer
