#define GLFW_INCLUDE_NONE
#include "viewer/keys.h"

#include <GLFW/glfw3.h>

#include <utility>

namespace viewer {

static_assert(key_escape == GLFW_KEY_ESCAPE && key_enter == GLFW_KEY_ENTER && key_f1 == GLFW_KEY_F1 &&
              key_f11 == GLFW_KEY_F11);

namespace {

#if IMGUI_VERSION_NUM < 18700
constexpr ImGuiKey keypad_enter = ImGuiKey_KeyPadEnter;
#else
constexpr ImGuiKey keypad_enter = ImGuiKey_KeypadEnter;
#endif

// What ImGui calls the keys that it needs for itself.
constexpr std::pair<ImGuiKey, int> keys_of_imgui[] = {{ImGuiKey_Tab, GLFW_KEY_TAB},
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
                                                      {keypad_enter, GLFW_KEY_KP_ENTER},
                                                      {ImGuiKey_A, 'A'},
                                                      {ImGuiKey_C, 'C'},
                                                      {ImGuiKey_V, 'V'},
                                                      {ImGuiKey_X, 'X'},
                                                      {ImGuiKey_Y, 'Y'},
                                                      {ImGuiKey_Z, 'Z'}};

#if IMGUI_VERSION_NUM < 18700
int named(int key) { return key; }
#else
// ImGui's name of the key. It has none for a sign of its own on another keyboard than an American one, but for "+".
ImGuiKey named(int key) {
  if (key >= 'A' && key <= 'Z') return static_cast<ImGuiKey>(ImGuiKey_A + (key - 'A'));
  if (key >= '0' && key <= '9') return static_cast<ImGuiKey>(ImGuiKey_0 + (key - '0'));
  for (const auto& [name, other] : keys_of_imgui)
    if (other == key) return name;
  switch (key) {
    case '+':
      return ImGuiKey_KeypadAdd;
    case '-':
      return ImGuiKey_Minus;
    case '=':
      return ImGuiKey_Equal;
    case '.':
      return ImGuiKey_Period;
    case key_f1:
      return ImGuiKey_F1;
    case key_f11:
      return ImGuiKey_F11;
    default:
      return ImGuiKey_None;
  }
}
#endif

}  // namespace

#if IMGUI_VERSION_NUM < 18700
void map_keys(ImGuiIO& io) {
  for (const auto& [name, key] : keys_of_imgui) io.KeyMap[name] = key;
}

void give_key(ImGuiIO& io, int key, bool down) { io.KeysDown[key] = down; }

void give_modifiers(ImGuiIO& io, bool ctrl, bool shift) {
  io.KeyCtrl = ctrl;
  io.KeyShift = shift;
}
#else
void map_keys(ImGuiIO&) {}

void give_key(ImGuiIO& io, int key, bool down) {
  if (const ImGuiKey name = named(key); name != ImGuiKey_None) io.AddKeyEvent(name, down);
}

void give_modifiers(ImGuiIO& io, bool ctrl, bool shift) {
  io.AddKeyEvent(ImGuiMod_Ctrl, ctrl);
  io.AddKeyEvent(ImGuiMod_Shift, shift);
}
#endif

bool pressed(int key) {
  const ImGuiIO& io = ImGui::GetIO();
  return !io.KeyCtrl && !io.KeyAlt && !io.WantTextInput && ImGui::IsKeyPressed(named(key), false);
}

bool pressed_with_ctrl(int key) { return ImGui::GetIO().KeyCtrl && ImGui::IsKeyPressed(named(key), false); }

bool typed(char character) {
  const ImGuiIO& io = ImGui::GetIO();
  return !io.WantTextInput && io.InputQueueCharacters.contains(static_cast<ImWchar>(character));
}

}  // namespace viewer
