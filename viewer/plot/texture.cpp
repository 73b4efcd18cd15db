#include "viewer/plot/texture.h"

#include <GL/gl.h>

#include <string_view>

namespace viewer {

// Without a graphics card there are only the pixels, and their owner's address is their name.
struct texture::back_end {
  std::vector<std::uint32_t> pixels = {};
  int columns = 0, rows = 0;
  std::size_t sent = 0;

  virtual ~back_end() = default;
  virtual ImTextureID id() { return this; }
  virtual void send(bool /*same_size*/) {}
};

namespace {

// OpenGL's own name for a texture is ImGui's as well. What is called here is in every OpenGL since 1.1.
struct opengl_texture final : texture::back_end {
  opengl_texture() {
    glGenTextures(1, &name_);
    bound([] {
      for (const GLenum filter : {GL_TEXTURE_MIN_FILTER, GL_TEXTURE_MAG_FILTER})
        glTexParameteri(GL_TEXTURE_2D, filter, GL_NEAREST);  // elements have edges
    });
  }
  ~opengl_texture() override { glDeleteTextures(1, &name_); }

  ImTextureID id() override { return reinterpret_cast<ImTextureID>(static_cast<std::intptr_t>(name_)); }

  void send(bool same_size) override {
    bound([&] {
      if (same_size)
        glTexSubImage2D(GL_TEXTURE_2D, 0, 0, 0, columns, rows, GL_BGRA, GL_UNSIGNED_BYTE, pixels.data());
      else
        glTexImage2D(GL_TEXTURE_2D, 0, GL_RGBA8, columns, rows, 0, GL_BGRA, GL_UNSIGNED_BYTE, pixels.data());
    });
  }

 private:
  template <class F>
  void bound(const F& then) {
    GLint before = 0;
    glGetIntegerv(GL_TEXTURE_BINDING_2D, &before);
    glBindTexture(GL_TEXTURE_2D, name_);
    then();
    glBindTexture(GL_TEXTURE_2D, static_cast<GLuint>(before));
  }

  GLuint name_ = 0;
};

bool opengl_draws() {
  const char* name = ImGui::GetIO().BackendRendererName;
  return name != nullptr && std::string_view(name) == "imgui_impl_opengl3";
}

}  // namespace

texture::texture() {
  if (opengl_draws())
    back_end_ = std::make_unique<opengl_texture>();
  else
    back_end_ = std::make_unique<back_end>();
}
texture::~texture() = default;
texture::texture(texture&&) noexcept = default;
texture& texture::operator=(texture&&) noexcept = default;

void texture::set(const std::vector<std::uint32_t>& pixels, int columns, int rows) {
  back_end& to = *back_end_;
  const bool same_size = to.sent > 0 && to.columns == columns && to.rows == rows;
  if (same_size && to.pixels == pixels) return;
  to.pixels = pixels;
  to.columns = columns;
  to.rows = rows;
  to.send(same_size);
  ++to.sent;
}

ImTextureID texture::id() const { return back_end_->id(); }
int texture::columns() const { return back_end_->columns; }
int texture::rows() const { return back_end_->rows; }
const std::vector<std::uint32_t>& texture::pixels() const { return back_end_->pixels; }
std::size_t texture::sent() const { return back_end_->sent; }

}  // namespace viewer
