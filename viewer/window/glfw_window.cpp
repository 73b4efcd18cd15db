#include "viewer/window/glfw_window.h"

#include <fmt/format.h>

#define GLFW_INCLUDE_NONE
#include <GLFW/glfw3.h>
#include <imgui_impl_glfw.h>
#include <imgui_impl_opengl3.h>

#include <algorithm>
#include <cstdlib>

#include "runtime/core/error.h"
#include "viewer/keys.h"
#include "viewer/window/opengl.h"

namespace viewer {
namespace {

std::string what_glfw_says() {
  const char* text = nullptr;
  glfwGetError(&text);
  return text != nullptr ? text : "GLFW doesn't say why";
}

constexpr char advice[] = "draw without a window: ./gridstride view --render FILE.png";

// The character on a key of this keyboard, as in viewer/keys.h; GLFW names keys by their place on a US keyboard.
int sign_on(int key, int code) {
  const bool keypad = key >= GLFW_KEY_KP_0 && key <= GLFW_KEY_KP_EQUAL;
  if (key > 0xff && !keypad) return key;
  if (key == GLFW_KEY_SPACE || key == GLFW_KEY_KP_ENTER) return key;
  const char* name = glfwGetKeyName(key, code);
  if (name == nullptr || name[0] == '\0' || name[1] != '\0') return key;
  return std::toupper(static_cast<unsigned char>(name[0]));
}

}  // namespace

glfw_window::glfw_window(const std::string& title, int width, int height, bool maximized)
    : ordinary_size_(static_cast<float>(width), static_cast<float>(height)) {
#if defined(GLFW_PLATFORM)
  // GLFW 3.4 asks for Wayland first, whose library prints what it lacks.
  if (std::getenv("XDG_RUNTIME_DIR") == nullptr) glfwInitHint(GLFW_PLATFORM, GLFW_PLATFORM_X11);
#endif
  if (!glfwInit()) throw gs::machine_error("opening a window", what_glfw_says(), advice);
  try {
    glfwWindowHint(GLFW_CONTEXT_VERSION_MAJOR, 3);
    glfwWindowHint(GLFW_CONTEXT_VERSION_MINOR, 2);
    glfwWindowHint(GLFW_OPENGL_PROFILE, GLFW_OPENGL_CORE_PROFILE);
    glfwWindowHint(GLFW_OPENGL_FORWARD_COMPAT, GLFW_TRUE);
    glfwWindowHint(GLFW_SCALE_TO_MONITOR, GLFW_TRUE);
    glfwWindowHint(GLFW_MAXIMIZED, maximized);
    glfwWindowHintString(GLFW_X11_CLASS_NAME, "gridstride");
    glfwWindowHintString(GLFW_X11_INSTANCE_NAME, "gridstride");
    window_ = glfwCreateWindow(width, height, title.c_str(), nullptr, nullptr);
    if (window_ == nullptr) throw gs::machine_error("opening a window", what_glfw_says(), advice);
    glfwMakeContextCurrent(window_);
    glfwSwapInterval(1);
    start_opengl();
  } catch (...) {
    glfwTerminate();
    throw;
  }
  map_keys(ImGui::GetIO());
  glfwSetWindowUserPointer(window_, this);
  // Any input means that a frame must be drawn.
  const auto noted = [](GLFWwindow* w) -> void {
    static_cast<glfw_window*>(glfwGetWindowUserPointer(w))->input_ = true;
  };
  static const auto note = +noted;
  glfwSetWindowRefreshCallback(window_, note);
  glfwSetFramebufferSizeCallback(window_, [](GLFWwindow* w, int, int) { note(w); });
  glfwSetWindowContentScaleCallback(window_, [](GLFWwindow* w, float, float) { note(w); });
  glfwSetWindowCloseCallback(window_, note);
  glfwSetCursorPosCallback(window_, [](GLFWwindow* w, [[maybe_unused]] double x, [[maybe_unused]] double y) {
    note(w);
#if IMGUI_VERSION_NUM >= 18700  // older ones ask GLFW
    ImGui_ImplGlfw_CursorPosCallback(w, x, y);
#endif
  });
  glfwSetCursorEnterCallback(window_, [](GLFWwindow* w, int entered) {
    note(w);
    ImGui_ImplGlfw_CursorEnterCallback(w, entered);
  });
  glfwSetWindowFocusCallback(window_, [](GLFWwindow* w, int focused) {
    note(w);
    ImGui_ImplGlfw_WindowFocusCallback(w, focused);
  });
  glfwSetMouseButtonCallback(window_, [](GLFWwindow* w, int button, int action, int mods) {
    note(w);
    ImGui_ImplGlfw_MouseButtonCallback(w, button, action, mods);
  });
  glfwSetScrollCallback(window_, [](GLFWwindow* w, double x, double y) {
    note(w);
    ImGui_ImplGlfw_ScrollCallback(w, x, y);
  });
  glfwSetCharCallback(window_, [](GLFWwindow* w, unsigned c) {
    note(w);
    ImGui_ImplGlfw_CharCallback(w, c);
  });
  glfwSetKeyCallback(window_, on_key);
  ImGui_ImplGlfw_InitForOpenGL(window_, false);
}

glfw_window::~glfw_window() {
  ImGui_ImplOpenGL3_Shutdown();
  ImGui_ImplGlfw_Shutdown();
  glfwDestroyWindow(window_);
  glfwTerminate();
}

void glfw_window::on_key(GLFWwindow* w, int key, int code, int action, int mods) {
  auto& window = *static_cast<glfw_window*>(glfwGetWindowUserPointer(w));
  window.input_ = true;
  window.keys_.push_back({sign_on(key, code), code, action, mods});
}

// ImGui's own function for it, since 1.87, knows keys only by their place on an American keyboard.
void glfw_window::give_event(const key_event& e) {
#if IMGUI_VERSION_NUM < 18700
  ImGui_ImplGlfw_KeyCallback(window_, e.key, e.code, e.action, e.mods);
#else
  ImGuiIO& io = ImGui::GetIO();
  const bool down = e.action != GLFW_RELEASE;
  const auto modifies = [&](int left, int right, int bit) {
    return e.key == left || e.key == right ? down : (e.mods & bit) != 0;
  };
  give_modifiers(io, modifies(GLFW_KEY_LEFT_CONTROL, GLFW_KEY_RIGHT_CONTROL, GLFW_MOD_CONTROL),
                 modifies(GLFW_KEY_LEFT_SHIFT, GLFW_KEY_RIGHT_SHIFT, GLFW_MOD_SHIFT));
  io.AddKeyEvent(ImGuiMod_Alt, modifies(GLFW_KEY_LEFT_ALT, GLFW_KEY_RIGHT_ALT, GLFW_MOD_ALT));
  viewer::give_key(io, e.key, down);
#endif
}

// ImGui knows which keys are down in a frame. One that goes down and up between two frames would never have been down:
// what goes up after something has gone down waits for the next frame.
void glfw_window::apply_keys() {
  for (bool down = false; !keys_.empty(); keys_.pop_front()) {
    const key_event e = keys_.front();
    if (e.action == GLFW_RELEASE && down) return;
    down = down || e.action == GLFW_PRESS;
    give_event(e);
  }
}

float glfw_window::monitor_scale() const {
  float x = 1, y = 1;
  int width = 0, pixels = 0, height = 0;
  glfwGetWindowContentScale(window_, &x, &y);
  // Where a window is measured in points, ImGui's coordinates are points as well.
  glfwGetWindowSize(window_, &width, &height);
  glfwGetFramebufferSize(window_, &pixels, &height);
  return width > 0 && pixels > 0 ? x * static_cast<float>(width) / static_cast<float>(pixels) : x;
}

bool glfw_window::closed() const { return glfwWindowShouldClose(window_); }
bool glfw_window::maximized() const { return glfwGetWindowAttrib(window_, GLFW_MAXIMIZED); }

ImVec2 glfw_window::ordinary_size() const {
  const float scale = monitor_scale();
  return {ordinary_size_.x / scale, ordinary_size_.y / scale};
}

wakes glfw_window::wait(double seconds) {
  const double began = glfwGetTime();
  input_ = !keys_.empty();
  if (seconds > 0 && !input_)
    glfwWaitEventsTimeout(seconds);
  else
    glfwPollEvents();
  if (input_) return wakes::by_input;
  return glfwGetTime() - began < 0.99 * seconds ? wakes::by_call : wakes::by_time;
}

void glfw_window::wake() { glfwPostEmptyEvent(); }

void glfw_window::begin_frame() {
  note_size();
  apply_keys();
  ImGui_ImplOpenGL3_NewFrame();
  ImGui_ImplGlfw_NewFrame();
  ImGui::NewFrame();
}

void glfw_window::end_frame() {
  ImGui::Render();
  int columns = 0, rows = 0;
  glfwGetFramebufferSize(window_, &columns, &rows);
  draw_by_opengl(columns, rows);
  glfwSwapBuffers(window_);
}

void glfw_window::fonts_changed() { send_fonts(); }

void glfw_window::note_size() {
  if (full_screen_ || maximized()) return;
  int width = 0, height = 0;
  glfwGetWindowSize(window_, &width, &height);
  if (width > 0 && height > 0) ordinary_size_ = {static_cast<float>(width), static_cast<float>(height)};
}

void glfw_window::change_full_screen() {
  full_screen_ = !full_screen_;
  if (full_screen_) {
    note_size();
    glfwGetWindowPos(window_, &ordinary_place_[0], &ordinary_place_[1]);
    GLFWmonitor* monitor = glfwGetPrimaryMonitor();
    const GLFWvidmode* mode = monitor != nullptr ? glfwGetVideoMode(monitor) : nullptr;
    if (mode == nullptr) return void(full_screen_ = false);
    glfwSetWindowMonitor(window_, monitor, 0, 0, mode->width, mode->height, mode->refreshRate);
  } else {
    glfwSetWindowMonitor(window_, nullptr, ordinary_place_[0], ordinary_place_[1], static_cast<int>(ordinary_size_.x),
                         static_cast<int>(ordinary_size_.y), GLFW_DONT_CARE);
  }
}

}  // namespace viewer
