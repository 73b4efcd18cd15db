// The sentences of findings, each kind.

#include "runtime/instruments/results/finding_text.h"

#include <gtest/gtest.h>

#include "runtime/instruments/device_model/launch_refusals.h"

namespace {

using gs::access_kind;
using gs::finding;
using gs::finding_access;
using gs::finding_kind;
using gs::memory_space;
using gs::source_place;

// What the compiler's plugin would have noted of these sources (compiler/README.md), so that the sentences are the same
// in every build. kernel.cpp:
//
//   A(i, j) = 0;                      1
//   x[i] = x[i - 1];                  2
//   s->sums[t] += s->sums[k];         3
//   t.sync();                         4
//   y[0] = 1;                         5
//   GS_FN void f(gs::block<8> b, gs::view<int> z) {
//     z[0] = 1;                       7
//     z[1] = 2;                       8
__asm__(R"(
  .pushsection .note.gridstride,"a",@note
  .balign 4
  .long 11, 9f - 8f, 1
  .asciz "gridstride"
  .balign 4
8:
  .ascii "source_notes\t1\n"
  .ascii "file\tkernel.cpp\n"
  .ascii "access\t1:2\t\tA(i, j)\tA\ti\tj\n"
  .ascii "access\t2:4\t\tx[i]\tx\ti\n"
  .ascii "access\t2:15\t\tx[i - 1]\tx\ti - 1\n"
  .ascii "access\t3:10\t\ts->sums[t]\ts->sums\tt\n"
  .ascii "access\t3:24\t\ts->sums[k]\ts->sums\tk\n"
  .ascii "barrier\t4:7\n"
  .ascii "access\t5:4\t\ty[0]\ty\t0\n"
  .ascii "blocks\t6:8\n"
  .ascii "access\t7:3\t\tz[0]\tz\t0\n"
  .ascii "access\t7:4\t\tz[0]\tz\t0\n"
  .ascii "access\t8:3\t\tz[1]\tz\t1\n"
  .ascii "file\tcondition.cpp\n"
  .ascii "access\t1:8\t\tx[i & 7]\tx\ti & 7\n"
  .ascii "access\t2:16\t\tx[i < n ? i : 0]\tx\ti < n ? i : 0\n"
  .ascii "access\t3:6\t\tx[i++]\tx\ti++\n"
  .ascii "access\t4:2\t\tx[gs::atomic_ref(n[0]).fetch_add(1u)]\tx\tgs::atomic_ref(n[0]).fetch_add(1u)\n"
  .ascii "access\t5:10\t\tx[f(i, j)]\tx\tf(i, j)\n"
  .ascii "file\tfunction.cpp\n"
  .ascii "access\t2:19\t\tload(a, i)\n"
  .ascii "access\t5:22\t\tmath::load(i)\n"
9:
  .balign 4
  .popsection
)");

class finding_text : public testing::Test {
 protected:
  source_place at(unsigned line, unsigned column) const { return {"kernel.cpp", line, column}; }
  finding_access access(access_kind kind, source_place place, gs::index3 block, gs::index3 thread) const {
    return {.kind = kind, .where = place, .kernel = "step", .block = block, .thread = thread};
  }
};

// Built member by member: of a whole aggregate with initial values, g++ 12 warns.
finding finding_of(finding_kind kind, const finding_access& access, std::vector<std::ptrdiff_t> index = {},
                   std::vector<std::size_t> extents = {}) {
  finding finding;
  finding.kind = kind;
  finding.access = access;
  finding.index = std::move(index);
  finding.extents = std::move(extents);
  return finding;
}

std::string meaning(finding finding) {
  gs::detail::describe(finding);
  return finding.meaning;
}
std::string hint(finding finding) {
  gs::detail::describe(finding);
  return finding.hint;
}

}  // namespace

