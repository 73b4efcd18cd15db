#include "viewer/window/surface.h"

namespace viewer {

surface::surface() {
  IMGUI_CHECKVERSION();
  ImGui::CreateContext();
  ImGuiIO& io = ImGui::GetIO();
  io.IniFilename = nullptr;  // what must be remembered is in our own file
  io.LogFilename = nullptr;
  io.ConfigFlags |= ImGuiConfigFlags_NavEnableKeyboard;
  io.ConfigWindowsMoveFromTitleBarOnly = true;
}

surface::~surface() { ImGui::DestroyContext(); }

}  // namespace viewer
