#pragma once
// Where frames are drawn and input comes from: a window, a picture in memory, or nowhere at all.

#include <imgui.h>

#include <string>

namespace viewer {

/// Why wait() returned.
enum class wakes { by_input, by_call, by_time };

/// Owns ImGui's context; there is one at a time. A frame is begin_frame(), ImGui's calls,
/// end_frame().
class surface {
 public:
  surface(const surface&) = delete;
  surface& operator=(const surface&) = delete;
  virtual ~surface();

  /// Pixels per point, as the monitor has it.
  virtual float monitor_scale() const { return 1; }
  /// Whether the reader has closed it.
  virtual bool closed() const { return false; }
  /// Waits for input, for wake(), or for that many seconds.
  virtual wakes wait(double seconds) = 0;
  /// Ends wait(), now or when it is next called. From any thread.
  virtual void wake() = 0;
  virtual void begin_frame() = 0;
  virtual void end_frame() = 0;
  /// To be called between frames when ImGui's fonts have been loaded anew.
  virtual void fonts_changed() = 0;
  virtual void change_full_screen() {}

 protected:
  surface();
};

}  // namespace viewer
