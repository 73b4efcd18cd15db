// Parameters of a lesson: declaring, typing, reading.

#include "workbook/parameters.h"

#include <gtest/gtest.h>

#include <string>
#include <utility>
#include <vector>

#include "runtime/core/error.h"

namespace {

using workbook::choice;
using workbook::integer;
using workbook::parameters;
using workbook::real;

const integer size{.name = "size", .text = "elements", .min = 1, .max = 100'000'000, .default_value = 1000};
const integer shift{.name = "shift", .text = "shift", .min = -5, .max = 5, .default_value = -1};
const real sigma{.name = "sigma", .text = "width", .min = 0.5, .max = 4, .default_value = 2, .unit = "mm"};
const choice mode{.name = "mode", .text = "how", .choices = {"fast", "exact"}};

template <class F>
std::string error_of(F f) {
  try {
    f();
  } catch (const gs::error& e) {
    return e.what();
  }
  return "no error";
}

TEST(parameters, have_defaults) {
  const parameters values({size, shift, sigma, mode});
  EXPECT_EQ(values.integer("size"), 1000);
  EXPECT_EQ(values.size(), 1000u);
  EXPECT_EQ(values.size("size"), 1000u);
  EXPECT_EQ(values.real("sigma"), 2);
  EXPECT_EQ(values.choice("mode"), "fast");
  EXPECT_EQ(values.seed(), parameters::default_seed);
}

TEST(parameters, may_have_smaller_defaults_for_inspection) {
  integer large = size;
  large.inspected = 10;
  real wide = sigma;
  wide.inspected = 0.5;
  parameters values({large, shift, wide, mode});
  EXPECT_EQ(values.integer("size"), 1000);
  values.use_inspected();
  EXPECT_EQ(values.integer("size"), 10);
  EXPECT_EQ(values.integer("shift"), -1);
  EXPECT_EQ(values.real("sigma"), 0.5);
  EXPECT_EQ(values.choice("mode"), "fast");
  EXPECT_EQ(workbook::inspected_value(large), workbook::parameter_value(10LL));
  EXPECT_FALSE(workbook::inspected_value(size) || workbook::inspected_value(sigma) || workbook::inspected_value(mode));
  large.inspected = 0;
  EXPECT_EQ(error_of([&] { parameters({large}); }),
            "declaring the parameter 'size': its default 0 for inspection is not within 1 to 100000000; give min <= "
            "inspected <= max");
}

TEST(parameters, are_read_as_they_are_typed) {
  parameters values({size, shift, sigma, mode});
  for (const auto& [text, value] : std::vector<std::pair<std::string, long long>>{{"1", 1},
                                                                                  {"1e6", 1'000'000},
                                                                                  {"1M", 1'000'000},
                                                                                  {"100k", 100'000},
                                                                                  {"1_000_000", 1'000'000},
                                                                                  {"1,000,000", 1'000'000},
                                                                                  {"+7", 7},
                                                                                  {"1.5M", 1'500'000},
                                                                                  {"0.1G", 100'000'000},
                                                                                  {"100000000", 100'000'000}}) {
    values.set("size", text);
    EXPECT_EQ(values.integer("size"), value) << text;
  }
  values.set("shift", "-5");
  EXPECT_EQ(values.integer("shift"), -5);
  values.set("sigma", "0.75");
  EXPECT_EQ(values.real("sigma"), 0.75);
  values.set("mode", "exact");
  EXPECT_EQ(values.choice("mode"), "exact");
}

TEST(parameters, refuse_what_is_not_a_value_and_name_the_range) {
  parameters values({size, sigma, mode});
  const std::string range = "; give 1 to 100,000,000";
  for (const std::string text : {"", "many", "1.5", "12x", "0x10", "nan", "inf", "k", "--1", "1 000"})
    EXPECT_EQ(error_of([&] { values.set("size", text); }), "--size: '" + text + "' is not a whole number" + range);
  for (const std::string text : {"0", "-1", "100000001", "1e30", "1e400", "1G"})
    EXPECT_EQ(error_of([&] { values.set("size", text); }), "--size: '" + text + "' is out of range" + range);
  EXPECT_EQ(error_of([&] { values.set("sigma", "wide"); }), "--sigma: 'wide' is not a number; give 0.5 to 4 mm");
  EXPECT_EQ(error_of([&] { values.set("sigma", "0.49"); }), "--sigma: '0.49' is out of range; give 0.5 to 4 mm");
  EXPECT_EQ(error_of([&] { values.set("mode", "slow"); }), "--mode: 'slow' is not among them; give one of fast, exact");
  EXPECT_EQ(values.integer("size"), 1000);  // and nothing has changed
}

TEST(parameters, refuse_an_unknown_name_and_a_wrong_type) {
  const parameters values({size, shift, sigma, mode});
  EXPECT_EQ(error_of([&] { values.integer("count"); }),
            "the parameter 'count': this lesson doesn't declare it; it has size, shift, sigma, mode");
  EXPECT_EQ(error_of([&] { parameters().size(); }),
            "the parameter 'size': this lesson doesn't declare it; it has none");
  EXPECT_EQ(error_of([&] { values.integer("sigma"); }),
            "the parameter 'sigma' as an integer: it is declared as a real number; read it as what it is declared as");
  EXPECT_NE(error_of([&] { values.real("size"); }), "no error");
  EXPECT_NE(error_of([&] { values.choice("size"); }), "no error");
  EXPECT_EQ(error_of([&] { values.size("shift"); }),
            "the parameter 'shift' as a size: it is -1; declare it with min at least 0");
}

TEST(parameters, refuse_a_declaration_that_cannot_be_right) {
  const auto declare = [](workbook::parameter p) { return error_of([&] { parameters({p}); }); };
  EXPECT_EQ(declare(size), "no error");
  for (const std::string name : {"", "Size", "1st", "a b", "a-b"}) {
    integer wrong = size;
    wrong.name = name;
    EXPECT_NE(declare(wrong).find("is no name for an option"), std::string::npos) << name;
  }
  for (const std::string name : {"help", "json", "target", "seed", "plots", "inspect", "instruments", "gpu",
                                 "registers", "orders", "line", "lines"}) {
    integer wrong = size;
    wrong.name = name;
    EXPECT_NE(declare(wrong).find("every lesson has an option of that name"), std::string::npos) << name;
  }
  integer too_small = size;
  too_small.default_value = 0;
  EXPECT_NE(declare(too_small).find("its default 0 is not within 1 to 100000000"), std::string::npos);
  EXPECT_NE(declare(choice{.name = "none"}).find("nothing to choose from"), std::string::npos);
  EXPECT_NE(declare(choice{.name = "c", .choices = {"a"}, .default_value = "b"}).find("'b' is not among"),
            std::string::npos);
  EXPECT_NE(error_of([] { parameters({size, size}); }).find("declared twice"), std::string::npos);
}

TEST(seed, is_any_64_bit_number) {
  EXPECT_EQ(workbook::parse_seed("0"), 0u);
  EXPECT_EQ(workbook::parse_seed("18446744073709551615"), 18446744073709551615u);
  for (const std::string text : {"", "-1", "1.5", "abc", "18446744073709551616"})
    EXPECT_EQ(error_of([&] { workbook::parse_seed(text); }),
              "--seed: '" + text + "' is not a seed; give a whole number from 0 to 2^64 - 1");
}

const workbook::prediction crossover{.name = "crossover", .question = "From how many on?", .unit = "elements"};
const workbook::prediction share{.name = "share", .question = "Which share?"};

TEST(predictions, have_a_guess_once_one_is_made) {
  parameters values({size}, {crossover, share});
  EXPECT_FALSE(values.guess("crossover") || values.guess("share"));
  const std::vector<std::pair<std::string, double>> typed{
      {"1e5", 1e5}, {"100k", 1e5}, {"2.5M", 2.5e6}, {"1_000,000", 1e6}, {"0.25", 0.25}, {"-3", -3}, {"0", 0}};
  for (const auto& [text, value] : typed) {
    values.set_guess("crossover", text);
    EXPECT_EQ(values.guess("crossover"), value) << text;
  }
  EXPECT_FALSE(values.guess("share"));
  EXPECT_EQ(values.asked("share").question, "Which share?");
  EXPECT_EQ(values.predictions().size(), 2u);
}

TEST(predictions, are_refused_if_they_are_no_numbers) {
  parameters values({}, {crossover});
  for (const std::string text : {"", "many", "1e", "1e5x", "inf", "nan", "1e4000", "1 000"}) {
    EXPECT_EQ(error_of([&] { values.set_guess("crossover", text); }),
              "--guess-crossover: '" + text + "' is not a number; give one, such as 1e5, 100k or 2.5");
    EXPECT_FALSE(values.guess("crossover"));
  }
}

TEST(predictions, must_be_declared) {
  const parameters no_questions({size}), two({}, {crossover, share});
  EXPECT_EQ(error_of([&] { no_questions.guess("size"); }),
            "the prediction 'size': this lesson doesn't declare it; it has none");
  EXPECT_EQ(error_of([&] { two.asked("x"); }),
            "the prediction 'x': this lesson doesn't declare it; it has crossover, share");
  EXPECT_EQ(error_of([] { parameters({}, {crossover, crossover}); }),
            "declaring the prediction 'crossover': it is declared twice; choose another name");
  EXPECT_EQ(error_of([] { parameters({}, {{.name = "x"}}); }),
            "declaring the prediction 'x': it asks nothing; give a question");
  EXPECT_EQ(
      error_of([] { parameters({}, {{.name = "Two words", .question = "?"}}); }),
      "declaring the prediction 'Two words': it is no name for an option; use lower-case letters, digits and _, a "
      "letter first");
  EXPECT_NO_THROW(parameters({size}, {{.name = "size", .question = "How many?"}}));  // --size and --guess-size
}

}  // namespace
