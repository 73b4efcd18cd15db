// Keys and signatures: the standard's own vectors, files that can't be misused, and every kind of invalid key.

#include "assessments/grader/certificate/signature.h"

#include <gtest/gtest.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cstdlib>
#include <filesystem>
#include <nlohmann/json.hpp>

#include "tests/runtime/refused.h"
#include "tests/temporary_folder.h"
#include "workshop/file_text.h"

namespace signature_test {

namespace fs = std::filesystem;
using grader::key_kind;
using grader::signing_key;
using gridstride_test::temporary_folder;
using runtime_test::refused;

std::string text_of(const fs::path& file) { return workshop::read_text(file, "reading it"); }

void write_file(const fs::path& file, const std::string& text, mode_t mode = 0600) {
  workshop::write_text(file, text, "writing it", workshop::existing::replace, mode);
}

mode_t mode_of(const fs::path& file) {
  struct stat status;
  EXPECT_EQ(stat(file.c_str(), &status), 0) << file;
  return status.st_mode & 0777;
}

// RFC 8032, section 7.1, test 2.
constexpr const char* standard_secret = "4ccd089b28ff96da9db6c346ec114e0f5b8a319f35aba624da8cf6ed4fb8a6fb";
constexpr const char* standard_public = "3d4017c3e843895a92b70aa74d1b7ebc9c982ccf2ec4968cc0cd55f12af4660c";
constexpr const char* standard_signature =
    "92a009a9f0d4cab8720e820b5f642540a2b27b5416503f8fb3762223ebdb69da"
    "085ac1e43e15996e458f3613d0f11d8c387b2eaeb4302aeeb00d291612bb0c00";

nlohmann::json standard_key() {
  return {{"schema", "gridstride-key"},
          {"version", 1},
          {"kind", "instructor"},
          {"public", standard_public},
          {"secret", standard_secret}};
}

TEST(signature, is_ed25519_as_the_standard_shows_it) {
  temporary_folder folder;
  write_file(folder / "key.json", standard_key().dump());
  const signing_key key = signing_key::read(folder / "key.json");
  EXPECT_EQ(key.kind(), key_kind::instructor);
  EXPECT_EQ(grader::to_hex(key.shared()), standard_public);
  EXPECT_EQ(key.sign("\x72"), standard_signature);
  EXPECT_TRUE(grader::is_signed("\x72", standard_signature, key.shared()));
}

TEST(signature, holds_for_these_bytes_this_key_and_this_spelling_alone) {
  const signing_key key = signing_key::make(key_kind::local), other = signing_key::make(key_kind::local);
  const std::string text = "what is signed", signature = key.sign(text);
  EXPECT_TRUE(grader::is_signed(text, signature, key.shared()));
  EXPECT_FALSE(grader::is_signed(text, signature, other.shared()));
  EXPECT_FALSE(grader::is_signed(text + " ", signature, key.shared()));
  EXPECT_FALSE(grader::is_signed(text, "", key.shared()));
  EXPECT_FALSE(grader::is_signed(text, signature + "00", key.shared()));
  for (std::size_t k = 0; k < signature.size(); ++k) {
    std::string changed = signature;
    changed[k] = changed[k] == '0' ? '1' : '0';
    EXPECT_FALSE(grader::is_signed(text, changed, key.shared())) << "digit " << k;
    changed[k] = static_cast<char>(std::toupper(signature[k]));
    if (changed != signature) {
      EXPECT_FALSE(grader::is_signed(text, changed, key.shared())) << "capital " << k;
    }
  }
}

TEST(fingerprint, is_eight_groups_of_the_keys_hash) {
  // sha256sum of the standard's public key.
  const auto key = grader::public_key_of(standard_public);
  ASSERT_TRUE(key);
  EXPECT_EQ(grader::fingerprint(*key), "39f7 13d0 a644 253f 0452 9421 b9f5 1b9b");
}

TEST(key_file, comes_back_as_it_was_and_only_its_owner_reads_it) {
  temporary_folder folder;
  const signing_key key = signing_key::make(key_kind::instructor);
  key.write(folder / "keys" / "mine");
  key.write_public(folder / "mine.pub");
  EXPECT_EQ(mode_of(folder / "keys" / "mine"), 0600u);
  EXPECT_EQ(mode_of(folder / "mine.pub"), 0644u);
  EXPECT_EQ(text_of(folder / "mine.pub").find("secret"), std::string::npos);
  EXPECT_EQ(signing_key::read(folder / "keys" / "mine").sign("x"), key.sign("x"));
  EXPECT_EQ(grader::read_public_key(folder / "mine.pub"), key.shared());
  EXPECT_EQ(grader::read_public_key(folder / "keys" / "mine"), key.shared());
  EXPECT_EQ(grader::read_public_key(grader::to_hex(key.shared())), key.shared());
}

TEST(key_file, is_never_overwritten) {
  temporary_folder folder;
  const signing_key key = signing_key::make(key_kind::instructor);
  key.write(folder / "key");
  const std::string original_text = text_of(folder / "key");
  EXPECT_TRUE(refused([&] { signing_key::make(key_kind::instructor).write(folder / "key"); },
                      {"writing the secret key", "the file exists; give another name: a key is never overwritten"}));
  EXPECT_TRUE(refused([&] { key.write_public(folder / "key"); }, {"writing the public key", "the file exists"}));
  EXPECT_EQ(text_of(folder / "key"), original_text);
}

TEST(key_file, that_others_can_read_is_refused) {
  temporary_folder folder;
  for (const mode_t mode : {0644u, 0640u, 0604u, 0620u}) {
    write_file(folder / "key.json", standard_key().dump(), mode);
    EXPECT_TRUE(
        refused([&] { signing_key::read(folder / "key.json"); },
                {"reading the secret key", "users other than its owner may read or write it (mode 6", "chmod 600"}));
  }
}

TEST(key_file, that_is_none_is_refused) {
  temporary_folder folder;
  const auto refused_with = [&](const std::string& text, const std::string& mistake) {
    write_file(folder / "key.json", text);
    EXPECT_TRUE(refused([&] { signing_key::read(folder / "key.json"); }, {"reading the secret key", mistake})) << text;
  };
  const auto with = [](const char* member, const nlohmann::json& value) {
    nlohmann::json key = standard_key();
    key[member] = value;
    return key.dump();
  };
  refused_with("-----BEGIN PRIVATE KEY-----", "it is not JSON (byte 2)");
  refused_with("[]", "it isn't a key file of version 1; give a file made by ./gridstride certificate --make-key FILE");
  refused_with(with("schema", "another"), "it isn't a key file of version 1");
  refused_with(with("version", 2), "it isn't a key file of version 1");
  refused_with(with("kind", "royal"), R"(its member "kind" is neither "local" nor "instructor")");
  refused_with(with("kind", 1), R"(its member "kind" is neither)");
  refused_with(with("secret", "4ccd"), R"(its member "secret" is not 64 hexadecimal digits)");
  refused_with(with("secret", 7), R"(its member "secret" is not 64 hexadecimal digits)");
  refused_with(with("public", std::string(64, 'G')), R"(its member "public" is not 64 hexadecimal digits)");
  refused_with(with("public", std::string(64, '0')), "its two halves don't match");
  nlohmann::json half = standard_key();
  half.erase("secret");
  refused_with(half.dump(), "it is the public half of a key; sign with the secret one, which has no .pub in its name");
  EXPECT_TRUE(refused([&] { signing_key::read(folder / "none"); }, {"there is no such file; check its name"}));
  EXPECT_TRUE(refused([&] { signing_key::read(folder.path()); }, {"it is no regular file; give a file"}));
  EXPECT_TRUE(
      refused([&] { grader::read_public_key("3D40"); }, {"reading the public key 3D40: there is no such file"}));
}

TEST(local_key, is_made_once) {
  temporary_folder folder;
  const signing_key first = signing_key::local(folder / "a" / "b");
  EXPECT_EQ(first.kind(), key_kind::local);
  EXPECT_EQ(mode_of(folder / "a" / "b" / "key.json"), 0600u);
  EXPECT_EQ(signing_key::local(folder / "a" / "b").shared(), first.shared());
  EXPECT_NE(signing_key::local(folder / "c").shared(), first.shared());
}

TEST(local_key, lies_where_the_environment_says) {
  const std::string home = std::getenv("HOME") != nullptr ? std::getenv("HOME") : "";
  setenv("GRIDSTRIDE_CONFIG", "/some/where", 1);
  EXPECT_EQ(grader::config_folder(), "/some/where");
  unsetenv("GRIDSTRIDE_CONFIG");
  setenv("HOME", "/home/ada", 1);
  EXPECT_EQ(grader::config_folder(), "/home/ada/.config/gridstride");
  unsetenv("HOME");
  EXPECT_TRUE(refused(
      [] { grader::config_folder(); },
      {"the folder of the local key: neither GRIDSTRIDE_CONFIG nor HOME is set", "give a key with --key FILE"}));
  setenv("HOME", home.c_str(), 1);
}

TEST(file_text, is_written_whole_or_not_at_all) {
  temporary_folder folder;
  write_file(folder / "a", "old");
  EXPECT_FALSE(workshop::write_text(folder / "a", "new", "writing it", workshop::existing::keep));
  EXPECT_EQ(text_of(folder / "a"), "old");
  EXPECT_TRUE(workshop::write_text(folder / "a", "new", "writing it"));
  EXPECT_EQ(text_of(folder / "a"), "new");
  EXPECT_TRUE(refused([&] { write_file(folder / "a" / "b", "x"); },
                      {"writing it: ", "check that its folder can be written to"}));
  EXPECT_TRUE(refused([&] { write_file("/proc/gridstride/x", "x"); },
                      {"writing it: ", "check that its folder can be written to"}));
  std::size_t files = 0;
  for ([[maybe_unused]] const auto& entry : fs::directory_iterator(folder.path())) ++files;
  EXPECT_EQ(files, 1u) << "drafts were left behind";
}

TEST(file_text, is_read_up_to_a_size) {
  temporary_folder folder;
  write_file(folder / "a", std::string(100, 'x'));
  EXPECT_EQ(workshop::read_text(folder / "a", "reading it", 100).size(), 100u);
  EXPECT_TRUE(
      refused([&] { workshop::read_text(folder / "a", "reading it", 99); }, {"reading it: it has more than 99 bytes"}));
  EXPECT_TRUE(refused([&] { workshop::read_text("/dev/zero", "reading it"); }, {"it is no regular file; give a file"}));
}

}  // namespace signature_test
