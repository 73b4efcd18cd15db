#pragma once
// A certificate: who passed which tasks, and how, as a document signed by a key.

#include <filesystem>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "assessments/grader/certificate/signature.h"
#include "assessments/grader/tasks/task.h"
#include "assessments/grader/verdict/verdict.h"
#include "runtime/core/error.h"
#include "workbook/course_file.h"

namespace grader {

/// A passed task. Of the verdict, only the members that a certificate shows are filled in.
struct certified_task : verdict {
  /// Number and title of the part of the course; none in a course without parts, and in documents of version 1.
  std::optional<workbook::part_of_course> part = {};
};

struct certificate {
  /// Of the document. 1 has no parts, 2 is written today.
  unsigned schema_version = 2;
  std::string name;     ///< of its holder
  std::string date;     ///< when it was written, UTC: "2026-11-21"
  std::string version;  ///< of the project that wrote it
  std::vector<certified_task> tasks;
};

/// "Part 4, Patterns"; the title alone of a part without a number.
std::string full_title(const workbook::part_of_course& part);

/// The index behind the last task of those that follow each other from `begin` on and belong to the same part.
std::size_t end_of_part(const std::vector<certified_task>& tasks, std::size_t begin);

/// A certificate that hasn't been earned yet.
struct not_earned : gs::error {
  using gs::error::error;
};

/// The certificate of someone with these grades, in a course with these tasks and parts. Throws gs::error for an
/// invalid name (holder_name.h), for a grade with more points than possible and for a task of an unknown part, and
/// not_earned, which says which tasks are missing or were passed in an earlier version.
certificate certify(const std::string& name, const std::map<std::string, verdict>& grades,
                    const std::vector<task>& course, const std::vector<workbook::part_of_course>& parts);

struct signed_certificate {
  certificate content;
  public_key key = {};
  key_kind kind = key_kind::local;
  std::string signature;  ///< of the canonical JSON of the document without the member "signature"
};

signed_certificate sign(const certificate& content, const signing_key& key);

/// The document: JSON, schema "gridstride-certificate"; assessments/CERTIFICATE.md says what is in it.
std::string to_json(const signed_certificate& c);

struct verification {
  bool valid = false;
  std::string reason;                      ///< why it isn't; one clause
  std::optional<signed_certificate> read;  ///< if the signature holds, even if the key isn't the expected one
};

/// Whether the signature holds, and is by the expected key if one is given. Never throws because of the document.
verification verify(std::string_view document, const std::optional<public_key>& expected = {});

/// What a signature by a key of that kind proves and what it doesn't, in one or two sentences.
std::string meaning_of(key_kind kind);

}  // namespace grader
