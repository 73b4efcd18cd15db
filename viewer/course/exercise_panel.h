#pragma once
// A lesson's exercise in the window: the learner's file, checked on every save; the result; hints, one more at a time.

#include <filesystem>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "runtime/instruments/results/finding.h"
#include "viewer/child_process.h"
#include "viewer/course/file_watch.h"
#include "viewer/page.h"
#include "viewer/text/markdown_view.h"
#include "viewer/text/picture_store.h"
#include "viewer/text/source_view.h"
#include "workbook/catalogue.h"

namespace viewer {

/// The result of `./gridstride check NN --json`; exercises/README.md describes the document.
struct checked_exercise {
  struct check {
    std::string name = {}, expected = {}, got = {};
    bool passed = false;
  };
  bool passed = false;
  std::string outcome = {}, text = {}, messages = {}, advice = {}, output = {};
  int line = 0;   ///< in the learner's file; 0: not known
  int asked = 0;  ///< likewise: what the first failed check asks for
  std::vector<check> checks = {};
  struct finding {
    std::string kind = {}, meaning = {}, hint = {};
    int line = 0, other_line = 0;
  };
  std::vector<finding> findings = {};
};
/// Throws gs::error if the text is no such document.
checked_exercise read_checked_exercise(const std::string& document);

class exercise_panel {
 public:
  exercise_panel(const workbook::catalogue_exercise& exercise, context& c);

  void draw(context& c, picture_store& pictures);
  bool busy() const { return checking_.has_value(); }
  const std::optional<checked_exercise>& result() const { return result_; }

 private:
  void begin(context& c);
  void check(context& c);
  void take_result(context& c);
  void draw_result(context& c);
  void draw_result_and_hints(context& c, picture_store& pictures);
  void draw_hints(context& c, picture_store& pictures);
  void draw_file(context& c);

  workbook::catalogue_exercise exercise_;
  std::filesystem::path file_;  // the learner's
  source_view source_;
  std::unique_ptr<file_watch> watch_;
  std::optional<child_process> checking_;
  std::optional<checked_exercise> result_;
  std::string problem_;                // why there is no result
  std::vector<markdown_view> hints_;   // all of them
  std::vector<std::string> headings_;  // theirs
  std::size_t shown_hints_ = 0;
  int frames_to_new_hint_ = 0;  // until it is scrolled to: it may move into a window of its own first
  bool later_is_open_ = false;
  float upper_height_ = 0;               // of the result and the hints, when they were drawn last
  std::optional<source_view> solution_;  // ours, while it is shown
};

}  // namespace viewer
