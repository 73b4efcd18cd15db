#pragma once
// The structures of Arrow's C Data Interface and C Stream Interface, as their specification has them: a binary
// interface, which needs no library. https://arrow.apache.org/docs/format/CDataInterface.html, CStreamInterface.html.
// The macros are those of the specification, so that several libraries may define the same structures in one program.

#include <cstdint>

extern "C" {

#ifndef ARROW_C_DATA_INTERFACE
#define ARROW_C_DATA_INTERFACE

#define ARROW_FLAG_DICTIONARY_ORDERED 1
#define ARROW_FLAG_NULLABLE 2
#define ARROW_FLAG_MAP_KEYS_SORTED 4

/// The type of an array: a name, a format string, and children.
struct ArrowSchema {
  const char* format;
  const char* name;
  const char* metadata;
  std::int64_t flags;
  std::int64_t n_children;
  ArrowSchema** children;
  ArrowSchema* dictionary;
  void (*release)(ArrowSchema*);  ///< null once it has been called
  void* private_data;
};

/// Its elements: `length` of them from `offset` on, in buffers that the producer owns until `release` is called.
struct ArrowArray {
  std::int64_t length;
  std::int64_t null_count;  ///< -1: not counted
  std::int64_t offset;
  std::int64_t n_buffers;
  std::int64_t n_children;
  const void** buffers;
  ArrowArray** children;
  ArrowArray* dictionary;
  void (*release)(ArrowArray*);
  void* private_data;
};

#endif

#ifndef ARROW_C_STREAM_INTERFACE
#define ARROW_C_STREAM_INTERFACE

/// Arrays of one schema, one after the other. The functions return 0, or a number of errno.h.
struct ArrowArrayStream {
  int (*get_schema)(ArrowArrayStream*, ArrowSchema* out);
  int (*get_next)(ArrowArrayStream*, ArrowArray* out);  ///< `out->release` is null at the end
  const char* (*get_last_error)(ArrowArrayStream*);
  void (*release)(ArrowArrayStream*);
  void* private_data;
};

#endif
}
