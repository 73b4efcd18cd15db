#define GLFW_INCLUDE_NONE
#include "viewer/keys.h"

#include <GLFW/glfw3.h>

#include <initializer_list>
#include <utility>

namespace viewer {

static_assert(key_escape == GLFW_KEY_ESCAPE && key_enter == GLFW_KEY_ENTER && key_f1 == GLFW_KEY_F1 &&
              key_f11 == GLFW_KEY_F11);

void map_keys(ImGuiIO& io) {
  for (const auto& [meaning, key] :
       std::initializer_list<std::pair<ImGuiKey_, int>>{{ImGuiKey_Tab, GLFW_KEY_TAB},
                                                        {ImGuiKey_LeftArrow, GLFW_KEY_LEFT},
                                                        {ImGuiKey_RightArrow, GLFW_KEY_RIGHT},
                                                        {ImGuiKey_UpArrow, GLFW_KEY_UP},
                                                        {ImGuiKey_DownArrow, GLFW_KEY_DOWN},
                                                        {ImGuiKey_PageUp, GLFW_KEY_PAGE_UP},
                                                        {ImGuiKey_PageDown, GLFW_KEY_PAGE_DOWN},
                                                        {ImGuiKey_Home, GLFW_KEY_HOME},
                                                        {ImGuiKey_End, GLFW_KEY_END},
                                                        {ImGuiKey_Insert, GLFW_KEY_INSERT},
                                                        {ImGuiKey_Delete, GLFW_KEY_DELETE},
                                                        {ImGuiKey_Backspace, GLFW_KEY_BACKSPACE},
                                                        {ImGuiKey_Space, GLFW_KEY_SPACE},
                                                        {ImGuiKey_Enter, GLFW_KEY_ENTER},
                                                        {ImGuiKey_Escape, GLFW_KEY_ESCAPE},
                                                        {ImGuiKey_KeyPadEnter, GLFW_KEY_KP_ENTER},
                                                        {ImGuiKey_A, 'A'},
                                                        {ImGuiKey_C, 'C'},
                                                        {ImGuiKey_V, 'V'},
                                                        {ImGuiKey_X, 'X'},
                                                        {ImGuiKey_Y, 'Y'},
                                                        {ImGuiKey_Z, 'Z'}})
    io.KeyMap[meaning] = key;
}

bool pressed(int key) {
  const ImGuiIO& io = ImGui::GetIO();
  return !io.KeyCtrl && !io.KeyAlt && !io.WantTextInput && ImGui::IsKeyPressed(key, false);
}

bool pressed_with_ctrl(int key) { return ImGui::GetIO().KeyCtrl && ImGui::IsKeyPressed(key, false); }

bool typed(char character) {
  const ImGuiIO& io = ImGui::GetIO();
  return !io.WantTextInput && io.InputQueueCharacters.contains(static_cast<ImWchar>(character));
}

}  // namespace viewer
