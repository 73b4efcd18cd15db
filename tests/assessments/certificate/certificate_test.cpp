// A certificate says what was graded, and any change of it is found.

#include "assessments/grader/certificate/certificate.h"

#include <fnmatch.h>
#include <gtest/gtest.h>

#include <functional>
#include <limits>
#include <nlohmann/json.hpp>

#include "tests/assessments/verdict/passed_verdicts.h"
#include "tests/runtime/refused.h"
#include "workbook/catalogue.h"
#include "workshop/file_text.h"

namespace certificate_test {

using assessments_test::passed_verdicts;
using assessments_test::sample_course;
using assessments_test::sample_parts;
using grader::certificate;
using grader::key_kind;
using grader::signed_certificate;
using grader::signing_key;
using grader::verify;
using nlohmann::json;
using runtime_test::refused;
using workbook::part_of_course;

const signing_key& instructor() {
  static const signing_key key = signing_key::make(key_kind::instructor);
  return key;
}

certificate sample() { return grader::certify("Ada Lovelace", passed_verdicts(), sample_course(), sample_parts()); }
std::string sample_document() { return grader::to_json(grader::sign(sample(), instructor())); }

// Every place of a document that holds a value, with its path.
void each_value(json& value, const std::string& path, const std::function<void(json&, const std::string&)>& visit) {
  if (value.is_structured())
    for (auto& [name, member] : value.items()) each_value(member, path + "/" + name, visit);
  else
    visit(value, path);
}

TEST(certificate, says_what_was_graded) {
  const json document = json::parse(sample_document());
  EXPECT_EQ(document.at("schema"), "gridstride-certificate");
  EXPECT_EQ(document.at("version"), 2);
  EXPECT_EQ(document.at("name"), "Ada Lovelace");
  EXPECT_EQ(fnmatch("20[0-9][0-9]-[0-9][0-9]-[0-9][0-9]", document.at("date").get<std::string>().c_str(), 0), 0);
  EXPECT_EQ(document.at("key").at("kind"), "instructor");
  EXPECT_EQ(document.at("key").at("public"), grader::to_hex(instructor().shared()));
  const json& task = document.at("tasks").at(0);
  EXPECT_EQ(task.at("id"), "A1");
  EXPECT_EQ(task.at("points"), 93.75);
  EXPECT_EQ(task.at("file"), "neural_layer.cpp") << "folders are nobody's business";
  EXPECT_EQ(task.at("sha256"), passed_verdicts().at("A1").sha256);
  EXPECT_EQ(task.at("isolation"), "bubblewrap");
  EXPECT_EQ(task.at("criteria").at(2).at("state"), "partly");
  EXPECT_EQ(task.at("speed").at(0).at("ratio"), 1.624);
  EXPECT_EQ(task.at("speed").at(0).at("nanoseconds"), 12345679);
  EXPECT_EQ(document.at("tasks").at(1).at("points").dump(), "100") << "as RFC 8785 writes it";
  EXPECT_EQ(task.at("part"), (json{{"number", 1}, {"title", "Universal functions"}}));
  EXPECT_EQ(document.at("tasks").at(2).at("part"), (json{{"number", 2}, {"title", "Kernels"}}));
}

TEST(certificate, of_a_course_without_parts_names_none) {
  auto course = sample_course();
  for (grader::task& t : course) t.part.reset();
  for (const auto& parts : {std::vector<part_of_course>{}, sample_parts()}) {
    const certificate c = grader::certify("Ada", passed_verdicts(), course, parts);
    const std::string document = grader::to_json(grader::sign(c, instructor()));
    EXPECT_TRUE(verify(document).valid) << verify(document).reason;
    EXPECT_FALSE(json::parse(document).at("tasks").at(0).contains("part"));
    EXPECT_EQ(grader::end_of_part(c.tasks, 0), 3u);
  }
}

TEST(certificate, refuses_a_task_of_an_unknown_part) {
  auto course = sample_course();
  course[1].part = 9;
  course[1].folder = "A2_histogram";
  const auto refuses = [&](const std::vector<part_of_course>& parts, const std::string& message) {
    EXPECT_TRUE(refused([&] { grader::certify("Ada", passed_verdicts(), course, parts); },
                        {"reading A2_histogram/task.json: part is 9, and course.json has no such part; " + message}));
  };
  refuses(sample_parts(), "give 1 or 2");
  course[0].part.reset();
  refuses({}, "add the course's parts there, or leave part out");
}

TEST(certificate, tasks_of_one_part_stand_together) {
  certificate c = sample();
  EXPECT_EQ(grader::end_of_part(c.tasks, 0), 1u);
  EXPECT_EQ(grader::end_of_part(c.tasks, 1), 3u);
  EXPECT_EQ(grader::full_title(*c.tasks[1].part), "Part 2, Kernels");
  c.tasks[2].part->title = "Patterns";
  EXPECT_EQ(grader::end_of_part(c.tasks, 1), 2u);
  EXPECT_EQ(grader::full_title({.number = 0, .title = "Before the course"}), "Before the course");
}

TEST(certificate, of_version_1_is_valid_and_has_no_parts) {
  const auto seed = workbook::checkout_root() / "tests/fuzz/seeds/certificate/ada.json";
  const std::string text = workshop::read_text(seed, "reading it");
  ASSERT_EQ(json::parse(text).at("version"), 1);
  const grader::verification v = verify(text);
  EXPECT_TRUE(v.valid) << v.reason;
  ASSERT_TRUE(v.read);
  EXPECT_EQ(v.read->content.schema_version, 1u);
  EXPECT_EQ(v.read->content.tasks.size(), 3u);
  EXPECT_FALSE(v.read->content.tasks[0].part);
  EXPECT_EQ(grader::to_json(*v.read), text) << "it is written as it was";

  certificate old = sample();
  old.schema_version = 1;
  EXPECT_EQ(grader::to_json(grader::sign(old, instructor())).find("\"part\""), std::string::npos);
}

// Signed by a Python script with libsodium, as assessments/CERTIFICATE.md describes it.
TEST(certificate, of_another_program_is_valid) {
  const auto seed = workbook::checkout_root() / "tests/fuzz/seeds/certificate/parts.json";
  const std::string text = workshop::read_text(seed, "reading it");
  const grader::verification v = verify(text);
  EXPECT_TRUE(v.valid) << v.reason;
  ASSERT_TRUE(v.read);
  EXPECT_EQ(grader::full_title(v.read->content.tasks.at(2).part.value()), "Part 2, Kernels");
  EXPECT_EQ(grader::to_json(*v.read), text);
}

TEST(certificate, refuses_grades_that_can_not_be) {
  const auto refuses = [](const std::function<void(grader::verdict&)>& change, const std::string& reason) {
    auto grades = passed_verdicts();
    change(grades.at("A2"));
    EXPECT_TRUE(refused([&] { grader::certify("Ada", grades, sample_course(), sample_parts()); },
                        {"a certificate: the grade of A2 histogram can't be: " + reason +
                         "; grade it again: ./gridstride grade A2 FILE"}));
  };
  refuses([](auto& v) { v.points = 120; }, "it has 120 of 100 points");
  refuses([](auto& v) { v.points = -1; }, "it has -1 of 100 points");
  refuses([](auto& v) { v.criteria[2].points = 40; }, "its criterion fast has 40 of 20 points");
  refuses([](auto& v) { v.points = v.possible = 200; }, "it has 200 points, and its criteria have 100");
  refuses([](auto& v) { v.points = v.possible = 200, v.criteria[2].points = v.criteria[2].possible = 120; },
          "it is of 200 points, and the task has 100");
  refuses(
      [](auto& v) {
        v.criteria.push_back({"more", "", grader::criterion_state::passed, 50, 50, false, ""});
        v.points = v.possible = 150;
      },
      "it is of 150 points, and the task has 100");
}

// Whoever has a key can sign anything.
TEST(certificate, signed_or_not_points_exceed_no_possible_ones) {
  const auto reason = [](const std::function<void(grader::verdict&)>& change) {
    certificate c = sample();
    change(c.tasks[1]);
    return verify(grader::to_json(grader::sign(c, instructor()))).reason;
  };
  EXPECT_EQ(reason([](auto&) {}), "");
  EXPECT_EQ(reason([](auto& v) { v.points = 120; }),
            "it is signed, but the grade of A2 can't be: it has 120 of 100 points");
  EXPECT_EQ(reason([](auto& v) { v.criteria[0].points = 1000; }),
            "it is signed, but the grade of A2 can't be: its criterion correct has 1,000 of 60 points");
}

TEST(certificate, comes_back_as_it_was) {
  const grader::verification v = verify(sample_document());
  EXPECT_TRUE(v.valid) << v.reason;
  ASSERT_TRUE(v.read);
  EXPECT_EQ(v.read->content.name, "Ada Lovelace");
  EXPECT_EQ(v.read->key, instructor().shared());
  EXPECT_EQ(v.read->kind, key_kind::instructor);
  ASSERT_EQ(v.read->content.tasks.size(), 3u);
  EXPECT_EQ(v.read->content.tasks[2].points, 81.5);
  EXPECT_EQ(v.read->content.tasks[0].criteria.size(), 3u);
  EXPECT_EQ(grader::to_json(*v.read), sample_document());
}

TEST(certificate, spaces_and_the_order_of_members_do_not_matter) {
  const json sorted = json::parse(sample_document());
  for (const std::string& text : {sorted.dump(), sorted.dump(7), "\n " + sorted.dump(1) + "\n\n"})
    EXPECT_TRUE(verify(text).valid) << verify(text).reason;
}

TEST(certificate, any_other_value_is_found) {
  const json document = json::parse(sample_document());
  std::size_t values = 0;
  json copy = document;
  each_value(copy, "", [&](json& value, const std::string& path) {
    ++values;
    const json original_value = value;
    const auto expect_invalid = [&](const json& changed_value) {
      value = changed_value;
      EXPECT_FALSE(verify(copy.dump()).valid) << path << " = " << changed_value.dump();
      value = original_value;
    };
    if (original_value.is_string()) {
      const std::string text = original_value.get<std::string>();
      for (std::size_t k = 0; k < text.size(); ++k) {
        std::string changed_text = text;
        changed_text[k] = changed_text[k] == 'b' ? 'c' : 'b';
        expect_invalid(changed_text);
      }
      expect_invalid(text + " ");
      expect_invalid("");
    } else if (original_value.is_boolean()) {
      expect_invalid(!original_value.get<bool>());
    } else {
      expect_invalid(original_value.get<double>() + 0.01);
      expect_invalid(original_value.dump());
    }
    expect_invalid(nullptr);
    expect_invalid(json::object());
  });
  EXPECT_GT(values, 80u);
  EXPECT_EQ(copy, document);
}

TEST(certificate, any_other_byte_is_found_where_it_changes_a_value) {
  const std::string text = sample_document();
  const json document = json::parse(text);
  std::size_t position = 0;
  for (std::size_t k = 0; k < text.size(); ++k) {
    std::string changed = text;
    changed[k] = static_cast<char>(changed[k] ^ 1);
    if (!verify(changed).valid) {
      ++position;
      continue;
    }
    // A space may become another space.
    EXPECT_EQ(json::parse(changed, nullptr, false), document)
        << "byte " << k << ": " << changed.substr(k > 20 ? k - 20 : 0, 40);
  }
  EXPECT_GT(position, 3000u);
}

TEST(certificate, members_that_are_missing_added_or_twice_are_found) {
  const json document = json::parse(sample_document());
  for (const auto& [name, member] : document.items()) {
    json shortened = document;
    shortened.erase(name);
    EXPECT_FALSE(verify(shortened.dump()).valid) << name;
  }
  json with = document;
  with["remark"] = "with distinction";
  EXPECT_FALSE(verify(with.dump()).valid);
  with = document;
  with["tasks"][0]["remark"] = 1;
  EXPECT_FALSE(verify(with.dump()).valid);
  std::string repeated = sample_document();
  repeated.insert(repeated.find('{') + 1, "\"name\": \"Eve\",");
  EXPECT_EQ(verify(repeated).reason, "the member \"name\" stands in it twice");
}

TEST(certificate, a_signature_does_not_make_a_certificate_of_anything) {
  const auto signed_by_hand = [](json document) {
    document.erase("signature");
    // Small documents without fractions: nlohmann's text is the canonical one.
    document["signature"] = instructor().sign(document.dump());
    return verify(document.dump());
  };
  json document = json::parse(grader::to_json(grader::sign(
      [] {
        certificate c = sample();
        for (grader::verdict& v : c.tasks) v.points = 90, v.criteria.clear(), v.speed.clear();
        return c;
      }(),
      instructor())));
  EXPECT_TRUE(signed_by_hand(document).valid) << signed_by_hand(document).reason;
  const auto refused_with = [&](const char* pointer, const json& value, const std::string& reason) {
    json changed_document = document;
    changed_document[json::json_pointer(pointer)] = value;
    const grader::verification v = signed_by_hand(changed_document);
    EXPECT_FALSE(v.valid) << pointer;
    EXPECT_EQ(v.reason, reason) << pointer;
    EXPECT_FALSE(v.read);
  };
  const std::string strange = "it is signed, but it isn't written as a certificate";
  refused_with("/remark", "with distinction", strange);
  refused_with("/tasks/0/remark", 1, strange);
  refused_with("/tasks/0/machine", "\033[2Ja terminal's command", strange);
  refused_with("/key/kind", "royal", strange);
  refused_with("/key/algorithm", "none", strange);
  refused_with("/name", "Ada\nLovelace", "it contains the control character U+000A");
  refused_with("/name", " Ada", "the name begins or ends with a space");
  refused_with("/name", 7, "a member is missing or malformed");
  refused_with("/tasks", 7, "a member is missing or malformed");
  refused_with("/tasks/1/points", "all", "a member is missing or malformed");
  refused_with("/tasks/1/part", 2, "a member is missing or malformed");
  refused_with("/tasks/1/part", {{"number", 2}}, "a member is missing or malformed");
  refused_with("/tasks/1/part/title", "Ker\nnels", strange);
  refused_with("/tasks/1/part/number", 2.5, strange);
  refused_with("/tasks/1/part/first", 13, strange);
  refused_with("/version", 1, strange);  // which has no parts
}

TEST(certificate, what_is_none_is_told_apart) {
  EXPECT_EQ(verify("").reason, "it is not JSON (byte 1)");
  EXPECT_EQ(verify("<svg/>").reason, "it is not JSON (byte 1)");
  EXPECT_EQ(verify("[1, 2]").reason, "it isn't a certificate");
  EXPECT_EQ(verify(R"({"schema": "gridstride-report"})").reason, "it isn't a certificate");
  EXPECT_EQ(verify(R"({"schema": "gridstride-certificate", "version": 3})").reason,
            "its version is neither 1 nor 2, the only ones known here");
  EXPECT_EQ(verify(R"({"schema": "gridstride-certificate", "version": 1})").reason, "it has no signature");
  EXPECT_EQ(verify(R"({"schema": "gridstride-certificate", "version": 1, "signature": ""})").reason,
            "a member is missing or malformed");
  // A file's name in place of the key: it isn't read.
  EXPECT_EQ(
      verify(
          R"({"schema": "gridstride-certificate", "version": 1, "signature": "", "key": {"public": "/etc/hostname"}})")
          .reason,
      "its public key is not 64 hexadecimal digits");
  EXPECT_EQ(verify(std::string(100, '[')).reason, "it is nested more than 16 deep");
}

TEST(certificate, the_expected_key_must_have_signed) {
  const signing_key other_key = signing_key::make(key_kind::instructor);
  EXPECT_TRUE(verify(sample_document(), instructor().shared()).valid);
  const grader::verification v = verify(sample_document(), other_key.shared());
  EXPECT_FALSE(v.valid);
  EXPECT_EQ(v.reason, "it is signed by the key " + grader::fingerprint(instructor().shared()) +
                          ", not by the expected one, " + grader::fingerprint(other_key.shared()));
  EXPECT_TRUE(v.read) << "the signature holds: what stands there may be shown";

  // Another key's name on the old signature, and the old name on another key's signature.
  json forged = json::parse(sample_document());
  forged["key"]["public"] = grader::to_hex(other_key.shared());
  EXPECT_EQ(verify(forged.dump()).reason,
            "it was changed after it was signed, or the signature isn't by the key it names");
  forged = json::parse(grader::to_json(grader::sign(sample(), other_key)));
  forged["key"]["public"] = grader::to_hex(instructor().shared());
  EXPECT_FALSE(verify(forged.dump()).valid);
}

TEST(certificate, is_earned_by_all_tasks_in_their_present_version) {
  auto grades = passed_verdicts();
  grades.erase("A2");
  grades.at("A3").task_version = 0;
  EXPECT_TRUE(refused<grader::not_earned>(
      [&] { grader::certify("Ada", grades, sample_course(), sample_parts()); },
      {"a certificate: 2 of 3 tasks are not passed: A2 histogram, A3 transpose (passed in its version 0, and is in "
       "version 1 now); write your solution and try it with ./gridstride grade A2 FILE"}));
  grades = passed_verdicts();
  grades.at("A1").passed = false;
  EXPECT_TRUE(refused<grader::not_earned>([&] { grader::certify("Ada", grades, sample_course(), sample_parts()); },
                                          {"1 of 3 tasks is not passed: A1 neural_layer; write", "grade A1 FILE"}));
  EXPECT_TRUE(refused<grader::not_earned>([&] { grader::certify("Ada", {}, sample_course(), sample_parts()); },
                                          {"3 of 3 tasks are not passed"}));
  EXPECT_TRUE(
      refused([&] { grader::certify(" ", passed_verdicts(), sample_course(), sample_parts()); }, {"it is empty"}));
}

TEST(certificate, of_strange_measurements_is_still_one) {
  auto grades = passed_verdicts();
  grades.at("A1").speed = {{std::numeric_limits<double>::quiet_NaN(), 0, 0, 0, 0, 0, false, "none"}};
  grades.at("A2").speed.clear();
  grades.at("A3").points = 100.0 / 3;
  grades.at("A3").file = "tran\nspose\xff.cpp";
  const std::string document = grader::to_json(
      grader::sign(grader::certify("山田 太郎", grades, sample_course(), sample_parts()), instructor()));
  EXPECT_TRUE(verify(document).valid) << verify(document).reason;
  EXPECT_TRUE(json::parse(document).at("tasks").at(0).at("speed").empty());
  EXPECT_EQ(json::parse(document).at("tasks").at(2).at("points"), 33.33);
  EXPECT_EQ(json::parse(document).at("tasks").at(2).at("file"), "tran?spose?.cpp");
}

}  // namespace certificate_test
