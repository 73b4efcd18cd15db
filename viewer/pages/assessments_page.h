#pragma once
// Assessments: what is passed, and grading a file in the background: points by criterion, what went wrong, the grades
// so far, and the certificate. A folder is graded as a class.

#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "assessments/grader/tasks/task.h"
#include "assessments/grader/verdict/history.h"
#include "assessments/grader/verdict/verdict.h"
#include "viewer/child_process.h"
#include "viewer/course/file_watch.h"
#include "viewer/page.h"
#include "viewer/pages/class_view.h"
#include "viewer/text/markdown_view.h"
#include "viewer/text/picture_store.h"

namespace viewer {

class assessments_page : public page {
 public:
  std::string_view title() const override { return "Assessments"; }
  /// A task, "A1", or a task and a file or a folder to be graded, "A1 my/neural_layer.cpp".
  void show(std::string_view subject) override { subject_ = subject; }
  void draw(context& c) override;
  bool moving() const override { return busy(); }
  bool busy() const override { return grading_ || certifying_ || !subject_.empty(); }

  const std::optional<grader::verdict>& latest() const { return verdict_; }

 private:
  void load(context& c);
  void read_grades(context& c);
  void choose(const grader::task& t, context& c);
  void grade(context& c);
  void take_results(context& c);
  void look_after_grades(context& c);
  void draw_tasks(context& c);
  void draw_text(context& c);
  void draw_task(context& c);
  void draw_verdict(context& c);
  void draw_class(context& c);
  void update_history();
  void draw_history(context& c);
  void draw_certificate(context& c);

  bool loaded_ = false;
  std::string subject_;
  std::vector<grader::task> tasks_;
  std::map<std::string, grader::verdict> record_;
  std::unique_ptr<file_watch> grades_;  // grades may also come from a terminal
  std::string problem_;                 // why tasks or grades can't be read, or grading came to no verdict
  std::size_t task_ = 0;
  markdown_view text_;  // the chosen task's
  picture_store pictures_;
  std::string file_, holder_;
  std::optional<child_process> grading_, certifying_;
  bool grades_a_class_ = false;
  std::optional<grader::verdict> verdict_;
  std::optional<class_view> class_;  // in place of the verdict, which is then that of the line that was pressed
  std::vector<grader::attempt> attempts_;
  std::optional<plot_widget> history_;  // of the chosen task's attempts; nothing before the second one
  std::string certificate_;             // the output of the command that made it
};

}  // namespace viewer