TEST_F(finding_text, outside_the_shape) {
  const finding f = finding_of(finding_kind::outside_shape, access(access_kind::write, at(1, 2), {2, 0, 0}, {8, 3, 0}),
                               {3, 5000}, {4, 5000});
  EXPECT_EQ(meaning(f),
            "A(3, 5000) writes outside the array's shape (4, 5000) along dimension 1, in thread (8, 3) of block 2.");
  EXPECT_EQ(hint(f), "Let only threads with an index below the extent do this: if (j < A.extent(1)).");
}

TEST_F(finding_text, outside_the_shape_inside_the_memory) {
  finding f = finding_of(finding_kind::outside_shape, access(access_kind::read, at(1, 2), {}, {}), {2, 5}, {4, 5});
  EXPECT_EQ(
      meaning(f),
      "A(2, 5) reads outside the array's shape (4, 5) along dimension 1, in thread 0 of block 0; in memory that is "
      "A(3, 0).");
  f.index = {4, 0};
  EXPECT_EQ(meaning(f), "A(4, 0) reads outside the array's shape (4, 5) along dimension 0, in thread 0 of block 0.");
  EXPECT_EQ(hint(f), "Let only threads with an index below the extent do this: if (i < A.extent(0)).");
  f.index = {1, -1};
  EXPECT_EQ(
      meaning(f),
      "A(1, -1) reads outside the array's shape (4, 5) along dimension 1, in thread 0 of block 0; in memory that is "
      "A(0, 4).");
  f.index = {0, 0};
  f.extents = {0, 0};
  EXPECT_EQ(meaning(f), "A(0, 0) reads outside the array's shape (0, 0) along dimension 0, in thread 0 of block 0.");
  f.index = {PTRDIFF_MAX, 4};
  f.extents = {2, 3};
  EXPECT_EQ(
      meaning(f),
      "A(9223372036854775807, 4) reads outside the array's shape (2, 3) along dimension 0, in thread 0 of block 0.");
}

TEST_F(finding_text, outside_in_one_dimension) {
  finding f = finding_of(finding_kind::outside_shape, access(access_kind::write, at(2, 4), {3, 0, 0}, {8, 0, 0}),
                         {1000}, {1000});
  EXPECT_EQ(meaning(f), "x[1000] writes outside the array's shape (1000,), in thread 8 of block 3.");
  EXPECT_EQ(hint(f), "Let only threads with an index below the extent do this: if (i < x.size()).");
  f.access = access(access_kind::read, at(2, 15), {}, {});
  f.index = {-1};
  EXPECT_EQ(meaning(f), "x[-1] reads outside the array's shape (1000,), in thread 0 of block 0.");
  EXPECT_EQ(
      hint(f),
      "Let only threads whose index isn't negative do this; test before you subtract, since an unsigned number never "
      "gets below 0.");
}

TEST_F(finding_text, outside_where_the_source_is_gone) {
  finding f = finding_of(finding_kind::outside_shape, access(access_kind::atomic, {}, {}, {}), {1001}, {1000});
  EXPECT_EQ(meaning(f),
            "Element [1001] of device memory updates outside the array's shape (1000,), in thread 0 of "
            "block 0.");
  EXPECT_EQ(hint(f), "Let only threads with an index below the extent do this; the last index is the extent - 1.");
  f.array = "counts";
  EXPECT_EQ(meaning(f), "counts[1001] updates outside the array's shape (1000,), in thread 0 of block 0.");
}

TEST_F(finding_text, freed_memory) {
  finding f = finding_of(finding_kind::use_after_free, access(access_kind::read, at(2, 15), {}, {5, 0, 0}), {4});
  f.array = "x_device";
  EXPECT_EQ(meaning(f), "Thread 5 of block 0 reads x[4] after x_device was freed or moved from, in step.");
  EXPECT_EQ(hint(f),
            "Launch the kernel before the gs::device_array goes out of scope or is moved, or keep the array longer.");
  f.array = "";
  f.index = {};
  EXPECT_EQ(meaning(f), "Thread 5 of block 0 reads x[i - 1] after an array was freed or moved from, in step.");
}

