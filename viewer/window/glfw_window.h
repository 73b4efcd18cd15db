#pragma once
// A window on a display.

#include <deque>

#include "viewer/window/surface.h"

struct GLFWwindow;

namespace viewer {

class glfw_window : public surface {
 public:
  /// Width and height are in points. Throws gs::machine_error if there is no display, or no OpenGL 3.2 on it.
  glfw_window(const std::string& title, int width, int height, bool maximized);
  ~glfw_window() override;

  float monitor_scale() const override;
  bool closed() const override;
  wakes wait(double seconds) override;
  void wake() override;
  void begin_frame() override;
  void end_frame() override;
  void fonts_changed() override;
  void change_full_screen() override;

  /// Its size in points when it is neither maximised nor full screen, to be remembered.
  ImVec2 ordinary_size() const;
  bool maximized() const;

 private:
  struct key_event {
    int key, code, action, mods;
  };

  void note_size();
  void apply_keys();
  void give_event(const key_event& e);
  static void on_key(GLFWwindow* w, int key, int code, int action, int mods);

  GLFWwindow* window_ = nullptr;
  ImVec2 ordinary_size_;  // as GLFW counts
  int ordinary_place_[2] = {};
  bool full_screen_ = false;
  bool input_ = false;
  std::deque<key_event> keys_;  // that no frame has seen yet
};

}  // namespace viewer
