#include "viewer/plot/gif_file.h"

#include <fmt/format.h>
#include <gif_lib.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <string>
#include <utility>

#include "runtime/core/error.h"

namespace viewer {
namespace {

using workbook::colour;

// Beyond 15 bits a colour's neighbours are the same to the eye, and a table of them stays small.
constexpr std::size_t looked_up = 32 * 32 * 32;
std::size_t key_of(std::uint32_t pixel) {
  return (pixel >> 19 & 31) << 10 | (pixel >> 11 & 31) << 5 | (pixel >> 3 & 31);
}

int squared_distance(colour c, std::uint32_t pixel) {
  const int red = c.red - static_cast<int>(pixel >> 16 & 255), green = c.green - static_cast<int>(pixel >> 8 & 255),
            blue = c.blue - static_cast<int>(pixel & 255);
  return red * red + green * green + blue * blue;
}

GifColorType of_gif(colour c) { return {.Red = c.red, .Green = c.green, .Blue = c.blue}; }

}  // namespace

struct gif_file::state {
  std::string name;
  int columns, rows;
  std::vector<colour> palette;
  double seconds;
  GifFileType* file = nullptr;
  std::vector<std::int16_t> nearest = std::vector<std::int16_t>(looked_up, -1);
  std::vector<GifPixelType> line = {};

  void require(bool fine, int error) const {
    if (fine) return;
    const char* said = GifErrorString(error);
    throw gs::error(fmt::format("writing the animation {}", name), said != nullptr ? said : "it can't be written",
                    "check that the folder can be written to and the disk has room");
  }
  void require(int result) const { require(result == GIF_OK, file->Error); }

  void begin();
  void repeat_for_ever() const;
  GifPixelType index_of(std::uint32_t pixel);
  void drop();
};

// GIF's palettes have a power of two of colours: the last is repeated.
void gif_file::state::begin() {
  int error = 0;
  file = EGifOpenFileName(name.c_str(), false, &error);
  require(file != nullptr, error);
  EGifSetGifVersion(file, true);  // GIF89a, which animations need
  int entries = 2;
  while (entries < static_cast<int>(palette.size())) entries *= 2;
  std::vector<GifColorType> colours;
  for (int k = 0; k < entries; ++k)
    colours.push_back(of_gif(palette[std::min(static_cast<std::size_t>(k), palette.size() - 1)]));
  const std::unique_ptr<ColorMapObject, decltype(&GifFreeMapObject)> map(GifMakeMapObject(entries, colours.data()),
                                                                         GifFreeMapObject);
  require(EGifPutScreenDesc(file, columns, rows, 8, 0, map.get()));
  repeat_for_ever();
}

// Netscape's extension: a block of 1 and how often, 0 for ever.
void gif_file::state::repeat_for_ever() const {
  constexpr char application[] = "NETSCAPE2.0";
  constexpr std::array<GifByteType, 3> repeat{1, 0, 0};
  require(EGifPutExtensionLeader(file, APPLICATION_EXT_FUNC_CODE));
  require(EGifPutExtensionBlock(file, sizeof application - 1, application));
  require(EGifPutExtensionBlock(file, static_cast<int>(repeat.size()), repeat.data()));
  require(EGifPutExtensionTrailer(file));
}

GifPixelType gif_file::state::index_of(std::uint32_t pixel) {
  std::int16_t& found = nearest[key_of(pixel)];
  if (found >= 0) return static_cast<GifPixelType>(found);
  int least = std::numeric_limits<int>::max();
  for (std::size_t k = 0; k < palette.size(); ++k) {
    const int distance = squared_distance(palette[k], pixel);
    if (distance >= least) continue;
    least = distance;
    found = static_cast<std::int16_t>(k);
  }
  return static_cast<GifPixelType>(found);
}

void gif_file::state::drop() {
  int ignored = 0;
  if (file != nullptr) EGifCloseFile(file, &ignored);
  file = nullptr;
}

gif_file::gif_file(const std::filesystem::path& file, int columns, int rows, const std::vector<colour>& palette,
                   double seconds)
    : state_(std::make_unique<state>(
          state{.name = file.string(), .columns = columns, .rows = rows, .palette = palette, .seconds = seconds})) {
  if (palette.size() < 2 || palette.size() > 256)
    throw gs::error("writing the animation " + file.string(), fmt::format("its palette has {} colours", palette.size()),
                    "give 2 to 256");
  try {
    state_->begin();
  } catch (...) {
    state_->drop();
    throw;
  }
}

gif_file::~gif_file() { state_->drop(); }

void gif_file::add(std::span<const std::uint32_t> pixels) {
  state& s = *state_;
  const auto columns = static_cast<std::size_t>(s.columns), rows = static_cast<std::size_t>(s.rows);
  if (pixels.size() != columns * rows)
    throw gs::error("adding a frame to " + s.name, fmt::format("it has {} pixels", pixels.size()),
                    fmt::format("give {} x {}", s.columns, s.rows));
  const GraphicsControlBlock control{.DisposalMode = DISPOSE_DO_NOT,
                                     .UserInputFlag = false,
                                     .DelayTime = std::max(2, static_cast<int>(std::lround(100 * s.seconds))),
                                     .TransparentColor = NO_TRANSPARENT_COLOR};
  std::array<GifByteType, 4> extension{};
  EGifGCBToExtension(&control, extension.data());
  s.require(EGifPutExtension(s.file, GRAPHICS_EXT_FUNC_CODE, static_cast<int>(extension.size()), extension.data()));
  s.require(EGifPutImageDesc(s.file, 0, 0, s.columns, s.rows, false, nullptr));
  s.line.resize(columns);
  for (std::size_t row = 0; row < rows; ++row) {
    for (std::size_t column = 0; column < columns; ++column)
      s.line[column] = s.index_of(pixels[row * columns + column]);
    s.require(EGifPutLine(s.file, s.line.data(), s.columns));
  }
}

void gif_file::close() {
  int error = 0;
  GifFileType* const file = std::exchange(state_->file, nullptr);
  if (file != nullptr) state_->require(EGifCloseFile(file, &error) == GIF_OK, error);
}

}  // namespace viewer