TEST_F(finding_text, host_memory) {
  finding f = finding_of(finding_kind::host_memory, access(access_kind::write, at(2, 4), {}, {5, 0, 0}), {3});
  EXPECT_EQ(meaning(f), "Thread 5 of block 0 writes x[3], which lies in the host's memory: a GPU can't reach it.");
  EXPECT_EQ(hint(f),
            "Copy the values with gs::to_device and pass the result to the kernel, or pass a single one by value.");
  f = finding_of(finding_kind::host_memory, access(access_kind::read, {}, {}, {5, 0, 0}), {});
  EXPECT_EQ(meaning(f), "Thread 5 of block 0 reads the host's memory: a GPU can't reach it.");
  f = finding_of(finding_kind::outside_shape, access(access_kind::read, {}, {}, {5, 0, 0}), {});
  EXPECT_EQ(meaning(f), "Thread 5 of block 0 reads device memory at an address that belongs to no array.");
}

TEST_F(finding_text, device_memory) {
  finding f = finding_of(finding_kind::device_memory, access(access_kind::read, at(2, 4), {}, {}), {});
  f.array = "x_device";
  EXPECT_EQ(meaning(f),
            "Code of the host reads memory of x_device, which lies on the device: on a GPU it can't reach it.");
  EXPECT_EQ(hint(f),
            "Let a kernel do this: pass it the array and launch it; or copy the elements with copy_to_host or "
            "copy_from_host.");
  f.array = "";
  f.access.kind = access_kind::write;
  EXPECT_EQ(meaning(f),
            "Code of the host writes memory of an array, which lies on the device: on a GPU it can't reach it.");
}

TEST_F(finding_text, device_variable) {
  finding f = finding_of(finding_kind::device_variable, access(access_kind::read, at(2, 4), {}, {}), {});
  f.array = "counter";
  EXPECT_EQ(meaning(f),
            "Code of the host reads counter, a variable of the device: on a GPU the host's variable of that name is "
            "another one.");
  EXPECT_EQ(
      hint(f),
      "Copy the value, cudaMemcpyFromSymbol(&value, counter, sizeof counter), or declare the variable __managed__ "
      "and wait for the kernels before.");
  f.access.kind = access_kind::write;
  EXPECT_EQ(meaning(f),
            "Code of the host writes counter, a variable of the device: on a GPU the host's variable of that name is "
            "another one.");
  EXPECT_EQ(hint(f),
            "Copy the value, cudaMemcpyToSymbol(counter, &value, sizeof counter), or declare the variable __managed__ "
            "and wait for the kernels before.");
}

TEST_F(finding_text, unchecked_error) {
  finding f = finding_of(finding_kind::unchecked_error, access(access_kind::read, at(2, 4), {}, {}), {});
  f.access.kernel = "cudaMalloc";
  f.array = "cudaErrorMemoryAllocation";
  EXPECT_EQ(meaning(f), "cudaMalloc failed with cudaErrorMemoryAllocation, and nobody asked.");
  EXPECT_EQ(hint(f),
            "Compare what each call returns with cudaSuccess, and ask cudaGetLastError() after each launch: what comes "
            "after an error works on values that aren't there.");
  f.access.kernel = "the launch of fill";
  EXPECT_EQ(meaning(f), "The launch of fill failed with cudaErrorMemoryAllocation, and nobody asked.");
}

