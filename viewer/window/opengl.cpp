#include "viewer/window/opengl.h"

#include <GL/gl.h>
#include <GL/glext.h>
#include <fmt/format.h>
#include <imgui.h>
#include <imgui_impl_opengl3.h>

#include "runtime/core/error.h"

namespace viewer {

void start_opengl() {
  GLint major = 0, minor = 0;
  glGetIntegerv(GL_MAJOR_VERSION, &major);
  glGetIntegerv(GL_MINOR_VERSION, &minor);
  if (major < 3 || (major == 3 && minor < 2) || !ImGui_ImplOpenGL3_Init("#version 150"))
    throw gs::machine_error("drawing", fmt::format("OpenGL is {}.{}, and 3.2 is needed", major, minor),
                            "install libgl1-mesa-dri, which draws on the processor");
}

void send_fonts() {
  ImGui_ImplOpenGL3_DestroyFontsTexture();
  ImGui_ImplOpenGL3_CreateFontsTexture();
}

void draw_by_opengl(int columns, int rows) {
  const ImVec4 paper = ImGui::GetStyle().Colors[ImGuiCol_WindowBg];
  glViewport(0, 0, columns, rows);
  glClearColor(paper.x, paper.y, paper.z, 1);
  glClear(GL_COLOR_BUFFER_BIT);
  ImGui_ImplOpenGL3_RenderDrawData(ImGui::GetDrawData());
}

}  // namespace viewer
