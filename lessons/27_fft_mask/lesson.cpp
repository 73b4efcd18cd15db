// Lesson 27: library and kernel in one pipeline. A picture under stripes is transformed, masked and transformed back,
// and doesn't leave the device in between.

#include <algorithm>
#include <cmath>
#include <complex>
#include <cstddef>
#include <cstdint>
#include <numbers>
#include <string>
#include <utility>
#include <vector>

#include "runtime/gs.h"
#include "workbook/lesson.h"

using complex = std::complex<float>;
using image = gs::device_array<float>;
using spectrum = gs::device_array<complex>;

// A wave of the plane, by its periods down and across. Waves that differ by whole extents are the same on the pixels.
struct wave {
  std::size_t down, across;
};

// The distance between two numbers of periods, on a ring of n.
GS_FN std::size_t apart(std::size_t a, std::size_t b, std::size_t n) {
  const std::size_t there = (a + n - b) % n;
  return there < n - there ? there : n - there;
}

// Whether a wave is masked: it is within `reach` of `stripes` or of its mirror image, since a real picture holds both.
GS_FN bool is_masked(wave w, wave stripes, std::size_t reach, std::size_t rows, std::size_t columns) {
  const bool itself = apart(w.down, stripes.down, rows) <= reach && apart(w.across, stripes.across, columns) <= reach;
  const bool mirrored =
      apart(w.down, rows - stripes.down, rows) <= reach && apart(w.across, columns - stripes.across, columns) <= reach;
  return itself || mirrored;
}

// Runs between the two calls of the library. The spectrum of a picture with `columns` columns has columns / 2 + 1; the
// rest would be redundant.
GS_FN void mask(gs::thread t, wave stripes, std::size_t reach, std::size_t columns, gs::view<complex, 2> s) {
  const std::size_t rows = s.extent(0);
  for (auto down : t.grid_stride_y(rows))
    for (auto across : t.grid_stride(s.extent(1)))
      if (is_masked({down, across}, stripes, reach, rows, columns)) s(down, across) = complex();
}

// All three are queued one after the other, and nothing waits.
image without_stripes(const image& frame, wave stripes, std::size_t reach) {
  const spectrum s = gs::rfft2(frame);
  gs::launch<mask>({.grid = {4, 32}, .block = {32, 8}}, stripes, reach, frame.extent(1), s);
  return gs::irfft2(s, frame.extent(1));
}

// The same without a kernel: the spectrum makes a detour by way of the host.
image by_the_host(const image& frame, wave stripes, std::size_t reach) {
  spectrum s = gs::rfft2(frame);
  std::vector<complex> values = s.copy_to_host();
  for (std::size_t i = 0; i < values.size(); ++i) {
    const wave w{i / s.extent(1), i % s.extent(1)};
    if (is_masked(w, stripes, reach, frame.extent(0), frame.extent(1))) values[i] = 0;
  }
  s.copy_from_host(values);
  return gs::irfft2(s, frame.extent(1));
}

// --- the scene, and the stripes that cover it ------------------------------------------------------------------------

struct pictures {
  std::size_t rows, columns;
  std::vector<float> scene, frame;  // without stripes and with them
};

// Three hills and a ring on a slope, of heights of about 1. The frame's height is 1, its width 16 / 9.
double scene_at(double y, double x) {
  const auto hill = [&](double at_y, double at_x, double width) {
    return std::exp(-((y - at_y) * (y - at_y) + (x - at_x) * (x - at_x)) / (2 * width * width));
  };
  const double ring = std::abs(std::hypot(y - 0.55, x - 1.15) - 0.25) < 0.04 ? 0.8 : 0;
  return 0.2 * x + hill(0.3, 0.45, 0.1) + 0.7 * hill(0.7, 0.7, 0.15) + 0.5 * hill(0.55, 1.15, 0.07) + ring;
}

