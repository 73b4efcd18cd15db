#pragma once
// The window's frame: the list of pages, the page that is shown, the status line, what keys do everywhere.

#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <vector>

#include "viewer/fonts.h"
#include "viewer/page.h"
#include "viewer/window/surface.h"

namespace viewer {

class application {
 public:
  struct places {
    std::filesystem::path root, build, my;
    std::filesystem::path settings = {};  ///< empty: nothing is remembered
    std::filesystem::path checkout = {};  ///< empty: `root`, whose own course it is
    std::optional<own_program> own = {};  ///< instead of the course
    std::optional<lesson_on_ranks> on_ranks = {};
  };
  struct look {
    std::optional<viewer::brightness> brightness = {};  ///< else what is remembered, or light
    std::optional<float> scale = {};                    ///< pixels per point; else the monitor's times the zoom
  };

  /// Draws on `on`, which must live longer. There is at least one page.
  application(surface& on, std::vector<std::unique_ptr<page>> pages, const places& folders, const look& appearance,
              font_files fonts = find_fonts());
  ~application();

  /// One whole frame.
  void draw_frame();
  /// Waits for a reason to draw the next frame: input, a wake(), a page that moves.
  void wait();

  /// Shows a page, found by its title in any case, with a subject. False if there is no such page.
  bool open(std::string_view title, std::string_view subject = "");
  page& shown() const { return *pages_[shown_]; }
  std::vector<std::string> titles() const;
  bool wants_to_close() const { return closing_; }

  settings& remembered() { return settings_; }
  const theme& current_theme() const { return theme_; }
  const std::string& status() const { return context_.status; }

 private:
  void load_look();
  void obey_keys();
  void set_zoom(double zoom);
  void draw_list(bool narrow);
  void draw_page(ImVec2 spacing);
  void draw_failure();
  void draw_status(float margin);
  void draw_help();
  bool entry(std::size_t k, float width);

  surface& surface_;
  std::vector<std::unique_ptr<page>> pages_;
  settings settings_;
  font_files fonts_;
  look how_;
  brightness brightness_;
  theme theme_;
  context context_;
  std::size_t shown_ = 0;
  std::string failure_;  // what the shown page has thrown
  std::optional<std::pair<std::string, std::string>> asked_;
  bool help_ = false, closing_ = false, said_unsaved_ = false, settled_ = false;
  int frames_to_settle_ = 3;
  ImGuiID list_id_ = 0, right_of_ = 0;  // the list of pages; its entry that the right arrow was pressed on
  bool into_page_ = false;
  double zoom_ = 1;
};

}  // namespace viewer
