#include "viewer/window/null_surface.h"

#include <algorithm>
#include <chrono>
#include <utility>

#include "viewer/keys.h"

namespace viewer {

null_surface::null_surface(ImVec2 s) : size(s) {
  ImGuiIO& io = ImGui::GetIO();
  map_keys(io);
  io.BackendFlags |= ImGuiBackendFlags_RendererHasVtxOffset;
  io.DeltaTime = 1.0f / 60;  // whatever the clock says: the same input makes the same frames
#if IMGUI_VERSION_NUM >= 18700
  io.ConfigInputTrickleEventQueue = false;  // all of a frame's input is for that frame
#endif
}

wakes null_surface::wait(double seconds) {
  std::unique_lock lock(mutex_);
  const bool woken = woken_.wait_for(lock, std::chrono::duration<double>(seconds), [this] { return awake_; });
  awake_ = false;
  return woken ? wakes::by_call : wakes::by_time;
}

void null_surface::wake() {
  const std::lock_guard lock(mutex_);
  awake_ = true;
  woken_.notify_one();
}

// Since 1.87, ImGui takes the mouse as events.
void null_surface::give_mouse(ImGuiIO& io) {
  const ImVec2 at = mouse.x < 0 ? ImVec2(-FLT_MAX, -FLT_MAX) : mouse;
  const float turn = std::exchange(wheel, 0.0f);
#if IMGUI_VERSION_NUM < 18700
  io.MousePos = at;
  std::copy(std::begin(buttons), std::end(buttons), io.MouseDown);
  io.MouseWheel = turn;
#else
  io.AddMousePosEvent(at.x, at.y);
  for (int k = 0; k < 3; ++k) io.AddMouseButtonEvent(k, buttons[k]);
  if (turn != 0) io.AddMouseWheelEvent(0, turn);
#endif
}

void null_surface::begin_frame() {
  ImGuiIO& io = ImGui::GetIO();
  io.DisplaySize = size;
  give_mouse(io);
  for (const int key : given_keys_)
    if (!keys.contains(key)) give_key(io, key, false);
  for (const int key : keys) give_key(io, key, true);
  given_keys_ = keys;
  give_modifiers(io, ctrl, shift);
  io.AddInputCharactersUTF8(std::exchange(text, {}).c_str());
  ImGui::NewFrame();
}

void null_surface::end_frame() { ImGui::Render(); }

}  // namespace viewer
