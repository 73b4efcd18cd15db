#pragma once
// Draws ImGui's frames by OpenGL 3.2, for the window and for pictures.

namespace viewer {

/// Prepares the current OpenGL context. Throws gs::machine_error if it is older than 3.2.
void start_opengl();
/// Sends ImGui's fonts to the graphics card.
void send_fonts();
/// Draws what ImGui has rendered into the current framebuffer, which is that many pixels large.
void draw_by_opengl(int columns, int rows);

}  // namespace viewer
