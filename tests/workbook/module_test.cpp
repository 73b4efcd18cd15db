// Modules: two that use the same names are open at once, and a closed one is really gone.

#include "workbook/module.h"

#include <dlfcn.h>
#include <gtest/gtest.h>
#include <unistd.h>

#include <filesystem>
#include <optional>
#include <string>

#include "runtime/core/error.h"

namespace {

using workbook::lesson_module;

TEST(lesson_module, keeps_equal_names_apart) {
  const lesson_module first = lesson_module::open(TOY_MODULE_1), second = lesson_module::open(TOY_MODULE_2);
  EXPECT_EQ(first.lesson().number, 1);
  EXPECT_EQ(second.lesson().number, 2);
  EXPECT_EQ(dlsym(RTLD_DEFAULT, "gridstride_lesson"), nullptr);  // not even the entries are seen by others
  for (const lesson_module* m : {&first, &second}) {
    workbook::report r;
    m->lesson().run(workbook::parameters(m->lesson().parameters), r);
    EXPECT_EQ(r.checks(), 4u);
    EXPECT_EQ(r.failed_checks(), 0u) << m->lesson().number;
  }
}

TEST(lesson_module, starts_afresh_when_it_is_opened_again) {
  for (int round = 0; round < 3; ++round) {
    const lesson_module m = lesson_module::open(TOY_MODULE_1);
    workbook::report r;
    m.lesson().run(workbook::parameters(m.lesson().parameters), r);
    EXPECT_EQ(r.failed_checks(), 0u);  // the counter that the run before left at 2 is 1 again
  }
  EXPECT_EQ(dlopen(TOY_MODULE_1, RTLD_NOW | RTLD_NOLOAD), nullptr);
}

TEST(lesson_module, leaves_its_report_behind) {
  std::optional<lesson_module> m = lesson_module::open(TOY_MODULE_2);
  workbook::report r;
  m->lesson().run(workbook::parameters(m->lesson().parameters), r);
  m.reset();
  EXPECT_EQ(std::get<workbook::check>(r.items()[0]).name, "function");
}

TEST(lesson_module, throws_what_can_be_caught_by_its_type) {
  const lesson_module m = lesson_module::open(TOY_MODULE_1);
  workbook::parameters values(m.lesson().parameters);
  values.set("fail", "yes");
  workbook::report r;
  EXPECT_THROW(m.lesson().run(values, r), gs::machine_error);
}

TEST(lesson_module, exports_its_entry_and_nothing_else) {
  void* handle = dlopen(TOY_MODULE_1, RTLD_NOW | RTLD_LOCAL);
  ASSERT_NE(handle, nullptr);
  EXPECT_NE(dlsym(handle, "gridstride_lesson"), nullptr);
  EXPECT_EQ(dlsym(handle, "_Z9same_namev"), nullptr);
  EXPECT_EQ(dlsym(handle, "same_global"), nullptr);
  dlclose(handle);
}

// At whatever byte: the dynamic linker would end the program.
TEST(lesson_module, refuses_a_file_that_is_cut_off) {
  const std::string cut = std::string(TOY_MODULE_1) + ".cut";
  const auto size = std::filesystem::file_size(TOY_MODULE_1);
  for (const std::uintmax_t bytes : {std::uintmax_t{0}, std::uintmax_t{10}, std::uintmax_t{64}, std::uintmax_t{1000},
                                     size / 4, size / 2, size - 100, size - 1}) {
    std::filesystem::copy_file(TOY_MODULE_1, cut, std::filesystem::copy_options::overwrite_existing);
    std::filesystem::resize_file(cut, bytes);
    try {
      lesson_module::open(cut);
      ADD_FAILURE() << bytes << " bytes of " << size;
    } catch (const gs::error& e) {
      EXPECT_EQ(e.found(), "the file is no shared library, or not a whole one") << bytes << " bytes of " << size;
    }
  }
  std::filesystem::remove(cut);
}

TEST(lesson_module, says_what_is_wrong_with_a_file) {
  const auto error_of = [](const std::string& path) -> std::string {
    try {
      lesson_module::open(path);
    } catch (const gs::error& e) {
      return e.what();
    }
    return "no error";
  };
  EXPECT_EQ(error_of("/no/such/module.so"),
            "opening the lesson module /no/such/module.so: /no/such/module.so: cannot open shared object file: No such "
            "file or directory; build the lesson again");
  Dl_info library{};
  ASSERT_NE(dladdr(reinterpret_cast<void*>(&dlopen), &library), 0);  // some shared library that is no lesson
  EXPECT_NE(error_of(library.dli_fname).find("it has no entry gridstride_lesson; give the .so file of a lesson"),
            std::string::npos);
}

}  // namespace
