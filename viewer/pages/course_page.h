#pragma once
// The course: its lessons by part; one of them with its text, its program, its parameters, and what it finds. A program
// of the reader's own is shown in the same way, alone.

#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "viewer/course/build_job.h"
#include "viewer/course/file_watch.h"
#include "viewer/course/lesson_run.h"
#include "viewer/course/parameter_panel.h"
#include "viewer/course/report_view.h"
#include "viewer/course/shown_course.h"
#include "viewer/page.h"
#include "viewer/text/markdown_view.h"
#include "viewer/text/picture_store.h"
#include "viewer/text/source_view.h"
#include "workbook/catalogue.h"
#include "workbook/exercise/progress.h"

namespace viewer {

class course_page : public page {
 public:
  explicit course_page(std::string title = "Course");
  ~course_page() override;

  std::string_view title() const override { return title_; }
  /// A lesson, which is then run: "26", "diffusion", with values "26 size=1000".
  void show(std::string_view subject) override;
  void draw(context& c) override;
  bool moving() const override { return busy(); }
  bool busy() const override;

  /// For tests: the latest run, if there is one.
  std::optional<run_state> latest() const;

 private:
  struct open_lesson;

  void draw_list(context& c);
  void draw_lesson(context& c);
  void draw_controls(context& c);
  void draw_text(context& c);
  void draw_result(context& c);
  void open(const workbook::catalogue_entry& entry, context& c);
  void start_build(context& c);
  void look_after_work(context& c);
  void take_messages();
  void read_module(context& c);
  void run(context& c);
  void follow(const std::string& link, context& c);

  const std::string title_;
  std::vector<workbook::course_part> course_;
  bool run_wanted_ = false;
  std::string scrolled_to_;  // the lesson whose line in the list was brought into view
  bool went_on_ = false;     // with the lesson of last time
  std::string subject_;      // what show() was given, until the next frame
  picture_store pictures_;
  workbook::progress progress_;
  double progress_read_ = -1;                                   // when, in ImGui's seconds
  std::map<std::string, std::unique_ptr<open_lesson>> opened_;  // by program: what was run and chosen stays
  open_lesson* lesson_ = nullptr;                               // the one in sight
};

}  // namespace viewer
