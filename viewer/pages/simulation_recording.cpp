#include "viewer/pages/simulation_recording.h"

#include <cairo.h>
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <condition_variable>
#include <deque>
#include <mutex>
#include <optional>
#include <set>
#include <span>
#include <thread>
#include <utility>
#include <vector>

#include "runtime/core/error.h"
#include "viewer/plot/gif_file.h"
#include "workbook/picture/drawing.h"
#include "workbook/plot/colour.h"

namespace viewer {
namespace {

namespace fs = std::filesystem;
using surface_owner = std::unique_ptr<cairo_surface_t, decltype(&cairo_surface_destroy)>;

constexpr std::size_t most_waiting = 4;  // frames; the simulation goes on when one of them is written
constexpr double field_width = 360;      // points, one pixel each

const workbook::heat_map* heat_map_in(const workbook::plot& p) { return std::get_if<workbook::heat_map>(&p); }

// All fields of a simulation have the same size in a picture: that of the first, which is as high as its shape asks
// for.
workbook::picture_size size_of_field(const simulation_frame& frame) {
  const workbook::heat_map* first = frame.fields.empty() ? nullptr : heat_map_in(*frame.fields[0]);
  const double shape = first == nullptr || first->columns == 0
                           ? 1
                           : static_cast<double>(first->rows) / static_cast<double>(first->columns);
  return {field_width, std::round(std::clamp((field_width - 130) * shape, 80.0, 460.0) + 90)};
}

// The colours of the maps in use and, for letters and lines, those between paper and ink.
std::vector<workbook::colour> palette_of(const simulation_frame& frame, const workbook::look& look) {
  constexpr std::size_t shades = 32;
  std::vector<workbook::colour> palette;
  const auto mixed = [](std::uint8_t a, std::uint8_t b, double t) {
    return static_cast<std::uint8_t>(std::lround(a + t * (b - a)));
  };
  for (std::size_t k = 0; k < shades; ++k) {
    const double t = static_cast<double>(k) / (shades - 1);
    palette.push_back({mixed(look.paper.red, look.ink.red, t), mixed(look.paper.green, look.ink.green, t),
                       mixed(look.paper.blue, look.ink.blue, t)});
  }
  std::set<workbook::colour_map> maps;
  for (const auto& field : frame.fields)
    if (const auto* map = heat_map_in(*field)) maps.insert(map->colours);
  for (const workbook::colour_map map : maps) {
    const std::size_t count = (256 - shades) / maps.size();
    for (std::size_t k = 0; k < count; ++k)
      palette.push_back(map_colour(map, (static_cast<double>(k) + 0.5) / static_cast<double>(count)));
  }
  return palette;
}

surface_owner drawn(const simulation_frame& frame, workbook::picture_size each, const workbook::look& look) {
  const auto columns =
      static_cast<int>(each.width * static_cast<double>(std::max<std::size_t>(frame.fields.size(), 1)));
  surface_owner whole(cairo_image_surface_create(CAIRO_FORMAT_RGB24, columns, static_cast<int>(each.height)),
                      cairo_surface_destroy);
  for (std::size_t k = 0; k < frame.fields.size(); ++k) {
    const surface_owner part(cairo_surface_create_for_rectangle(whole.get(), each.width * static_cast<double>(k), 0,
                                                                each.width, each.height),
                             cairo_surface_destroy);
    workbook::drawing canvas(part.get());
    const workbook::plot_view everything;
    workbook::plot_reader data;
    workbook::paint({canvas, each, look, everything, data}, *frame.fields[k]);
  }
  cairo_surface_flush(whole.get());
  return whole;
}

std::span<const std::uint32_t> pixels_of(cairo_surface_t* image) {
  const auto pixels = static_cast<std::size_t>(cairo_image_surface_get_width(image)) *
                      static_cast<std::size_t>(cairo_image_surface_get_height(image));
  return {reinterpret_cast<const std::uint32_t*>(cairo_image_surface_get_data(image)), pixels};
}

void write_picture(cairo_surface_t* image, const fs::path& file) {
  const cairo_status_t status = cairo_surface_write_to_png(image, file.c_str());
  if (status != CAIRO_STATUS_SUCCESS)
    throw gs::error(fmt::format("writing the picture {}", file.string()), cairo_status_to_string(status),
                    "check that the folder can be written to and the disk has room");
}

}  // namespace

fs::path numbered_picture(const fs::path& file, std::size_t n) {
  return file.parent_path() / fmt::format("{}-{:04}{}", file.stem().string(), n, file.extension().string());
}

struct simulation_recording::writer {
  writer(target t, std::function<void()> w) : where(std::move(t)), wake(std::move(w)) {}

