// The sentence that tells a learner what is wrong with an answer.

#include <gtest/gtest.h>

#include "assessments/grader/running/submission_process.h"

namespace wrong_answer_text_test {

TEST(wrong_answer_text, names_the_element_its_shape_and_what_was_expected) {
  const grader::mishap m = grader::mishap_of(grader::wrong_answer{.array = "out",
                                                                  .index = {3, 1},
                                                                  .extents = {4, 5},
                                                                  .expected = 2.5,
                                                                  .got = -1,
                                                                  .tolerance = 0.001,
                                                                  .wrong = 7,
                                                                  .explanation = "y of body 1"});
  EXPECT_EQ(m.kind, grader::mishap_kind::wrong_answer);
  EXPECT_EQ(
      m.text,
      "out[3, 1] of shape (4, 5) is -1, expected 2.5 to within 0.001; 7 of 20 are wrong. That one is y of body 1.");
}

TEST(wrong_answer_text, an_exact_answer_has_no_tolerance_and_a_vector_a_comma) {
  const grader::mishap m = grader::mishap_of(grader::wrong_answer{
      .array = "y", .index = {3}, .extents = {4}, .expected = 2, .got = 1, .wrong = 1, .explanation = ""});
  EXPECT_EQ(m.text, "y[3] of shape (4,) is 1, expected 2; 1 of 4 is wrong.");
}

TEST(wrong_answer_text, a_number_that_follows_from_all_elements_has_neither_index_nor_shape) {
  grader::wrong_answer energy{.array = "the energy of all bodies",
                              .index = {},
                              .extents = {},
                              .expected = -0.25,
                              .got = -0.5,
                              .tolerance = 0.125,
                              .wrong = 1,
                              .explanation = "It was -0.25 before the first step"};
  EXPECT_EQ(grader::mishap_of(energy).text,
            "the energy of all bodies is -0.5, expected -0.25 to within 0.125. It was -0.25 before the first step.");
  energy.explanation = "";
  EXPECT_EQ(grader::mishap_of(energy).text, "the energy of all bodies is -0.5, expected -0.25 to within 0.125.");
}

}  // namespace wrong_answer_text_test