TEST_F(finding_text, race_with_host) {
  finding f = finding_of(finding_kind::race_with_host, access(access_kind::read, at(5, 0), {}, {}), {});
  f.other = access(access_kind::write, at(2, 4), {}, {});
  f.other->kernel = "fill";
  f.array = "x";
  EXPECT_EQ(meaning(f),
            "Code of the host reads x while fill (line 2) may still write it: nothing has waited for that.");
  EXPECT_EQ(hint(f),
            "Wait before: gs::synchronize(), synchronize() of the stream, or of an event that was recorded behind the "
            "work.");
  f.access.kind = access_kind::write;
  f.other = access(access_kind::read, at(0, 0), {}, {});
  f.other->kernel = "";
  f.array = "";
  EXPECT_EQ(meaning(f),
            "Code of the host writes an array while a library call (an unknown line) may still read it: nothing has "
            "waited for that.");
}

TEST_F(finding_text, unseen_access) {
  finding f = finding_of(finding_kind::unseen_access, access(access_kind::write, at(2, 4), {}, {5, 0, 0}), {});
  f.array = "y";
  EXPECT_EQ(meaning(f), "Thread 5 of block 0 writes memory of y in a way that the instruments don't see.");
  EXPECT_NE(hint(f).find("inline assembly"), std::string::npos);
}

TEST_F(finding_text, uninitialized) {
  finding f = finding_of(finding_kind::uninitialized_read, access(access_kind::read, at(3, 24), {1, 0, 0}, {}), {7});
  EXPECT_EQ(meaning(f), "Thread 0 of block 1 reads s->sums[7], which nothing has written.");
  EXPECT_EQ(
      hint(f),
      "A gs::device_array begins without values: write every element first, or make it with gs::to_device from an "
      "array that has them.");
  f.space = memory_space::shared;
  EXPECT_EQ(hint(f),
            "Shared memory begins without values in every block: let the block's threads write it, then t.sync(), then "
            "read.");
  f.space = memory_space::local;
  EXPECT_EQ(hint(f), "A local array begins without values: write the elements before you read them.");
  f.access.where = {};
  f.index = {};
  EXPECT_EQ(meaning(f), "Thread 0 of block 1 reads an element of a local array, which nothing has written.");
  f.space = memory_space::shared;
  EXPECT_EQ(meaning(f), "Thread 0 of block 1 reads an element of shared memory, which nothing has written.");
}

TEST_F(finding_text, race_in_a_block) {
  finding f = finding_of(finding_kind::race_in_block, access(access_kind::read, at(3, 24), {2, 0, 0}, {5, 0, 0}), {4});
  f.space = memory_space::shared;
  f.other = access(access_kind::write, at(3, 10), {2, 0, 0}, {4, 1, 0});
  EXPECT_EQ(
      meaning(f),
      "Thread (4, 1) of block 2 writes s->sums[4] (line 3) and thread (5, 0) of block 2 reads it (line 3), with no "
      "barrier between.");
  EXPECT_EQ(hint(f),
            "Read into a variable, then t.sync(), then write; in a loop, t.sync() once more before the next round.");
  std::swap(f.access.thread, f.other->thread);
  EXPECT_NE(meaning(f).find("Thread (5, 0) of block 2 writes"), std::string::npos);
  f.other->where = at(5, 4);
  EXPECT_EQ(
      hint(f),
      "Between line 5 and line 3 of the next round there is no barrier: t.sync() once more, at the end of the loop.");
  f.other->where = at(2, 4);
  EXPECT_EQ(hint(f), "Put t.sync() between line 2 and line 3, where every thread of the block reaches it.");
  std::swap(f.access, *f.other);  // the order of the two doesn't tell where the barrier is missing
  EXPECT_EQ(hint(f), "Put t.sync() between line 2 and line 3, where every thread of the block reaches it.");
  std::swap(f.access, *f.other);
  f.access.where = at(5, 4);
  EXPECT_NE(hint(f).find("Between line 5 and line 2 of the next round"), std::string::npos) << hint(f);
  f.space = memory_space::global;
  EXPECT_NE(hint(f).find("In a grid of several blocks even that is not enough: write to a second array."),
            std::string::npos);
  f.space = memory_space::shared;
  f.access.where = at(8, 3);
  f.other->where = at(7, 3);
  EXPECT_EQ(hint(f), "Give each of the two a block.each of its own: what ends one of them is the barrier.");
  f.access.where = at(3, 24);
  f.other->where = at(2, 4);
  f.other->kind = access_kind::atomic;
  EXPECT_EQ(hint(f), "Put t.sync() between line 2 and line 3, where every thread of the block reaches it.");
  f.takes_atomics = true;
  f.other->where = f.access.where;
  EXPECT_EQ(hint(f),
            "An atomic access orders nothing against a plain one: make both atomic, gs::atomic_ref(s->sums[k]).");
  f.other->where = at(2, 4);
  f.other->kind = f.access.kind = access_kind::write;
  EXPECT_EQ(
      hint(f),
      "Give every thread an element of its own, or make the update atomic: gs::atomic_ref(s->sums[k]).fetch_add(...).");
  f.same_value = true;
  EXPECT_NE(meaning(f).find("with no barrier between; both write the same value."), std::string::npos);
  EXPECT_EQ(hint(f), "No result depends on which of the writes comes last; still, let one thread do it where you can.");
}

