#pragma once
// Frames drawn by OpenGL into memory: no window, no display, no X. Input is what a program puts in.

#include <filesystem>
#include <memory>
#include <vector>

#include "viewer/window/null_surface.h"

namespace viewer {

/// A picture of columns x rows pixels, row by row from the top, 0xAARRGGBB.
struct pixels {
  int columns = 0, rows = 0;
  std::vector<std::uint32_t> values = {};
};

class offscreen : public null_surface {
 public:
  /// Throws gs::machine_error if there is no EGL without a display, or no OpenGL 3.2 in it.
  explicit offscreen(ImVec2 size);
  ~offscreen() override;

  void begin_frame() override;
  void end_frame() override;
  void fonts_changed() override;

  /// What the last frame drew.
  pixels picture() const;
  /// Waits until the last frame is drawn, for measurements.
  void finish() const;

 private:
  struct drawing_context;
  std::unique_ptr<drawing_context> context_;
};

/// Throws gs::error if the file can't be written.
void write_png(const pixels& picture, const std::filesystem::path& file);

}  // namespace viewer
