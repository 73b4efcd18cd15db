// A signed certificate: as it is, and signed again by a key of the fuzzer's own, so that what is read behind the
// signature gets its share of nonsense.

#include "assessments/grader/certificate/certificate.h"

#include <nlohmann/json.hpp>
#include <string>

#include "assessments/grader/certificate/canonical_json.h"
#include "tests/fuzz/reads.h"

namespace {

std::string signed_again(std::string_view text) {
  static const auto key = grader::signing_key::make(grader::key_kind::local);
  static const auto own = nlohmann::json::parse(grader::to_json(grader::sign({}, key))).at("key");
  nlohmann::json document = grader::read_json_strictly(text, "a certificate");
  if (!document.is_object()) return std::string(text);
  document["key"] = own;
  document.erase("signature");
  document["signature"] = key.sign(grader::canonical_json(document));
  return document.dump();
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  return reads(data, size, [](std::string_view text) {
    grader::verify(text);
    const auto verified = grader::verify(signed_again(text));
    if (!verified.valid) throw gs::error("verifying a certificate", verified.reason, "give one that is earned");
  });
}