TEST_F(finding_text, race_between_blocks) {
  finding f = finding_of(finding_kind::race_between_blocks, access(access_kind::write, at(5, 4), {1, 0, 0}, {}), {0});
  f.other = access(access_kind::read, at(5, 4), {0, 3, 0}, {});
  f.takes_atomics = true;
  EXPECT_EQ(
      meaning(f),
      "Thread 0 of block (0, 3) reads y[0] (line 5) and thread 0 of block (1, 0) writes it (line 5), in one launch, "
      "whose blocks run in any order.");
  EXPECT_EQ(hint(f),
            "Give every thread an element of its own, or make the update atomic: gs::atomic_ref(y[0]).fetch_add(...).");
  f.other->where = {"lessons/heat.h", 12, 3};
  EXPECT_EQ(
      hint(f),
      "t.sync() orders only the threads of one block: write to a second array, or do what comes later in a launch of "
      "its own.");
  EXPECT_NE(meaning(f).find("(heat.h:12)"), std::string::npos);
  f.other->kind = access_kind::write;
  f.same_value = true;
  EXPECT_NE(meaning(f).find("any order; both write the same value."), std::string::npos);
  f.access.where = f.other->where = {};
  f.same_value = false;
  EXPECT_NE(meaning(f).find("(an unknown line)"), std::string::npos);
  EXPECT_EQ(
      hint(f),
      "Give every thread an element of its own, or make the update atomic by gs::atomic_ref, if it is a number of 4 "
      "or 8 bytes and no bit field.");
}

TEST_F(finding_text, no_hint_names_an_atomic_that_does_not_compile) {
  finding f = finding_of(finding_kind::race_between_blocks, access(access_kind::write, at(5, 4), {1, 0, 0}, {}), {0});
  f.other = access(access_kind::write, at(5, 4), {}, {});
  f.takes_atomics = false;  // a byte, a bool, a struct
  EXPECT_EQ(hint(f),
            "Give every thread an element of its own: gs::atomic_ref takes numbers of 4 or 8 bytes, and this is none. "
            "Where threads must share one, let it be an unsigned or a float.");
  f.takes_atomics.reset();  // shared memory through a raw pointer, perhaps a bit field
  EXPECT_EQ(
      hint(f),
      "Give every thread an element of its own, or make the update atomic by gs::atomic_ref, if it is a number of 4 "
      "or 8 bytes and no bit field.");
  f.other->kind = access_kind::atomic;
  EXPECT_EQ(
      hint(f),
      "An atomic access orders nothing against a plain one: make both atomic, by gs::atomic_ref of the same element.");
  f.takes_atomics = true;
  EXPECT_EQ(hint(f), "An atomic access orders nothing against a plain one: make both atomic, gs::atomic_ref(y[0]).");
}

