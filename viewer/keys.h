#pragma once
// Keys, named by what is printed on them, the same in a window and without one.

#include <imgui.h>

namespace viewer {

/// A key that types a character is that character in ASCII, letters as capitals: pressed('T'), pressed('+'). The others
/// have GLFW's numbers.
enum key { key_escape = 256, key_enter = 257, key_f1 = 290, key_f11 = 300 };

/// Tells ImGui which of these it needs for itself, where it doesn't know keys by names of its own (before 1.87).
void map_keys(ImGuiIO& io);
/// Tells ImGui that a key goes down or up, or that it stays so.
void give_key(ImGuiIO& io, int key, bool down);
/// The same of the modifiers.
void give_modifiers(ImGuiIO& io, bool ctrl, bool shift);

/// Whether the key went down, with Ctrl or without it. A key without Ctrl is nobody's shortcut while text is typed.
bool pressed(int key);
bool pressed_with_ctrl(int key);

/// Whether this character was typed ("?", wherever it is on the keyboard) and no text is being typed.
bool typed(char character);

}  // namespace viewer
