#pragma once
// Frames without graphics: everything is laid out and nothing is drawn. Input is what a program puts in.

#include <condition_variable>
#include <mutex>
#include <set>

#include "viewer/window/surface.h"

namespace viewer {

class null_surface : public surface {
 public:
  explicit null_surface(ImVec2 size);

  // The next frame's input: mouse and keys stay as they are, a wheel's turn and typed characters last one frame.
  ImVec2 size;
  ImVec2 mouse{-1, -1};
  bool buttons[3] = {};
  float wheel = 0;
  std::set<int> keys = {};  ///< those that are down: see viewer/keys.h
  bool ctrl = false, shift = false;
  std::string text = {};

  wakes wait(double seconds) override;
  void wake() override;
  void begin_frame() override;
  void end_frame() override;
  void fonts_changed() override {}

 private:
  void give_mouse(ImGuiIO& io);

  std::set<int> given_keys_;  // that ImGui takes for being down
  std::mutex mutex_;
  std::condition_variable woken_;
  bool awake_ = false;
};

}  // namespace viewer
