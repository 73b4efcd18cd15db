// The page: files that are what they claim, and the same for everybody.

#include "assessments/grader/certificate/certificate_page.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <string>
#include <string_view>
#include <tuple>
#include <vector>

#include "assessments/grader/certificate/name_font.h"
#include "tests/assessments/verdict/passed_verdicts.h"
#include "tests/runtime/refused.h"
#include "tests/temporary_folder.h"
#include "workshop/file_text.h"

namespace certificate_page_test {

using gridstride_test::temporary_folder;
using runtime_test::refused;

grader::signed_certificate of(const std::string& name) {
  static const grader::signing_key key = grader::signing_key::make(grader::key_kind::local);
  return grader::sign(grader::certify(name, assessments_test::passed_verdicts(), assessments_test::sample_course(),
                                      assessments_test::sample_parts()),
                      key);
}

// Records the texts instead of drawing them. Letters are half as wide as they are high.
class recording_canvas final : public workbook::canvas {
 public:
  struct written {
    workbook::position at;
    std::string text;
    double width = 0;
  };
  std::vector<written> texts;
  std::vector<workbook::box> boxes;

  void fill(const workbook::box& b, workbook::colour) override { boxes.push_back(b); }
  void stroke(const std::vector<workbook::position>&, workbook::colour, double, bool) override {}
  void marker(workbook::position, double, std::size_t, workbook::colour) override {}
  void image(const workbook::box&, const std::vector<std::uint32_t>&, int, int) override {}
  void text(workbook::position at, std::string_view text, workbook::font f, workbook::colour,
            workbook::aligned) override {
    texts.push_back({at, std::string(text), width_of(text, f)});
  }
  void text_on_data(workbook::position, std::string_view, workbook::font, workbook::colour, workbook::colour,
                    workbook::aligned) override {}
  double width_of(std::string_view text, workbook::font f) override {
    return 0.5 * f.size * static_cast<double>(text.size());
  }
  std::shared_ptr<void> clip(const workbook::box&) override { return {}; }

