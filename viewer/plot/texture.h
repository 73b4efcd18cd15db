#pragma once
// A picture that ImGui can draw: on the graphics card, or in memory where there is none.

#include <imgui.h>

#include <cstdint>
#include <memory>
#include <vector>

namespace viewer {

class texture {
 public:
  texture();
  ~texture();
  texture(texture&&) noexcept;
  texture& operator=(texture&&) noexcept;

  /// Makes it that picture: columns x rows pixels, row by row, 0xAARRGGBB. Only what has changed is sent, and in the
  /// place of what was there if the size is the same.
  void set(const std::vector<std::uint32_t>& pixels, int columns, int rows);

  ImTextureID id() const;
  int columns() const;
  int rows() const;
  const std::vector<std::uint32_t>& pixels() const;
  /// How often pixels were sent.
  std::size_t sent() const;

  struct back_end;

 private:
  std::unique_ptr<back_end> back_end_;
};

}  // namespace viewer