// The condition that is proposed compiles and means what it should.
TEST_F(finding_text, the_condition_is_one_comparison) {
  const auto hint_at = [&](unsigned line, unsigned column) {
    return hint(finding_of(finding_kind::outside_shape,
                           access(access_kind::write, {"condition.cpp", line, column}, {}, {}), {64}, {64}));
  };
  EXPECT_EQ(hint_at(1, 8), "Let only threads with an index below the extent do this: if ((i & 7) < x.size()).");
  EXPECT_EQ(hint_at(2, 16),
            "Let only threads with an index below the extent do this: if ((i < n ? i : 0) < x.size()).");
  const char* const all_differ =
      "Keep the index in a variable of its own, and let only threads whose index is below x.size() do this.";
  EXPECT_EQ(hint_at(3, 6), all_differ);
  EXPECT_EQ(hint_at(4, 2), all_differ);
  EXPECT_EQ(hint_at(5, 10), "Let only threads with an index below the extent do this: if (f(i, j) < x.size()).");
}

TEST_F(finding_text, a_function_that_takes_an_index_is_no_array) {
  const source_place by_name{"function.cpp", 2, 19}, unknown{"function.cpp", 3, 24}, qualified{"function.cpp", 5, 22};
  for (const source_place& place : {by_name, unknown, qualified}) {
    finding f = finding_of(finding_kind::outside_shape, access(access_kind::read, place, {}, {}), {64}, {64});
    f.array = "a_device";
    EXPECT_EQ(meaning(f), "a_device[64] reads outside the array's shape (64,), in thread 0 of block 0.") << place.line;
    EXPECT_EQ(hint(f), "Let only threads with an index below the extent do this; the last index is the extent - 1.");
  }
}

TEST_F(finding_text, copy_to_host_of_what_nothing_wrote) {
  finding f = finding_of(finding_kind::uninitialized_read, access(access_kind::read, at(5, 1), {}, {}), {5}, {8});
  f.access.kernel = "copy_to_host";
  f.array = "y_device";
  EXPECT_EQ(meaning(f), "copy_to_host copies element [5] of y_device, which nothing has written.");
  f.count = 3;
  EXPECT_EQ(meaning(f), "copy_to_host copies element [5] of y_device, which nothing has written, and 2 like it.");
  EXPECT_EQ(hint(f),
            "Let the kernel write every element, or copy the slice that it writes: y.slice(0, n).copy_to_host().");
}

TEST_F(finding_text, library_calls_have_no_threads) {
  finding f = finding_of(finding_kind::uninitialized_read, access(access_kind::read, {}, {}, {}));
  f.access.has_threads = false;
  f.access.kernel = "gemm";
  f.array = "a_device";
  EXPECT_EQ(meaning(f), "Gemm reads an element of a_device, which nothing has written.");
  f.access.kernel.clear();
  EXPECT_EQ(meaning(f), "A library call reads an element of a_device, which nothing has written.");
}

TEST_F(finding_text, race_between_streams) {
  finding f = finding_of(finding_kind::race_between_streams, access(access_kind::read, {}, {}, {}), {3});
  f.array = "y_device";
  f.access.kernel = "copy_to_host";
  f.other = access(access_kind::write, at(5, 4), {}, {});
  EXPECT_EQ(meaning(f),
            "step writes y_device[3] (kernel.cpp:5) and copy_to_host reads it (an unknown line), on two streams that "
            "no event orders.");
  EXPECT_EQ(
      hint(f),
      "Let the second stream wait for the first (gs::event e; e.record(first); second.wait(e);), or put both on one "
      "stream.");
}

