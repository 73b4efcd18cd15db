// gridstride-explain: what the launcher tells a learner whose lesson doesn't build. It is built when that has happened,
// so that nobody waits for it before.
//
//   gridstride-explain errors LESSON_CPP    reads what the build has said from standard input
//
// Exit status: 0 if there was something to say, 1 if not, 2 for wrong usage.

#include <cstdio>
#include <iostream>
#include <iterator>
#include <string>
#include <string_view>

#include "exercises/explain/explanation.h"

int main(int argc, char** argv) {
  if (argc != 3 || std::string_view(argv[1]) != "errors") {
    std::fputs("gridstride-explain: write errors, and a lesson's file\n", stderr);
    return 2;
  }
  const std::string text = exercises::explained_errors({std::istreambuf_iterator<char>(std::cin), {}}, argv[2]);
  std::fputs(text.c_str(), stdout);
  return text.empty() ? 1 : 0;
}
