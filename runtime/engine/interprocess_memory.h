#pragma once
// interprocess_memory: device memory of the engine that several processes map: an anonymous file each, which lives as
// long as one of them has it (memfd_create(2)). Another process opens it by the files of this one in /proc.

#include <cstddef>
#include <string>

#include "runtime/core/config.h"

namespace gs::inline GS_FLAVOUR::interprocess_memory {

/// Null if there is no room. Throws gs::error where the engine's memory is closed to the host (closed_memory.h).
void* allocate(std::size_t bytes);
/// Of memory that allocate() or open() returned: this process has it no longer.
void deallocate(void* memory);

/// Four numbers: the process, its file, what identifies the file, and its size in bytes.
std::string handle(const void* memory);
/// Maps the memory of a handle, at an address of this process' own. Throws gs::error if it isn't a handle, if the
/// process or its memory is gone or belongs to somebody else, and if the memory has fewer bytes.
void* open(const std::string& handle, std::size_t bytes);

}  // namespace gs::inline GS_FLAVOUR::interprocess_memory
