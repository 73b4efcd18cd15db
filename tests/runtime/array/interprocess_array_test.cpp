// Arrays that two processes use: the other one is other_process.cpp.

#include <fcntl.h>
#include <gtest/gtest.h>
#include <sys/types.h>
#include <unistd.h>

#include <algorithm>
#include <csignal>
#include <cstdio>
#include <filesystem>
#include <memory>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

#include "runtime/array/interprocess_array.h"
#include "runtime/gs.h"
#include "runtime/host/descriptor.h"
#include "runtime/host/start_process.h"
#include "tests/runtime/starts_programs.h"

namespace {

// Started with these words, and asked line by line.
class other_process {
 public:
  explicit other_process(std::vector<std::string> words) {
    words.insert(words.begin(), OTHER_PROCESS);
    int in[2], out[2];
    if (pipe2(in, O_CLOEXEC) != 0 || pipe2(out, O_CLOEXEC) != 0) throw std::runtime_error("no pipe");
    const gs::detail::descriptor its_input(in[0]), its_output(out[1]);
    input_ = gs::detail::descriptor(in[1]);
    output_.reset(fdopen(out[0], "r"));
    id_ = gs::detail::start_process({.command = words, .input = in[0], .output = out[1]});
  }
  other_process(const other_process&) = delete;
  other_process& operator=(const other_process&) = delete;
  ~other_process() { end(); }

  std::string line() {
    std::string text;
    for (int c = std::fgetc(output_.get()); c != EOF && c != '\n'; c = std::fgetc(output_.get()))
      text += static_cast<char>(c);
    return text;
  }
  std::string ask(const std::string& step) {
    const std::string sent = step + "\n";
    EXPECT_EQ(write(input_.number(), sent.data(), sent.size()), static_cast<ssize_t>(sent.size()));
    return line();
  }
  int end() {
    if (id_ == 0) return 0;
    input_.close();
    return gs::detail::wait_for_process(std::exchange(id_, 0));
  }
  void kill() {
    ::kill(id_, SIGKILL);
    end();
  }