pictures make_pictures(std::size_t rows, double down, double across, double strength) {
  const std::size_t columns = std::max<std::size_t>(1, rows * 16 / 9);
  pictures p{rows, columns, std::vector<float>(rows * columns), std::vector<float>(rows * columns)};
  for (std::size_t i = 0; i < p.scene.size(); ++i) {
    const double y = static_cast<double>(i / columns) / static_cast<double>(rows);
    const double x = static_cast<double>(i % columns) / static_cast<double>(columns);
    const double value = scene_at(y, x * 16 / 9);
    p.scene[i] = static_cast<float>(value);
    p.frame[i] = static_cast<float>(value + strength * std::cos(2 * std::numbers::pi * (down * y + across * x)));
  }
  return p;
}

image on_device(const std::vector<float>& values, const pictures& p) {
  return gs::to_device(values).reshape({static_cast<std::ptrdiff_t>(p.rows), static_cast<std::ptrdiff_t>(p.columns)});
}

workbook::heat_map picture(std::string title, const pictures& p, const std::vector<float>& values) {
  return {.title = std::move(title),
          .rows = p.rows,
          .columns = p.columns,
          .values = values,
          .colours = workbook::colour_map::grey};
}

// --- against float64 -------------------------------------------------------------------------------------------------

double root_mean_square(const std::vector<float>& a, const std::vector<double>& b) {
  double sum = 0;
  for (std::size_t i = 0; i < a.size(); ++i)
    sum += (static_cast<double>(a[i]) - b[i]) * (static_cast<double>(a[i]) - b[i]);
  return std::sqrt(sum / static_cast<double>(a.size()));
}
std::vector<double> in_float64(const std::vector<float>& a) { return {a.begin(), a.end()}; }

// The frame without the masked waves by the definition of the transform: each is measured and subtracted. No FFT.
std::vector<double> by_definition(const pictures& p, wave stripes, std::size_t reach, std::size_t& waves) {
  const auto turns = [](std::size_t n) {
    std::vector<std::complex<double>> turn(n);
    for (std::size_t i = 0; i < n; ++i)
      turn[i] = std::polar(1.0, -2 * std::numbers::pi * static_cast<double>(i) / static_cast<double>(n));
    return turn;
  };
  const auto turn_down = turns(p.rows), turn_across = turns(p.columns);
  std::vector<double> rest = in_float64(p.frame);
  const auto each_pixel = [&](wave w, const auto& body) {
    for (std::size_t y = 0; y < p.rows; ++y) {
      const std::complex<double> row = turn_down[y * w.down % p.rows];
      for (std::size_t x = 0; x < p.columns; ++x) body(y * p.columns + x, row * turn_across[x * w.across % p.columns]);
    }
  };
  waves = 0;
  for (std::size_t down = 0; down < p.rows; ++down)
    for (std::size_t across = 0; across < p.columns; ++across) {
      if (!is_masked({down, across}, stripes, reach, p.rows, p.columns)) continue;
      ++waves;
      std::complex<double> part = 0;
      each_pixel({down, across}, [&](std::size_t i, auto turn) { part += static_cast<double>(p.frame[i]) * turn; });
      part /= static_cast<double>(p.frame.size());
      each_pixel({down, across}, [&](std::size_t i, auto turn) { rest[i] -= (part * std::conj(turn)).real(); });
    }
  return rest;
}

// --- what the lesson shows -------------------------------------------------------------------------------------------

