#pragma once
// A GIF file of one palette, as giflib reads it.

#include <gif_lib.h>
#include <gtest/gtest.h>

#include <filesystem>
#include <vector>

#include "workbook/plot/colour.h"

namespace viewer_test {

struct read_gif {
  explicit read_gif(const std::filesystem::path& path) {
    int error = 0;
    GifFileType* const file = DGifOpenFileName(path.c_str(), &error);
    EXPECT_NE(file, nullptr) << GifErrorString(error);
    if (file == nullptr) return;
    EXPECT_EQ(DGifSlurp(file), GIF_OK) << "it is whole";
    columns = file->SWidth, rows = file->SHeight, frames = file->ImageCount;
    for (int k = 0; k < file->SColorMap->ColorCount; ++k) {
      const GifColorType& c = file->SColorMap->Colors[k];
      palette.push_back({c.Red, c.Green, c.Blue});
    }
    for (int k = 0; k < frames; ++k) {
      GraphicsControlBlock control;
      DGifSavedExtensionToGCB(file, k, &control);
      delays.push_back(control.DelayTime);
      const auto* first = file->SavedImages[k].RasterBits;
      pictures.emplace_back(first, first + columns * rows);
    }
    DGifCloseFile(file, &error);
  }

  int columns = 0, rows = 0, frames = 0;
  std::vector<workbook::colour> palette;
  std::vector<int> delays;                           // in 0.01 s
  std::vector<std::vector<unsigned char>> pictures;  // of indices into the palette, row by row
};

}  // namespace viewer_test
