#pragma once
// The page Simulation: watches a lesson that proceeds step by step.

#include <chrono>
#include <filesystem>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "viewer/page.h"
#include "viewer/pages/simulation_recording.h"
#include "viewer/pages/simulation_runner.h"
#include "viewer/plot/plot_widget.h"
#include "viewer/plot/save_dialog.h"

namespace viewer {

class simulation_page : public page {
 public:
  std::string_view title() const override { return "Simulation"; }
  /// A lesson's number or name, and perhaps values for its parameters: "26 size=1000 steps_a_frame=1".
  void show(std::string_view subject) override { subject_ = subject; }
  void draw(context& c) override;
  bool moving() const override;
  bool busy() const override;
  void go_on() override;

 private:
  struct history {
    std::vector<double> steps, totals, milliseconds;
    void add(const simulation_frame& f);
  };

  void start(context& c);
  void choose(context& c, simulated_lesson lesson, std::map<std::string, std::string> values = {});
  void show_what_is_asked_for(context& c, const std::vector<simulated_lesson>& lessons);
  static simulated_lesson lesson_to_begin_with(const context& c, const std::vector<simulated_lesson>& lessons);
  void begin();
  void set_speed();
  void look_after_the_module();
  void take_frame();
  void count_frame();
  void obey_keys();
  void draw_lessons(context& c, const std::vector<simulated_lesson>& lessons);
  void draw_controls(context& c);
  void draw_parameters(context& c);
  void draw_device(context& c);
  void draw_colours(context& c);
  void draw_recording(context& c);
  void stop_recording();
  void say_blow_up(const theme& look) const;
  void draw_fields(context& c);
  void draw_lines(const theme& look, float height);
  void look_at_the_peak();
  void update_profile();
  void update_history();

  std::unique_ptr<simulation_runner> runner_;
  std::string subject_;  // what show() asked for and hasn't been looked for yet
  std::string refusal_;  // that it has no simulation, until another lesson is chosen
  std::optional<simulated_lesson> lesson_;
  std::optional<std::filesystem::file_time_type> written_;  // when the module was
  double last_look_ = 0;
  std::map<std::string, std::string> values_, errors_;  // of the parameters, as they stand in the widgets
  std::optional<gs::device_kind> device_;               // chosen here; else the program's current one
  int iterations_ = 10;
  std::size_t speed_ = 0;
  bool along_a_row_ = true, for_all_times_ = true;

  std::shared_ptr<const simulation_frame> frame_;
  std::vector<plot_widget> fields_;
  std::optional<plot_widget> profile_, total_, time_;
  linked_view link_, profile_link_, history_link_;
  std::optional<std::size_t> row_, column_;  // last seen under the crosshair
  history history_;
  std::unique_ptr<simulation_recording> recording_;  // perhaps ended
  bool recording_stops_ = false;
  save_dialog save_;
  double frames_per_second_ = 0;
  std::size_t frames_counted_ = 0;
  std::chrono::steady_clock::time_point counted_since_ = {};
};

}  // namespace viewer