  const target where;
  const std::function<void()> wake;

  mutable std::mutex mutex;  // of what follows
  std::condition_variable asked;
  std::deque<std::shared_ptr<const simulation_frame>> waiting;
  bool finishes = false, quits = false;
  progress so_far;

  // The thread's own.
  std::optional<gif_file> animation;
  workbook::picture_size each;
  std::thread thread;

  void live();
  void write(const simulation_frame& frame, std::size_t number);
};

// The first frame decides how large the pictures are, and which colours an animation has.
void simulation_recording::writer::write(const simulation_frame& frame, std::size_t number) {
  if (number == 1) each = size_of_field(frame);
  const surface_owner image = drawn(frame, each, where.look);
  if (where.file.extension() != ".gif") return write_picture(image.get(), numbered_picture(where.file, number));
  if (!animation)
    animation.emplace(where.file, cairo_image_surface_get_width(image.get()),
                      cairo_image_surface_get_height(image.get()), palette_of(frame, where.look), where.seconds);
  animation->add(pixels_of(image.get()));
}

void simulation_recording::writer::live() {
  std::unique_lock lock(mutex);
  std::string problem;
  while (problem.empty()) {
    asked.wait(lock, [this] { return quits || finishes || !waiting.empty(); });
    if (quits || waiting.empty()) break;
    const auto frame = waiting.front();
    const std::size_t number = so_far.frames + 1;
    lock.unlock();
    try {
      write(*frame, number);
    } catch (const std::exception& e) {
      problem = e.what();
    }
    lock.lock();
    waiting.pop_front();
    if (problem.empty()) so_far.frames = number;
    lock.unlock();
    wake();
    lock.lock();
  }
  lock.unlock();
  try {
    if (animation) animation->close();
  } catch (const std::exception& e) {
    if (problem.empty()) problem = e.what();
  }
  lock.lock();
  so_far.problem = problem;
  so_far.ended = true;
  lock.unlock();
  wake();
}

simulation_recording::simulation_recording(target where, std::function<void()> wake)
    : writer_(std::make_unique<writer>(std::move(where), std::move(wake))) {
  writer_->thread = std::thread([w = writer_.get()] { w->live(); });
}

simulation_recording::~simulation_recording() {
  {
    const std::lock_guard lock(writer_->mutex);
    writer_->quits = true;
    writer_->asked.notify_all();
  }
  writer_->thread.join();
}

bool simulation_recording::has_room() const {
  const std::lock_guard lock(writer_->mutex);
  return writer_->waiting.size() < most_waiting || writer_->so_far.ended;
}

void simulation_recording::add(std::shared_ptr<const simulation_frame> frame) {
  const std::lock_guard lock(writer_->mutex);
  if (writer_->finishes || writer_->so_far.ended) return;
  writer_->waiting.push_back(std::move(frame));
  writer_->asked.notify_all();
}

void simulation_recording::finish() {
  const std::lock_guard lock(writer_->mutex);
  writer_->finishes = true;
  writer_->asked.notify_all();
}

simulation_recording::progress simulation_recording::state() const {
  const std::lock_guard lock(writer_->mutex);
  return writer_->so_far;
}

const fs::path& simulation_recording::file() const { return writer_->where.file; }

}  // namespace viewer
