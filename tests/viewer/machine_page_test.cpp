// The page Machine, with stand-ins for doctor whose output the test chooses.

#include <gtest/gtest.h>

#include <fstream>

#include "runtime/core/error.h"
#include "tests/viewer/driven_viewer.h"
#include "tests/viewer/hostile_texts.h"
#include "viewer/pages/machine_page.h"

namespace {

using gridstride_test::temporary_folder;
using viewer_test::driven_viewer;

constexpr char document[] = R"({
  "compiler": {"name": "g++", "version": "12.2.0"}, "cmake": "3.25.1", "ninja": null, "nvcc": null,
  "processor": {"name": "Abacus 9000", "architecture": "x86_64", "cores": 7, "vector_unit": "AVX2", "vector_bits": 256,
    "caches": {"L1d": 49152, "L2": 1310720, "L3": null}},
  "memory": 25276067840, "build_jobs": 5,
  "gpus": [{"name": "Racing Card", "driver": "1.2", "compute_capability": "9.0"}],
  "packages": [
    {"name": "libpresent", "group": "core", "installed": true, "why": "is needed daily", "cost": "all"},
    {"name": "libabsent", "group": "view", "installed": false, "why": "draws", "cost": "nothing is drawn"},
    {"name": "libunknown", "group": "ci", "installed": null, "why": "checks", "cost": "no check"}],
  "costs": ["no ninja: builds go on foot"]})";

class viewer_machine_page : public testing::Test {
 protected:
  void doctor(const std::string& script) {
    const auto file = folder_.path() / "gridstride";
    std::ofstream(file) << "#!/bin/bash\n" << script;
    std::filesystem::permissions(file, std::filesystem::perms::owner_all);
  }
  driven_viewer open(ImVec2 size = {1280, 1000}) {
    std::vector<std::unique_ptr<viewer::page>> pages;
    pages.push_back(std::make_unique<viewer::machine_page>());
    return {std::move(pages), {.root = folder_.path(), .build = {}, .my = {}}, size};
  }
  temporary_folder folder_;
};

TEST_F(viewer_machine_page, shows_what_doctor_says) {
  doctor(std::string("[ \"$*\" = 'doctor --json' ] || exit 2\ncat <<'END'\n") + document + "\nEND\n");
  auto viewer = open();
  ASSERT_TRUE(viewer.until([&] { return !viewer.application.shown().busy(); }));
  viewer.frame(2);
  for (const char* text :
       {"Abacus 9000", "AVX2, 256 bits", "L1 48 KiB, L2 1.2 MiB, L3 unknown", "24 GiB", "5 at a time", "Racing Card",
        "9.0", "12.2.0", "not found", "no ninja: builds go on foot", "libpresent", "is needed daily", "libabsent",
        "nothing is drawn", "1 of 3 installed", "for this window"})
    EXPECT_TRUE(viewer.sees(text)) << text;
  EXPECT_FALSE(viewer.sees("no check")) << "it isn't known to be missing";
  EXPECT_LT(viewer.find("libabsent")->y, viewer.find("libpresent")->y) << "what is missing comes first";

  doctor("while [ ! -e \"${0%/*}/go_on\" ]; do sleep 0.01; done; printf '%s' '" +
         std::string(document).replace(std::string(document).find("7,"), 1, "8") + "'");
  EXPECT_TRUE(viewer.sees("7"));
  viewer.click("Look again");
  EXPECT_TRUE(viewer.sees("Asking doctor"));
  EXPECT_TRUE(viewer.application.shown().moving()) << "it turns while it waits";
  std::ofstream(folder_.path() / "go_on") << "";
  ASSERT_TRUE(viewer.until([&] { return !viewer.application.shown().busy(); }));
  viewer.frame(2);
  EXPECT_TRUE(viewer.sees("8") && !viewer.sees("7"));
}

TEST_F(viewer_machine_page, asks_the_checkout_whatever_the_course) {
  doctor(std::string("cat <<'END'\n") + document + "\nEND\n");
  std::vector<std::unique_ptr<viewer::page>> pages;
  pages.push_back(std::make_unique<viewer::machine_page>());
  driven_viewer viewer(std::move(pages), {.root = "/not/there", .build = {}, .my = {}, .checkout = folder_.path()},
                       {1280, 1000});
  ASSERT_TRUE(viewer.until([&] { return !viewer.application.shown().busy(); }));
  viewer.frame(2);
  EXPECT_TRUE(viewer.sees("Abacus 9000"));
}

TEST_F(viewer_machine_page, narrow_has_no_table_of_reasons) {
  doctor(std::string("cat <<'END'\n") + document + "\nEND\n");
  auto viewer = open({420, 2000});
  ASSERT_TRUE(viewer.until([&] { return !viewer.application.shown().busy(); }));
  viewer.frame(2);
  EXPECT_TRUE(viewer.sees("libpresent") && viewer.sees("nothing is drawn"));
  EXPECT_FALSE(viewer.sees("is needed daily"));
}

TEST_F(viewer_machine_page, lives_with_any_text_in_a_document) {
  for (const std::string& text : viewer_test::hostile_texts())
    viewer_test::with_all_texts_replaced(document, text, [&](const std::string& replaced) {
      std::ofstream(folder_.path() / "answer.json") << replaced;
      doctor("cat '" + (folder_.path() / "answer.json").string() + "'");
      auto viewer = open();
      ASSERT_TRUE(viewer.until([&] { return !viewer.application.shown().busy(); }));
      viewer.frame(2);
      EXPECT_GT(ImGui::GetDrawData()->TotalVtxCount, 0);
    });
}

TEST_F(viewer_machine_page, says_what_went_wrong) {
  for (const auto& [script, sentence] : {std::pair{"echo broken >&2; exit 3", "ended with status 3: broken"},
                                         {"echo '{\"compiler\": 1}'", "reading what doctor says"},
                                         {"echo '{\"compi'", "it is not JSON, or was cut off"},
                                         {"kill -9 $$", "ended with status 137"}}) {
    doctor(script);
    auto viewer = open();
    EXPECT_TRUE(viewer.until_sees(sentence)) << sentence;
    EXPECT_TRUE(viewer.sees("Look again"));
  }
  std::filesystem::remove(folder_.path() / "gridstride");
  auto viewer = open();
  EXPECT_TRUE(viewer.until_sees("can't be started: No such file"));
}

TEST_F(viewer_machine_page, does_not_wait_for_a_doctor_who_sleeps) {
  doctor("sleep infinity & sleep infinity");  // a page that waited would hang the test
  auto viewer = open();
  viewer.frame(20);
  EXPECT_TRUE(viewer.sees("Asking doctor"));
}

TEST(viewer_machine_facts, refuse_what_is_no_document) {
  for (const char* text : {"", "[]", "{}", "null", "\x01"})
    EXPECT_THROW(viewer::read_machine_facts(text), gs::error) << text;
}

}  // namespace
