// gridstride-explain: what the launcher tells a learner whose lesson doesn't build. It is built when that has happened,
// so that nobody waits for it before.
//
//   gridstride-explain errors LESSON_CPP    reads what the build has said from standard input
//   gridstride-explain marks LESSON_CPP     looks for functions that lack GS_FN
//
// Exit status: 0 if there was something to say, 1 if not, 2 for wrong usage.

#include <cstdio>
#include <iostream>
#include <iterator>
#include <string>
#include <string_view>

#include "exercises/explain/explanation.h"

int main(int argc, char** argv) {
  const std::string_view what = argc == 3 ? argv[1] : "";
  std::string text;
  if (what == "errors") {
    text = exercises::explained_errors({std::istreambuf_iterator<char>(std::cin), {}}, argv[2]);
  } else if (what == "marks") {
    text = exercises::explained_marks(argv[2]);
  } else {
    std::fputs("gridstride-explain: write errors or marks, and a lesson's file\n", stderr);
    return 2;
  }
  std::fputs(text.c_str(), stdout);
  return text.empty() ? 1 : 0;
}
