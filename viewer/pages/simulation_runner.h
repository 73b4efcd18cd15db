#pragma once
// Runs a simulation in the background while a window shows it.

#include <cstddef>
#include <filesystem>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "runtime/device/target.h"
#include "workbook/parameters.h"
#include "workbook/plot.h"

namespace viewer {

/// A lesson that simulates, as its module tells.
struct simulated_lesson {
  std::filesystem::path module = {};
  int number = 0;
  std::string name = {}, title = {};
  std::vector<workbook::parameter> parameters = {};
};

/// A simulation at one moment, as the window shows it. Nothing of it depends on the module.
struct simulation_frame {
  simulated_lesson lesson = {};
  std::map<std::string, std::string> values = {};  ///< of its parameters, as text
  std::string device = {};                         ///< the name of that which it runs on
  std::size_t run = 0;                             ///< which simulation: counts how often one was begun
  std::size_t steps = 0;
  std::vector<std::shared_ptr<const workbook::plot>> fields = {};
  std::size_t main_field = 0;
  double total = 0;            ///< sum of the main field
  double step_seconds = 0;     ///< per step, since the frame before; NaN at the beginning
  std::size_t not_finite = 0;  ///< values of the main field that are infinite or NaN; then it plays no further
  double growth = 1;           ///< greatest magnitude of the main field, over that at the beginning
};

/// Its one thread alone uses the lesson's module, and closes it. No function waits for that thread.
class simulation_runner {
 public:
  /// `wake` is called from that thread when there is something new.
  explicit simulation_runner(std::function<void()> wake);
  /// Waits for the thread. A step that takes longer than two seconds is abandoned with all it has: see abandoned().
  ~simulation_runner();
  simulation_runner(const simulation_runner&) = delete;
  simulation_runner& operator=(const simulation_runner&) = delete;

  /// Finds the modules in the folder that simulate: lessons().
  void look_for(const std::filesystem::path& folder);
  /// Begins a simulation, which replaces the current one, on a device of that kind, which becomes the program's current
  /// device; without a kind, on the current device. Invalid values and a missing device are errors; names that the
  /// lesson doesn't have are ignored.
  void begin(const std::filesystem::path& module, const std::map<std::string, std::string>& values,
             std::optional<gs::device_kind> device = {});
  /// Changes choices and real numbers while it goes on.
  void change(const std::map<std::string, std::string>& values);
  /// Plays frame by frame, `iterations` steps each, at most that many frames a second (0: no limit). The next frame
  /// is begun when the last one has been taken.
  void play(bool on);
  void set_speed(std::size_t iterations, double frames_per_second);
  /// Whether a colour means the same value at all times, as it does at first, or each time has its own range. Draws the
  /// current moment again.
  void set_colours(bool for_all_times);
  /// Makes that many steps now.
  void step(std::size_t n);

  /// The newest frame; null if there was none since the last call.
  std::shared_ptr<const simulation_frame> take();
  /// What look_for() found; null while it isn't known.
  std::shared_ptr<const std::vector<simulated_lesson>> lessons() const;
  bool playing() const;
  /// True while something was asked for and not yet taken; a simulation that plays is busy with one frame after the
  /// other.
  bool busy() const;
  /// How many seconds the thread has been busy with the same piece of work, and with which; 0 while it waits.
  double working_for(std::string* work = nullptr) const;
  /// Why the simulation can't go on; empty if it can.
  std::string failure() const;

  /// Whether an abandoned thread is still running: then the program must end without cleaning up.
  static bool abandoned();

 private:
  struct state;
  std::shared_ptr<state> state_;
};

}  // namespace viewer