TEST_F(finding_text, divergent_barrier) {
  finding f = finding_of(finding_kind::divergent_barrier, access(access_kind::read, at(4, 7), {2, 0, 0}, {}));
  EXPECT_EQ(meaning(f),
            "Thread 0 of block 2 waits at the barrier of line 4, which other threads of the block never reach.");
  f.other = access(access_kind::read, at(5, 7), {2, 0, 0}, {33, 0, 0});
  EXPECT_EQ(meaning(f), "Thread 0 of block 2 waits at the barrier of line 4, but thread 33 waits at that of line 5.");
  f.other->where = at(4, 20);
  EXPECT_EQ(
      meaning(f),
      "Thread 0 of block 2 waits at the barrier of line 4, column 7, but thread 33 waits at that of line 4, column "
      "20.");
  EXPECT_EQ(hint(f),
            "Move the barrier out of the if or the loop, so that all threads of the block reach the same one.");
}

TEST_F(finding_text, lanes_that_never_come) {
  finding f = finding_of(finding_kind::divergent_lanes, access(access_kind::read, at(4, 7), {2, 0, 0}, {1, 0, 0}));
  EXPECT_EQ(meaning(f), "Thread 1 of block 2 waits in line 4 for lanes of its warp that never get there.");
  EXPECT_EQ(
      hint(f),
      "Let all lanes of the warp make the call, outside of any if or loop that they decide differently, or name in "
      "the mask only those that do.");
}

TEST_F(finding_text, lanes_and_grid_barriers) {
  finding f = finding_of(finding_kind::exited_lane, access(access_kind::read, at(4, 7), {2, 0, 0}, {9, 0, 0}));
  EXPECT_EQ(
      meaning(f),
      "Thread 9 of block 2 takes a value from a lane of its warp that has returned or isn't in the mask: CUDA leaves "
      "undefined what it gets.");
  EXPECT_EQ(
      hint(f),
      "Let all lanes of the warp come here, with an if around the work instead of a return, or name in the mask those "
      "that do.");
  f.kind = finding_kind::exit_before_grid_sync;
  EXPECT_EQ(meaning(f),
            "Thread 9 of block 2 returns before a barrier of the whole grid, where the others wait for it.");
  EXPECT_EQ(hint(f),
            "Put the work in an if instead of returning early, so that every thread reaches each grid_sync().");
}

TEST_F(finding_text, lanes_at_different_places) {
  finding f = finding_of(finding_kind::divergent_lanes, access(access_kind::read, at(4, 7), {2, 0, 0}, {9, 0, 0}));
  f.other = access(access_kind::read, at(5, 7), {2, 0, 0}, {16, 0, 0});
  EXPECT_EQ(
      meaning(f),
      "Thread 9 of block 2 exchanges values with its warp in line 4 and thread 16 in line 5: a GPU may run the two "
      "one after the other, each without the other's values.");
  EXPECT_EQ(
      hint(f),
      "Choose the value in the if and let all lanes make the same call after it, or name in the mask only the lanes "
      "of the branch.");
}

TEST_F(finding_text, outside_of_each) {
  finding f = finding_of(finding_kind::outside_each, access(access_kind::write, at(7, 4), {2, 0, 0}, {}), {0}, {8});
  EXPECT_EQ(meaning(f), "Block 2 writes z[0] outside of block.each: on a GPU each of its threads does.");
  f.access.kind = access_kind::atomic;
  EXPECT_EQ(meaning(f), "Block 2 updates z[0] atomically outside of block.each: on a GPU each of its threads does.");
  EXPECT_EQ(hint(f), "Do it in a block.each, if (t.rank() == 0) where one thread is enough.");
}

TEST_F(finding_text, shared_memory_of_nobody) {
  finding f = finding_of(finding_kind::outside_shape, access(access_kind::write, {}, {2, 0, 0}, {9, 0, 0}));
  f.space = memory_space::shared;
  EXPECT_EQ(meaning(f), "Thread 9 of block 2 writes shared memory that its block doesn't have.");
  EXPECT_EQ(
      hint(f),
      "Stay inside the struct of gs::shared and the launch's .shared_bytes; the indices of a gs::tile are checked "
      "one by one.");
}