void stripes_and_mask(const pictures& p, wave stripes, std::size_t reach, workbook::report& report) {
  report.heading("A picture under stripes");
  const image frame = on_device(p.frame, p);
  const std::vector<float> there_and_back = gs::irfft2(gs::rfft2(frame), p.columns).copy_to_host();
  const std::vector<float> result = without_stripes(frame, stripes, reach).copy_to_host();
  std::size_t waves = 0;
  const std::vector<double> expected = by_definition(p, stripes, reach, waves);
  const double strength = root_mean_square(p.frame, in_float64(p.scene));
  const double scale = strength + 1;
  report.check_at_most("there and back without a mask: error", root_mean_square(there_and_back, in_float64(p.frame)),
                       1e-6 * scale);
  report.check_at_most("masked, against float64 without an FFT: error", root_mean_square(result, expected),
                       1e-6 * scale);

  auto& table = report.table("How far from the scene", {"picture", {"waves", ""}, {"root mean square", ""}});
  table.row("the frame", p.rows * p.columns, strength);
  table.row("the frame without the masked waves", p.rows * p.columns - waves,
            root_mean_square(result, in_float64(p.scene)));

  report.plot(picture("The frame", p, p.frame));
  const spectrum s = gs::rfft2(frame);
  const std::vector<complex> values = s.copy_to_host();
  const std::size_t height = std::min<std::size_t>(100, s.extent(0)), width = std::min<std::size_t>(160, s.extent(1));
  std::vector<float> magnitudes;
  for (std::size_t i = 0; i < height * width; ++i)
    magnitudes.push_back(std::log10(std::abs(values[i / width * s.extent(1) + i % width]) + 1e-3f));
  report.plot(workbook::heat_map{.title = "A corner of its spectrum",
                                 .x = {.label = "periods across"},
                                 .y = {.label = "periods down"},
                                 .value = {.label = "log10 of the magnitude"},
                                 .rows = height,
                                 .columns = width,
                                 .values = magnitudes,
                                 .colours = workbook::colour_map::inferno});
  report.plot(picture("Without the masked waves", p, result));
}

void two_pipelines(const pictures& p, wave stripes, std::size_t reach, workbook::report& report) {
  report.heading("Where the mask is applied");
  auto& table = report.table("", {"mask", {"copies", "each way"}, {"copied", "B"}, "time"});
  std::vector<std::vector<float>> results;
  const auto row = [&](const std::string& name, auto pipeline) {
    std::vector<float> result(p.frame.size());
    const auto call = [&] { pipeline(on_device(p.frame, p), stripes, reach).copy_to_host(result); };
    const gs::ledger_scope scope;
    call();
    const gs::ledger account = scope.account();
    results.push_back(result);
    const gs::timing time = gs::timeit(call, {.runs = 5, .min_run_seconds = 0.05, .max_seconds = 2});
    table.row(name, account.copies_to_device,
              workbook::bytes(static_cast<double>(account.bytes_to_device + account.bytes_to_host)),
              workbook::seconds(time.best()));
    report.account("mask " + name, account);
    return account;
  };
  const gs::ledger on_device_account = row("on the device", without_stripes);
  row("on the host", by_the_host);
  report.check("both pipelines make the same picture", results[0] == results[1]);
  report.check_equal("copies of the first: the frame in", on_device_account.copies_to_device, 1);
  report.check_equal("copies of the first: the picture out", on_device_account.copies_to_host, 1);
}

void run(const workbook::parameters& given, workbook::report& report) {
  const double down = given.real("down"), across = given.real("across");
  const pictures p = make_pictures(given.size(), down, across, given.real("strength"));
  const auto nearest = [](double periods, std::size_t n) { return static_cast<std::size_t>(std::lround(periods)) % n; };
  const wave stripes{nearest(down, p.rows), nearest(across, p.columns)};
  stripes_and_mask(p, stripes, given.size("reach"), report);
  two_pipelines(p, stripes, given.size("reach"), report);
}

workbook::lesson workbook::this_lesson() {
  const auto periods = [](const char* name, const char* text, double usual) {
    return workbook::real{.name = name, .text = text, .min = 0, .max = 500, .default_value = usual};
  };
  return {.number = 27,
          .name = "fft_mask",
          .title = "Library and kernel in one pipeline",
          .summary = "A picture under stripes: a Fourier transform, a mask and the way back, all on the device.",
          .parameters = {workbook::integer{.name = "size",
                                           .text = "rows of the frame; its columns are 16 / 9 of them",
                                           .min = 1,
                                           .max = 4320,
                                           .default_value = 720,
                                           .inspected = 72},
                         periods("down", "periods of the stripes from top to bottom", 45),
                         periods("across", "periods of the stripes from left to right", 80),
                         workbook::real{.name = "strength",
                                        .text = "of the stripes; the scene's heights are about 1",
                                        .min = 0,
                                        .max = 100,
                                        .default_value = 3},
                         workbook::integer{.name = "reach",
                                           .text = "waves masked on each side of the stripes' own",
                                           .min = 0,
                                           .max = 5,
                                           .default_value = 0}},
          .run = run};
}
