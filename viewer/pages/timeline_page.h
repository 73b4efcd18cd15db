#pragma once
// The page Timeline: what a run did on the device, and when: copies, launches and waits, a row for each stream.

#include <filesystem>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "viewer/course/lesson_run.h"
#include "viewer/course/report_view.h"
#include "viewer/page.h"
#include "viewer/plot/plot_widget.h"
#include "workbook/catalogue.h"
#include "workbook/json/timeline_json.h"
#include "workshop/private_folder.h"

namespace viewer {

/// A table of what took the time: each kind of work and kernel, how often and how long; the longest first.
workbook::table times_by_work(const std::vector<gs::timeline_entry>& entries);

class timeline_page : public page {
 public:
  ~timeline_page() override;
  std::string_view title() const override { return "Timeline"; }
  /// A lesson, which is then run and recorded, and perhaps values for its parameters: "34 pieces=4"; or a file that
  /// --timeline has written: "run.json".
  void show(std::string_view subject) override { subject_ = subject; }
  void draw(context& c) override;
  bool moving() const override { return run_ && run_->running(); }
  bool busy() const override;

 private:
  void choose(const workbook::catalogue_entry& entry);
  void show_what_is_asked_for(context& c);
  void record(context& c);
  void take_result();
  void open(const std::filesystem::path& file);
  void show_timeline(workbook::run_timeline recorded);
  void forget();
  std::filesystem::path recorded_file() const;
  void draw_choice(context& c);
  void draw_file(context& c);
  void draw_nothing_yet(context& c) const;

  std::vector<workbook::course_part> course_;
  std::string subject_;
  std::optional<workbook::catalogue_entry> lesson_;
  std::vector<std::string> options_;
  std::unique_ptr<lesson_run> run_;
  std::unique_ptr<workshop::private_folder> recorded_into_;  // the run's; gone once the file has been read
  std::string file_;                                         // to be opened, as it is typed
  std::string problem_, output_;
  std::optional<workbook::run_timeline> shown_;
  std::optional<plot_widget> plot_;
  report_view::items table_;
  report_view table_view_;
};

}  // namespace viewer