TEST_F(finding_text, leak) {
  finding f = finding_of(finding_kind::leak, {}, {}, {3, 4});
  f.array = "x_device";
  f.made = f.access.where = at(5, 1);
  EXPECT_EQ(meaning(f), "x_device of shape (3, 4), made in line 5, is still there when the program ends.");
  EXPECT_EQ(
      hint(f),
      "Let the gs::device_array go out of scope: don't make it with new, and don't keep it in a static variable.");
  EXPECT_EQ(meaning(finding_of(finding_kind::leak, {})),
            "A device array, made in an unknown line, is still there when the program ends.");
}

TEST_F(finding_text, launch_limit) {
  finding f = finding_of(finding_kind::launch_limit, access(access_kind::read, {}, {}, {}));
  EXPECT_EQ(meaning(f), "The launch of step would fail on the chosen GPU.");
  EXPECT_EQ(hint(f), "Launch fewer threads, or let each take less memory.");
  const auto refused = gs::detail::launch_refusals(gs::model_of("9.0"), {.kernel = "step", .parameter_bytes = 40000});
  gs::detail::describe(f, refused.at(0));
  EXPECT_EQ(f.meaning, "A launch of step with 40000 bytes of parameters: compute capability 9.0 takes 32764 bytes.");
  EXPECT_EQ(f.hint, "Put the values into a gs::device_array and pass that.");
}

// Every name, and the instrument that finds it.
TEST_F(finding_text, names) {
  using gs::instrument;
  const std::pair<std::string_view, instrument> kinds[] = {{"outside_shape", instrument::memcheck},
                                                           {"use_after_free", instrument::memcheck},
                                                           {"host_memory", instrument::memcheck},
                                                           {"device_memory", instrument::memcheck},
                                                           {"unseen_access", instrument::memcheck},
                                                           {"uninitialized_read", instrument::initcheck},
                                                           {"race_in_block", instrument::racecheck},
                                                           {"race_between_blocks", instrument::racecheck},
                                                           {"race_between_streams", instrument::racecheck},
                                                           {"outside_each", instrument::racecheck},
                                                           {"divergent_barrier", instrument::synccheck},
                                                           {"exited_lane", instrument::synccheck},
                                                           {"divergent_lanes", instrument::synccheck},
                                                           {"exit_before_grid_sync", instrument::synccheck},
                                                           {"plain_spin", instrument::synccheck},
                                                           {"leak", instrument::leakcheck},
                                                           {"launch_limit", instrument::limits},
                                                           {"device_variable", instrument::memcheck},
                                                           {"unchecked_error", instrument::memcheck},
                                                           {"race_with_host", instrument::racecheck}};
  ASSERT_EQ(std::size(kinds), gs::detail::finding_kind_count);
  for (std::size_t i = 0; i < std::size(kinds); ++i) {
    EXPECT_EQ(to_string(static_cast<finding_kind>(i)), kinds[i].first);
    EXPECT_EQ(instrument_of(static_cast<finding_kind>(i)), kinds[i].second) << kinds[i].first;
  }
  constexpr std::string_view instruments[] = {"memcheck", "initcheck", "racecheck", "synccheck", "leakcheck", "limits"};
  for (std::size_t i = 0; i < gs::detail::instrument_count; ++i)
    EXPECT_EQ(to_string(static_cast<instrument>(i)), instruments[i]);
  EXPECT_EQ(to_string(access_kind::read), "read");
  EXPECT_EQ(to_string(access_kind::write), "write");
  EXPECT_EQ(to_string(access_kind::atomic), "atomic");
  EXPECT_EQ(to_string(memory_space::global), "global");
  EXPECT_EQ(to_string(memory_space::shared), "shared");
  EXPECT_EQ(to_string(memory_space::local), "local");
  EXPECT_EQ(to_string(source_place{"a.cpp", 3, 7}), "a.cpp:3:7");
  EXPECT_EQ(to_string(source_place{}), "an unknown place");
}
