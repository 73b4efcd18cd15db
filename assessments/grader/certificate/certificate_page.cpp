#include "assessments/grader/certificate/certificate_page.h"

#include <cairo-pdf.h>
#include <cairo-svg.h>
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <memory>
#include <numbers>
#include <set>
#include <string_view>
#include <vector>

#include "assessments/grader/certificate/name_font.h"
#include "workbook/number_text.h"
#include "workbook/picture/drawing.h"
#include "workshop/file_text.h"

namespace grader {

using workshop::write_text;
namespace {

using namespace workbook;

constexpr double page_width = 842, page_height = 595;  // A4 in points
constexpr double left = 64, right = page_width - left, middle = page_width / 2;
constexpr colour navy{0x14, 0x2b, 0x4d}, blue{0x00, 0x72, 0xb2}, gold{0xa8, 0x83, 0x2f}, grey{0x5b, 0x64, 0x70},
    light{0xe3, 0xe8, 0xee}, pale{0xf6, 0xf8, 0xfa}, red{0xb4, 0x3c, 0x00};
constexpr const char *display = "Inter Display", *mono = "JetBrains Mono";

// A band of cells around the page: four threads stride over it, each in its colour.
void paint_band(canvas& d) {
  constexpr int columns = 90, rows = 62;
  constexpr double pitch = 9, cell = 6.4;
  constexpr double x0 = (page_width - columns * pitch) / 2, y0 = (page_height - rows * pitch) / 2;
  constexpr std::array<colour, 4> threads{navy, blue, colour{0x8f, 0xbc, 0xdc}, colour{0xd9, 0xc3, 0x8a}};
  std::size_t i = 0;
  const auto paint_cell = [&](int column, int row) {
    const double inset = (pitch - cell) / 2;
    d.fill({x0 + column * pitch + inset, y0 + row * pitch + inset, cell, cell}, threads[i++ % threads.size()]);
  };
  for (int c = 0; c < columns; ++c) paint_cell(c, 0);
  for (int r = 1; r < rows; ++r) paint_cell(columns - 1, r);
  for (int c = columns - 2; c >= 0; --c) paint_cell(c, rows - 1);
  for (int r = rows - 2; r > 0; --r) paint_cell(0, r);
  const box inner{x0 + 2 * pitch, y0 + 2 * pitch, (columns - 4) * pitch, (rows - 4) * pitch};
  d.stroke({{inner.left, inner.top},
            {inner.right(), inner.top},
            {inner.right(), inner.bottom()},
            {inner.left, inner.bottom()},
            {inner.left, inner.top - 0.4}},
           gold, 0.8);
}

// Waves around a circle: the same curve several times, each turned a little further, between two radii.
struct ring {
  double inside, outside;  // shares of the radius
  int petals, curves;
  double turn;
  colour ink;
};

void paint_ring(canvas& d, position centre, double radius, const ring& r) {
  const double mean = (r.inside + r.outside) / 2, swing = (r.outside - r.inside) / 2;
  const int steps = 24 * r.petals;
  for (int curve = 0; curve < r.curves; ++curve) {
    std::vector<position> line;
    for (int k = 0; k <= steps; ++k) {
      const double angle = 2 * std::numbers::pi * k / steps;
      const double phase = r.petals * angle + 2 * std::numbers::pi * (r.turn + static_cast<double>(curve) / r.curves);
      const double at = radius * (mean + swing * std::sin(phase));
      line.push_back({centre.x + at * std::cos(angle), centre.y + at * std::sin(angle)});
    }
    d.stroke(line, r.ink, 0.35);
  }
}

// An ornament as on bank notes: another signature, another rosette. `signature` is hexadecimal digits, at least 16; the
// petals of its rings, their depth and their turn come from them.
void paint_rosette(canvas& d, position centre, double radius, std::string_view signature) {
  const auto digit = [&](std::size_t k) {  // 0 to 15
    const char c = signature[k];
    return c <= '9' ? c - '0' : c - 'a' + 10;
  };
  const auto share = [&](std::size_t k) { return (16 * digit(k) + digit(k + 1)) / 256.0; };
  paint_ring(d, centre, radius, {0.80, 1.00, 16 + digit(0), 3, share(1), gold});
  paint_ring(d, centre, radius, {0.46 + 0.1 * share(3), 0.86, 6 + digit(5) / 2, 5, share(6), blue});
  paint_ring(d, centre, radius, {0.12 + 0.1 * share(8), 0.60, 4 + digit(10) / 3, 5, share(11), navy});
}

// Capitals with room between them.
void paint_spaced(canvas& d, position centre, std::string_view letters, font f, colour c, double space) {
  double width = -space;
  for (const char& letter : letters) width += d.width_of({&letter, 1}, f) + space;
  double x = centre.x - width / 2;
  for (const char& letter : letters) {
    d.text({x, centre.y}, {&letter, 1}, f, c);
    x += d.width_of({&letter, 1}, f) + space;
  }
}

// Lines of at most this width, broken at spaces; the last of `lines` is shortened. Returns the baseline below the last.
double paint_wrapped(canvas& d, position at, std::string_view text, font f, colour c, double width, double pitch,
                     std::size_t lines = 99) {
  std::string line;
  while (!text.empty()) {
    const std::size_t end = std::min(text.find(' '), text.size());
    const std::string longer = line + (line.empty() ? "" : " ") + std::string(text.substr(0, end));
    text.remove_prefix(std::min(end + 1, text.size()));
    if (!line.empty() && d.width_of(longer, f) > width) {
      if (--lines == 0) {
        line = d.fitted(longer + " " + std::string(text), f, width);
        break;
      }
      d.text(at, line, f, c);
      at.y += pitch;
      line = longer.substr(line.size() + 1);
    } else {
      line = longer;
    }
  }
  d.text(at, line, f, c);
  return at.y + pitch;
}

void paint_name(canvas& d, const std::string& name, const std::string& family) {
  font f{.size = 44, .bold = false, .family = family.c_str()};
  const double width = d.width_of(name, f), room = right - left - 40;
  if (width > room) f.size *= room / width;
  d.text({middle, 210}, name, f, navy, aligned::centre);
  d.stroke({{middle - 150, 227}, {middle + 150, 227}}, gold, 0.8);
  d.marker({middle, 227}, 3.2, 3, gold);
}

// A part of a circle, from the top, clockwise.
void paint_ring(canvas& d, position centre, double radius, double share) {
  const auto arc = [&](double part, colour c) {
    std::vector<position> line;
    const int steps = static_cast<int>(std::ceil(90 * part));
    for (int k = 0; k <= steps; ++k) {
      const double angle = 2 * std::numbers::pi * part * k / steps;
      line.push_back({centre.x + radius * std::sin(angle), centre.y - radius * std::cos(angle)});
    }
    d.stroke(line, c, 5);
  };
  arc(1, light);
  if (share > 0) arc(std::min(share, 1.0), blue);
}

bool worth_nothing(const criterion_result& c) { return c.possible <= 0; }

// Empty where the task shows a speed and gives no points for it.
std::string speed_text(const verdict& v) {
  const auto only_shown = [](const criterion_result& c) {
    return worth_nothing(c) && c.state == criterion_state::passed;
  };
  if (v.speed.empty() || std::ranges::any_of(v.criteria, only_shown)) return "";
  const speed_measurement& s = v.speed.back();
  return fmt::format("{}× as fast as the baseline{}", significant(s.ratio, 3), s.graded ? "" : ", not graded");
}

// In narrow rows the letters are smaller and the bar thinner.
void paint_criterion(canvas& d, const box& row, const criterion_result& c) {
  const double scale = std::min(1.0, row.height / 15);
  const font small{8.5 * std::max(scale, 0.85), false};
  const std::string got = fmt::format("{} of {}", significant(c.points, 3), significant(c.possible, 3));
  const double base = row.top + 9 * scale, got_width = d.width_of(got, small);
  d.text({row.left, base}, d.fitted(c.title, small, row.width - got_width - 10), small, ink);
  d.text({row.right(), base}, got, small, grey, aligned::right);
  const box bar{row.left, base + 3.6 * scale, row.width, scale < 1 ? 0.8 : 1.8};
  d.fill(bar, light);
  d.fill({bar.left, bar.top, bar.width * std::clamp(c.points / c.possible, 0.0, 1.0), bar.height}, blue);
}

// A long title takes two lines of smaller letters, or three.
void paint_title(canvas& d, position at, const std::string& title, double room) {
  constexpr font on_one_line{11.5, true}, on_two_lines{9.5, true}, on_three_lines{8, true};
  if (d.width_of(title, on_one_line) <= room)
    d.text(at, title, on_one_line, navy);
  else if (d.width_of(title, on_two_lines) <= 1.7 * room)
    paint_wrapped(d, {at.x, at.y - 4}, title, on_two_lines, navy, room, 11.5, 2);
  else
    paint_wrapped(d, {at.x, at.y - 8}, title, on_three_lines, navy, room, 9.5, 3);
}

// In a narrow card the lines are broken, and the speed is left out, which the document has.
void paint_beside_ring(canvas& d, position at, const verdict& v, double room) {
  constexpr font large{10.5, true}, small{8.5, false};
  const std::string of_points = fmt::format("of {} points", significant(v.possible, 3));
  const bool narrow = d.width_of(of_points, large) > room;
  double y = paint_wrapped(d, {at.x, at.y - 5}, of_points, large, ink, room + 2, 12, 2) + 2;
  if (!narrow) {
    d.text({at.x, y}, d.fitted(speed_text(v), small, room), small, grey);
    y += 12;
  }
  if (v.isolation == "not isolated")
    paint_wrapped(d, {at.x, y}, narrow ? "not isolated" : "graded without isolation", small, red, room, 9);
}

void paint_task(canvas& d, const box& card, const verdict& v) {
  d.fill(card, pale);
  d.fill({card.left, card.top, card.width, 2.4}, navy);
  const box in{card.left + 14, card.top, card.width - 28, card.height};
  constexpr font head{11.5, true};
  d.text({in.left, card.top + 22}, v.task_id, head, gold);
  const double id_width = d.width_of(v.task_id, head) + 7;
  paint_title(d, {in.left + id_width, card.top + 22}, v.task_title, in.width - id_width);

  const position centre{in.left + 27, card.top + 62};
  paint_ring(d, centre, 23.5, v.possible > 0 ? v.points / v.possible : 0);
  const std::string points = significant(v.points, 3);
  font number{19, true, display};
  if (points.size() > 3) number.size = 14.5;
  d.text({centre.x, centre.y + 0.34 * number.size}, points, number, navy, aligned::centre);
  paint_beside_ring(d, {centre.x + 38, centre.y}, v, in.right() - centre.x - 38);

  std::vector<criterion_result> shown = v.criteria;
  std::erase_if(shown, worth_nothing);
  const double rows = card.top + 94, bottom = card.bottom() - 17;
  const double pitch = std::min(19.0, (bottom - rows) / static_cast<double>(std::max<std::size_t>(shown.size(), 1)));
  for (std::size_t k = 0; k < shown.size(); ++k)
    paint_criterion(d, {in.left, rows + pitch * static_cast<double>(k), in.width, pitch}, shown[k]);
  constexpr font hash{6.8, false, mono};
  d.text({in.left, card.bottom() - 7}, d.fitted("sha256 " + v.sha256, hash, in.width), hash, grey);
}

// The number and the title of a part above the cards of its tasks, and a line as wide as these.
void paint_part(canvas& d, const box& above, const workbook::part_of_course& part) {
  constexpr font number{8, true}, title{8.5, false};
  if (part.number > 0) d.text({above.left, above.top + 9}, "Part " + std::to_string(part.number), number, gold);
  d.text({above.left, above.top + 20}, d.fitted(part.title, title, above.width), title, ink);
  d.fill({above.left, above.bottom() - 1, above.width, 0.8}, gold);
}

void paint_tasks(canvas& d, const std::vector<certified_task>& tasks) {
  constexpr double gap = 14, label = 28, top = 286, height = 176;
  const auto count = static_cast<double>(tasks.size());
  const double width = std::min(240.0, (right - left - gap * (count - 1)) / count), pitch = width + gap;
  double x = middle - (pitch * count - gap) / 2;
  for (std::size_t k = 0, end = 0; k < tasks.size(); ++k, x += pitch) {
    if (k == end) {
      end = end_of_part(tasks, k);
      const double cards = static_cast<double>(end - k);
      if (tasks[k].part) paint_part(d, {x, top - label, pitch * cards - gap, label - 4}, *tasks[k].part);
    }
    paint_task(d, {x, top, width, height}, tasks[k]);
  }
}

// The value that the tasks have in common, else all their values; without what is in brackets.
std::string together(const std::vector<certified_task>& tasks, std::string verdict::* member) {
  std::set<std::string> values;
  for (const verdict& v : tasks) values.insert((v.*member).substr(0, (v.*member).find(" (")));
  values.erase("");
  return fmt::format("{}", fmt::join(values, "; "));
}

void paint_foot(canvas& d, const signed_certificate& c) {
  constexpr font label{8, true}, value{8.5, false}, small{7.4, false}, digits{8, false, mono};
  constexpr double top = 484, pitch = 15, column = 268;
  double y = top;
  for (const auto& [name, text] : {std::pair<const char*, std::string>{"Date", c.content.date},
                                   {"Machine", together(c.content.tasks, &verdict::machine)},
                                   {"Device", together(c.content.tasks, &verdict::device)},
                                   {"Isolation", together(c.content.tasks, &verdict::isolation)},
                                   {"Version", "Gridstride " + c.content.version}}) {
    d.text({left, y}, name, label, gold);
    d.text({left + 50, y}, d.fitted(text, value, column - 50), value, ink);
    y += pitch;
  }
  paint_rosette(d, {middle, 512}, 38, c.signature);

  const double x = right - column;
  d.text({x, top}, c.kind == key_kind::local ? "Signed with a local key" : "Signed with an instructor's key", label,
         gold);
  d.text({x, top + 14}, fingerprint(c.key), digits, ink);
  y = paint_wrapped(d, {x, top + 28}, meaning_of(c.kind), small, grey, column, 10);
  d.text({x, y + 3}, d.fitted("Signature " + c.signature, font{6.4, false, mono}, column), font{6.4, false, mono},
         grey);
}

std::string in_words(std::size_t count) {
  constexpr std::array words{"no", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine"};
  return count < words.size() ? words[count] : std::to_string(count);
}

}  // namespace

std::string paint_page(canvas& d, const signed_certificate& c) {
  d.fill({0, 0, page_width, page_height}, white);
  paint_band(d);
  paint_spaced(d, {middle, 76}, "GRIDSTRIDE", {11, true}, gold, 6);
  d.text({middle, 124}, "Certificate", {46, true, display}, navy, aligned::centre);
  d.text({middle, 147}, "of parallel computing in modern C++", {13.5, false}, grey, aligned::centre);
  const name_font name = font_for(c.content.name, display);
  paint_name(d, c.content.name, name.family);
  d.text({middle, 249}, fmt::format("has passed the {} assessments of the course", in_words(c.content.tasks.size())),
         {12, false}, ink, aligned::centre);
  paint_tasks(d, c.content.tasks);
  paint_foot(d, c);
  return name.missing;
}

namespace {

using surface_owner = std::unique_ptr<cairo_surface_t, decltype(&cairo_surface_destroy)>;

// Cairo hands over the file's bytes; they are written in one step when the page is done.
cairo_status_t collect(void* bytes, const unsigned char* data, unsigned length) {
  static_cast<std::string*>(bytes)->append(reinterpret_cast<const char*>(data), length);
  return CAIRO_STATUS_SUCCESS;
}

surface_owner surface_for(const std::string& ending, std::string& bytes, const certificate& c) {
  constexpr double png_scale = 2;
  if (ending == ".svg")
    return {cairo_svg_surface_create_for_stream(collect, &bytes, page_width, page_height), cairo_surface_destroy};
  if (ending == ".pdf") {
    cairo_surface_t* pdf = cairo_pdf_surface_create_for_stream(collect, &bytes, page_width, page_height);
    cairo_pdf_surface_set_metadata(pdf, CAIRO_PDF_METADATA_TITLE, ("Gridstride certificate of " + c.name).c_str());
    cairo_pdf_surface_set_metadata(pdf, CAIRO_PDF_METADATA_CREATE_DATE, (c.date + "T00:00:00Z").c_str());
    return {pdf, cairo_surface_destroy};
  }
  cairo_surface_t* png = cairo_image_surface_create(CAIRO_FORMAT_RGB24, static_cast<int>(png_scale * page_width),
                                                    static_cast<int>(png_scale * page_height));
  cairo_surface_set_device_scale(png, png_scale, png_scale);
  return {png, cairo_surface_destroy};
}

}  // namespace

std::string write_page(const signed_certificate& c, const std::filesystem::path& file) {
  const std::string ending = file.extension(), asked = fmt::format("writing the page {}", file.string());
  if (ending != ".svg" && ending != ".pdf" && ending != ".png")
    throw gs::error(asked, fmt::format("'{}' is not a kind of page", ending), "end its name in .svg, .pdf or .png");
  std::string bytes, missing;
  const surface_owner surface = surface_for(ending, bytes, c.content);
  {
    drawing d(surface.get());
    missing = paint_page(d, c);
  }
  if (ending == ".png") cairo_surface_write_to_png_stream(surface.get(), collect, &bytes);
  cairo_surface_finish(surface.get());
  if (const cairo_status_t status = cairo_surface_status(surface.get()); status != CAIRO_STATUS_SUCCESS)
    throw gs::error(asked, cairo_status_to_string(status), "close other programs, if memory is short");
  write_text(file, bytes, asked);
  return missing;
}

}  // namespace grader
