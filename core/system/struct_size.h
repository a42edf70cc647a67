// SPDX-License-Identifier: Apache-2.0
// Structs that callers fill begin with their own size, so that they can grow: programs built
// against older or newer headers than the library's hand over shorter or longer ones.
#ifndef DUET_CORE_SYSTEM_STRUCT_SIZE_H
#define DUET_CORE_SYSTEM_STRUCT_SIZE_H

#include <stddef.h>

#include <duet/error.h>

// Size of a struct whose last member is `member`: what the first release with it had.
#define DUET_SIZE_UNTIL(type, member) (offsetof(type, member) + sizeof(((type *)0)->member))

// Copies `given` into `copy` of `size` bytes, which holds the defaults of what `given` does not
// reach. DUET_E_USAGE where it is shorter than `oldest` (nobody set struct_size),
// DUET_E_UNSUPPORTED where it is longer and says something there: this library does not know what.
// `name` is the struct's, for the message.
duet_code duet_struct_take(void *copy, size_t size, size_t oldest, const void *given,
                           const char *name, duet_error *error);

#endif
