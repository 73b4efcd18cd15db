#pragma once
// Keys, named by what is printed on them, the same in a window and without one.

#include <imgui.h>

namespace viewer {

/// A key that types a character is that character in ASCII, letters as capitals: pressed('T'), pressed('+'). The others
/// have GLFW's numbers.
enum key { key_escape = 256, key_enter = 257, key_f1 = 290, key_f11 = 300 };

/// Tells ImGui which of these it needs for itself.
void map_keys(ImGuiIO& io);

/// Whether the key went down, with Ctrl or without it. A key without Ctrl is nobody's shortcut while text is typed.
bool pressed(int key);
bool pressed_with_ctrl(int key);

/// Whether this character was typed ("?", wherever it is on the keyboard) and no text is being typed.
bool typed(char character);

}  // namespace viewer
