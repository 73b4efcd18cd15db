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

void null_surface::begin_frame() {
  ImGuiIO& io = ImGui::GetIO();
  io.DisplaySize = size;
  io.MousePos = mouse.x < 0 ? ImVec2(-FLT_MAX, -FLT_MAX) : mouse;
  std::copy(std::begin(buttons), std::end(buttons), io.MouseDown);
  io.MouseWheel = std::exchange(wheel, 0.0f);
  std::fill(std::begin(io.KeysDown), std::end(io.KeysDown), false);
  for (const int key : keys) io.KeysDown[key] = true;
  io.KeyCtrl = ctrl;
  io.KeyShift = shift;
  io.AddInputCharactersUTF8(std::exchange(text, {}).c_str());
  ImGui::NewFrame();
}

void null_surface::end_frame() { ImGui::Render(); }

}  // namespace viewer
