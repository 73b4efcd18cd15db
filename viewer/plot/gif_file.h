#pragma once
// An animation as a GIF file.

#include <cstdint>
#include <filesystem>
#include <memory>
#include <span>
#include <vector>

#include "workbook/plot/colour.h"

namespace viewer {

/// Frames of one size and one palette, so that no colour flickers from one to the next; played again and again. Written
/// frame by frame: an animation of any length takes no memory.
class gif_file {
 public:
  /// `palette` has 2 to 256 colours; each pixel gets the nearest. `seconds` is the time of a frame, in GIF's steps of
  /// 0.01 s, at least two of them. Throws gs::error if the file can't be written, as the others do.
  gif_file(const std::filesystem::path& file, int columns, int rows, const std::vector<workbook::colour>& palette,
           double seconds);
  ~gif_file();
  gif_file(const gif_file&) = delete;
  gif_file& operator=(const gif_file&) = delete;

  /// columns x rows pixels, row by row from the top, 0xAARRGGBB.
  void add(std::span<const std::uint32_t> pixels);
  /// Ends the file, which is whole then.
  void close();

 private:
  struct state;
  std::unique_ptr<state> state_;
};

}  // namespace viewer