  std::vector<workbook::position> places_of(std::string_view text) const {
    std::vector<workbook::position> places;
    for (const written& w : texts)
      if (w.text == text) places.push_back(w.at);
    return places;
  }
};

std::string page(const std::string& name, const std::string& file) {
  temporary_folder folder;
  grader::write_page(of(name), folder / file);
  return workshop::read_text(folder / file, "reading it", 32 << 20);
}

TEST(certificate_page, is_svg_pdf_or_png) {
  EXPECT_EQ(page("Ada", "a.svg").find("<?xml"), 0u);
  EXPECT_NE(page("Ada", "a.svg").find("</svg>"), std::string::npos);
  EXPECT_EQ(page("Ada", "a.pdf").substr(0, 5), "%PDF-");
  EXPECT_NE(page("Ada", "a.pdf").find("%%EOF"), std::string::npos);
  EXPECT_EQ(page("Ada", "a.png").substr(1, 3), "PNG");
}

TEST(certificate_page, needs_no_font_where_it_is_shown) {
  const std::string svg = page("Ada", "a.svg");
  EXPECT_EQ(svg.find("<text"), std::string::npos);
  EXPECT_EQ(svg.find("href=\"http"), std::string::npos);
}

TEST(certificate_page, shows_the_name_and_the_signature) {
  const grader::signed_certificate ada = of("Ada");
  temporary_folder folder;
  const auto drawn = [&](const grader::signed_certificate& c) {
    grader::write_page(c, folder / "a.png");
    return workshop::read_text(folder / "a.png", "reading it", 32 << 20);
  };
  const std::string page = drawn(ada);
  EXPECT_EQ(drawn(ada), page);
  grader::signed_certificate altered = ada;
  altered.content.name = "Eve";
  EXPECT_NE(drawn(altered), page);
  altered = ada;
  altered.signature.replace(0, 2, altered.signature.starts_with("00") ? "11" : "00");
  EXPECT_NE(drawn(altered), page);
  altered = ada;
  altered.content.tasks[1].points -= 20;
  EXPECT_NE(drawn(altered), page);
}

TEST(certificate_page, names_each_part_once_above_its_tasks) {
  grader::signed_certificate ada = of("Ada");
  recording_canvas canvas;
  grader::paint_page(canvas, ada);
  const auto place_of = [&](std::string_view text) {
    const auto places = canvas.places_of(text);
    EXPECT_EQ(places.size(), 1u) << text;
    return places.empty() ? workbook::position{} : places.front();
  };
  for (const auto& [number, title, task] :
       {std::tuple{"Part 1", "Universal functions", "A1"}, {"Part 2", "Kernels", "A2"}}) {
    const workbook::position above = place_of(title), card = place_of(task);
    EXPECT_EQ(place_of(number).x, above.x);
    EXPECT_LT(place_of(number).y, above.y);
    EXPECT_LT(above.y, card.y);
    EXPECT_LT(std::abs(above.x - card.x), 20) << title;
  }
  // The line below the title is as wide as the cards of A2 and A3 together.
  const double left = place_of("Kernels").x, from_card_to_card = place_of("A3").x - place_of("A2").x;
  EXPECT_TRUE(std::ranges::any_of(canvas.boxes, [&](const workbook::box& b) {
    return b.left == left && b.height < 1 && b.width > 1.5 * from_card_to_card;
  }));

  for (grader::certified_task& t : ada.content.tasks) t.part.reset();
  recording_canvas without_parts;
  grader::paint_page(without_parts, ada);
  EXPECT_EQ(without_parts.texts.size() + 4, canvas.texts.size());
  EXPECT_TRUE(without_parts.places_of("Part 1").empty());
}

TEST(certificate_page, shortens_a_part_whose_title_is_wider_than_its_cards) {
  grader::signed_certificate ada = of("Ada");
  ada.content.tasks[0].part = {.number = 1, .title = std::string(200, 'W')};
  recording_canvas canvas;
  grader::paint_page(canvas, ada);
  EXPECT_TRUE(std::ranges::any_of(canvas.texts, [](const auto& w) {
    return w.text.starts_with("WWW") && w.text.ends_with("…") && w.text.size() < 100;
  }));
}

// Five cards are narrow: nothing in them is wider than they are, and titles end above the ring.
TEST(certificate_page, of_five_tasks_keeps_texts_in_their_cards) {
  grader::signed_certificate ada = of("Ada");
  ada.content.tasks = {5, ada.content.tasks.front()};
  for (grader::certified_task& t : ada.content.tasks) {
    t.task_title = "Every body reads every other, and memory hardly notices that it does";
    t.isolation = "not isolated";
  }
  recording_canvas canvas;
  grader::paint_page(canvas, ada);
  const auto ids = canvas.places_of("A1"), isolation = canvas.places_of("isolated");
  ASSERT_EQ(ids.size(), 5u);
  EXPECT_EQ(isolation.size(), 5u);
  const double pitch = ids[1].x - ids[0].x, card = pitch - 14 - 28;
  std::size_t texts = 0;
  for (const auto& [at, text, width] : canvas.texts) {
    if (at.y < ids[0].y - 14 || at.y > ids[0].y + 70 || at.x < ids[0].x || at.x > ids[1].x - 1) continue;
    ++texts;
    EXPECT_LE(at.x + width, ids[0].x + card + 2) << text;
  }
  EXPECT_EQ(texts, 9u) << "its id, three lines of its title, 93.8, and of 100, points, not, isolated";
}

TEST(certificate_page, bears_long_texts_and_other_scripts) {
  for (const std::string& name : {std::string(80, 'W'), std::string("Ł. Ørsted"), std::string("Ελένη")}) {
    temporary_folder folder;
    EXPECT_EQ(grader::write_page(of(name), folder / "a.pdf"), "") << name;
  }
}

TEST(certificate_page, tells_the_letters_that_no_font_has) {
  temporary_folder folder;
  EXPECT_EQ(grader::write_page(of("Ada \U0010FFFD"), folder / "a.svg"), "\U0010FFFD");  // for private use
}

TEST(name_font, is_the_preferred_one_if_that_has_the_letters) {
  const grader::name_font ada = grader::font_for("Ada Lovelace", "DejaVu Sans Mono");
  EXPECT_EQ(ada.missing, "");
  if (ada.family != "DejaVu Sans Mono") GTEST_SKIP() << "DejaVu Sans Mono is not installed";
  EXPECT_EQ(grader::font_for("Ada ☃", "DejaVu Sans Mono").missing, "");
}

TEST(certificate_page, says_what_it_can_not_write) {
  EXPECT_TRUE(refused([] { grader::write_page(of("Ada"), "a.gif"); },
                      {"writing the page a.gif: '.gif' is not a kind of page; end its name in .svg, .pdf or .png"}));
  EXPECT_TRUE(refused([] { grader::write_page(of("Ada"), "/proc/none/a.svg"); },
                      {"writing the page /proc/none/a.svg: ", "check that its folder can be written to"}));
}

}  // namespace certificate_page_test
