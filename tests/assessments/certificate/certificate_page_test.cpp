// The page: files that are what they claim, and the same for everybody.

#include "assessments/grader/certificate/certificate_page.h"

#include <gtest/gtest.h>

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
  return grader::sign(grader::certify(name, assessments_test::passed_verdicts(), assessments_test::sample_course()),
                      key);
}

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
