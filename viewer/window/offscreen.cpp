#include "viewer/window/offscreen.h"

#define GL_GLEXT_PROTOTYPES
#include <EGL/egl.h>
#include <EGL/eglext.h>
#include <GL/gl.h>
#include <GL/glext.h>
#include <cairo.h>
#include <fmt/format.h>
#include <imgui_impl_opengl3.h>

#include "runtime/core/error.h"
#include "viewer/window/opengl.h"

namespace viewer {
namespace {

[[noreturn]] void refuse(const std::string& found) {
  throw gs::machine_error("drawing without a window", found,
                          "install libegl1 and libgl1-mesa-dri, which draw on the processor");
}

}  // namespace

// Everything that EGL and OpenGL have given us; destroyed in reverse order.
struct offscreen::drawing_context {
  explicit drawing_context(int columns, int rows) : columns(columns), rows(rows) {
    const auto display_of =
        reinterpret_cast<PFNEGLGETPLATFORMDISPLAYEXTPROC>(eglGetProcAddress("eglGetPlatformDisplayEXT"));
    if (display_of != nullptr) display = display_of(EGL_PLATFORM_SURFACELESS_MESA, EGL_DEFAULT_DISPLAY, nullptr);
    if (display == EGL_NO_DISPLAY) display = eglGetDisplay(EGL_DEFAULT_DISPLAY);
    if (display == EGL_NO_DISPLAY || !eglInitialize(display, nullptr, nullptr))
      refuse("EGL finds nothing to draw with");
    begin();
  }

  ~drawing_context() {
    glDeleteFramebuffers(1, &frame);
    glDeleteRenderbuffers(1, &colours);
    eglMakeCurrent(display, EGL_NO_SURFACE, EGL_NO_SURFACE, EGL_NO_CONTEXT);
    eglDestroyContext(display, context);  // the display is the process's own, and stays
  }

  void begin() {
    eglBindAPI(EGL_OPENGL_API);
    const EGLint attributes[] = {
        EGL_CONTEXT_MAJOR_VERSION,           3,       EGL_CONTEXT_MINOR_VERSION, 2, EGL_CONTEXT_OPENGL_PROFILE_MASK,
        EGL_CONTEXT_OPENGL_CORE_PROFILE_BIT, EGL_NONE};
    context = eglCreateContext(display, EGL_NO_CONFIG_KHR, EGL_NO_CONTEXT, attributes);
    if (context == EGL_NO_CONTEXT) refuse("there is no OpenGL 3.2");
    if (!eglMakeCurrent(display, EGL_NO_SURFACE, EGL_NO_SURFACE, context))
      refuse(fmt::format("EGL can't draw without a window (error {:#x})", static_cast<unsigned>(eglGetError())));
    GLint largest = 0;
    glGetIntegerv(GL_MAX_RENDERBUFFER_SIZE, &largest);
    if (columns > largest || rows > largest)
      refuse(fmt::format("{} x {} pixels are more than {} on a side", columns, rows, largest));
    glGenRenderbuffers(1, &colours);
    glBindRenderbuffer(GL_RENDERBUFFER, colours);
    glRenderbufferStorage(GL_RENDERBUFFER, GL_RGBA8, columns, rows);
    glGenFramebuffers(1, &frame);
    glBindFramebuffer(GL_FRAMEBUFFER, frame);
    glFramebufferRenderbuffer(GL_FRAMEBUFFER, GL_COLOR_ATTACHMENT0, GL_RENDERBUFFER, colours);
    if (glCheckFramebufferStatus(GL_FRAMEBUFFER) != GL_FRAMEBUFFER_COMPLETE)
      refuse(fmt::format("OpenGL has no {} x {} pixels for it", columns, rows));
  }

  int columns, rows;
  EGLDisplay display = EGL_NO_DISPLAY;
  EGLContext context = EGL_NO_CONTEXT;
  GLuint frame = 0, colours = 0;
};

offscreen::offscreen(ImVec2 s)
    : null_surface(s), context_(std::make_unique<drawing_context>(static_cast<int>(s.x), static_cast<int>(s.y))) {
  start_opengl();
}

offscreen::~offscreen() { ImGui_ImplOpenGL3_Shutdown(); }

void offscreen::begin_frame() {
  ImGui_ImplOpenGL3_NewFrame();
  null_surface::begin_frame();
}

void offscreen::end_frame() {
  null_surface::end_frame();
  draw_by_opengl(context_->columns, context_->rows);
}

void offscreen::fonts_changed() { send_fonts(); }

pixels offscreen::picture() const {
  pixels p{context_->columns, context_->rows, {}};
  const auto columns = static_cast<std::size_t>(p.columns), rows = static_cast<std::size_t>(p.rows);
  std::vector<std::uint32_t> from_below(columns * rows);
  glPixelStorei(GL_PACK_ALIGNMENT, 4);
  glReadPixels(0, 0, p.columns, p.rows, GL_BGRA, GL_UNSIGNED_INT_8_8_8_8_REV, from_below.data());
  p.values.reserve(from_below.size());
  for (std::size_t row = rows; row-- > 0;)
    for (std::size_t column = 0; column < columns; ++column)
      p.values.push_back(from_below[row * columns + column] | 0xff000000u);  // pictures are opaque
  return p;
}

void offscreen::finish() const { glFinish(); }

void write_png(const pixels& picture, const std::filesystem::path& file) {
  const auto data = const_cast<std::uint32_t*>(picture.values.data());  // cairo only reads it
  const std::unique_ptr<cairo_surface_t, decltype(&cairo_surface_destroy)> image(
      cairo_image_surface_create_for_data(reinterpret_cast<unsigned char*>(data), CAIRO_FORMAT_RGB24, picture.columns,
                                          picture.rows, 4 * picture.columns),
      cairo_surface_destroy);
  const cairo_status_t status = cairo_surface_write_to_png(image.get(), file.c_str());
  if (status != CAIRO_STATUS_SUCCESS)
    throw gs::error(fmt::format("writing the picture {}", file.string()), cairo_status_to_string(status),
                    "give a file in a folder that you may write to");
}

}  // namespace viewer