 private:
  struct close_file {
    void operator()(std::FILE* f) const { std::fclose(f); }
  };
  gs::detail::descriptor input_;
  std::unique_ptr<std::FILE, close_file> output_;
  pid_t id_ = 0;
};

gs::interprocess_array<float> lent(const std::vector<float>& x) {
  gs::interprocess_array<float> array(x.size());
  array.copy_from_host(x);
  return array;
}

template <class F>
std::string error_of_array(const F& f) {
  try {
    f();
  } catch (const gs::error& e) {
    return e.what();
  }
  return "nothing was thrown";
}

std::size_t open_files() {
  const std::filesystem::directory_iterator files("/proc/self/fd");
  return static_cast<std::size_t>(std::distance(begin(files), end(files)));
}

TEST(interprocess_array, is_one_memory_for_two_processes) {
  SKIP_UNLESS_PROGRAMS_START();
  gs::interprocess_array<float> x = lent({3, 1, 2});
  other_process other({"borrow", x.handle()});
  EXPECT_EQ(other.line(), "3 1 2 ");
  const gs::ledger_scope scope;
  EXPECT_EQ(other.ask("sort"), "1 2 3 ");
  EXPECT_EQ(scope.account(), gs::ledger{}) << "the other process wrote, and nothing was copied here";
  EXPECT_EQ(x.copy_to_host(), (std::vector<float>{1, 2, 3}));
  x.copy_from_host(std::vector<float>{9, 8, 7});
  EXPECT_EQ(other.ask("read"), "9 8 7 ");
  EXPECT_EQ(other.end(), 0);
}

TEST(interprocess_array, is_an_array_as_any_other) {
  for (const std::size_t n : {1, 31, 32, 33, 1009, 1'000'003}) {
    std::vector<float> host(n);
    for (std::size_t i = 0; i < n; ++i) host[i] = static_cast<float>(n - i);
    gs::interprocess_array<float> x = lent(host);
    const gs::interprocess_array<float> again = gs::open_array<float>(x.handle());
    if (x.kind() == gs::device_kind::engine) {
      EXPECT_NE(again.data(), x.data());
    }
    gs::sort(x, gs::out(x));
    std::ranges::reverse(host);
    EXPECT_EQ(again.copy_to_host(), host) << n << " elements";
  }
}

TEST(interprocess_array, hands_on_shape_and_type) {
  gs::interprocess_array<std::uint16_t> x({2, 3});
  x.copy_from_host(std::vector<std::uint16_t>{1, 2, 3, 4, 5, 6});
  const gs::ledger_scope scope;
  const std::string handle = x.handle();
  EXPECT_EQ(scope.account(), (gs::ledger{.loans = 1, .lent_bytes = 12}));
  const auto opened = gs::open_array<std::uint16_t>(handle);
  EXPECT_EQ(opened.shape(), (gs::shape{2, 3}));
  EXPECT_EQ(opened.copy_to_host(), (std::vector<std::uint16_t>{1, 2, 3, 4, 5, 6}));
  EXPECT_EQ(error_of_array([&] { gs::open_array<std::int16_t>(handle); }),
            "an array of another process as int16: its elements are of type uint16; open it by its own type");
  const gs::interprocess_array<float> scalar{gs::shape()};
  EXPECT_EQ(gs::open_array<float>(scalar.handle()).shape(), gs::shape());
}

TEST(interprocess_array, outlives_the_process_that_made_it) {
  SKIP_UNLESS_PROGRAMS_START();
  other_process other({"lend"});
  const std::string handle = other.line();
  {
    const auto x = gs::open_array<float>(handle);
    other.kill();
    EXPECT_EQ(x.copy_to_host(), (std::vector<float>{1.5f, 2.5f, 3.5f}));
    const std::string message = error_of_array([&] { gs::open_array<float>(handle); });
    EXPECT_NE(message.find("the process or its array is gone; keep the array there until it has been opened"),
              std::string::npos)
        << message;
    // A borrower may lend it on.
    EXPECT_EQ(gs::open_array<float>(x.handle()).copy_to_host(), (std::vector<float>{1.5f, 2.5f, 3.5f}));
  }
}

TEST(interprocess_array, lives_on_where_it_was_opened) {
  SKIP_UNLESS_PROGRAMS_START();
  std::string handle;
  auto x = std::make_unique<gs::interprocess_array<float>>(lent({4, 5, 6}));
  handle = x->handle();
  other_process other({"borrow", handle});
  EXPECT_EQ(other.line(), "4 5 6 ");
  x.reset();
  EXPECT_EQ(other.ask("read"), "4 5 6 ");
  other_process late({"borrow", handle});
  EXPECT_NE(late.line().find("the process or its array is gone"), std::string::npos);
  EXPECT_EQ(late.end(), 1);
}

TEST(interprocess_array, frees_its_memory_and_file) {
  lent({1});
  const std::size_t before = open_files();
  const auto in_use = [] {
    return gs::detail::device_context::current().pool(gs::detail::memory_kind::interprocess).bytes_in_use();
  };
  for (int k = 0; k < 100; ++k) {
    const auto x = lent({1, 2, 3});
    const auto y = gs::open_array<float>(x.handle());
    EXPECT_GT(in_use(), 0u);
  }
  EXPECT_EQ(open_files(), before);
  EXPECT_EQ(in_use(), 0u);
}

// A handle with one of its words changed: "gridstride-array; engine; float32; 3; PROCESS FILE INODE BYTES".
TEST(interprocess_array, refuses_handles_that_are_none) {
  const auto x = lent({1, 2, 3});
  const std::string handle = x.handle();
  const std::string words = handle.substr(handle.rfind("; ") + 2);
  const auto opened = [](const std::string& text) { return error_of_array([&] { gs::open_array<float>(text); }); };
  const std::string advice = "; pass on the whole text that handle() returned";
  for (const std::string text : {"", "hello", "gridstride-array; engine; float32; 3", "a; engine; float32; 3; 1 2 3 4"})
    EXPECT_EQ(opened(text), "an array of another process: \"" + text + "\" is no handle of an array" + advice);
  for (const std::string extents : {"x", "-1", "4 y"}) {
    const std::string text = "gridstride-array; engine; float32; " + extents + "; " + words;
    EXPECT_EQ(opened(text), "an array of another process: \"" + text + "\" is no handle of an array" + advice);
  }
  EXPECT_EQ(opened("gridstride-array; tpu; float32; 3; " + words),
            "an array of another process on the current device, engine: it lives on another one, tpu; select_device "
            "before it is opened, or copy it there");
  for (const std::string numbers : {"1 2 3", "1 2 3 4 5", "0 2 3 4", "1 -2 3 4", "a b c d"})
    EXPECT_EQ(opened("gridstride-array; engine; float32; 3; " + numbers),
              "memory of another process: \"" + numbers + "\" is not a handle of the engine's memory" + advice);
}

TEST(interprocess_array, refuses_memory_that_is_smaller_or_another) {
  const auto x = lent({1, 2, 3});
  const std::string handle = x.handle();
  const std::string words = handle.substr(handle.rfind("; ") + 2);
  const std::string process = words.substr(0, words.find(' ')), file = words.substr(0, words.rfind(' '));
  const auto opened = [](const std::string& extents, const std::string& numbers) {
    return error_of_array(
        [&] { gs::open_array<float>("gridstride-array; engine; float32; " + extents + "; " + numbers); });
  };
  const std::string start = "memory of process " + process + ": ";
  const std::string whole = "; pass on the whole text that handle() returned";
  EXPECT_EQ(opened("100", words), start + "it has 256 bytes, and 400 were asked for" + whole);
  EXPECT_EQ(opened("3", file + " 4096"), start + "the file is no memory of an array" + whole);
  EXPECT_EQ(opened("3", process + " 1 1 12"),
            start + "the process or its array is gone; keep the array there until it has been opened");
}

TEST(interprocess_array, has_no_handle_without_elements) {
  EXPECT_EQ(error_of_array([] { static_cast<void>(gs::interprocess_array<float>(0).handle()); }),
            "a handle of an array of shape (0,): it has no memory; lend arrays of at least one element");
}

}  // namespace
