// SPDX-License-Identifier: Apache-2.0
#include "core/system/struct_size.h"

#include <string.h>

#include "core/number/minmax.h"

duet_code duet_struct_take(void *copy, size_t size, size_t oldest, const void *given,
                           const char *name, duet_error *error)
{
    size_t said;
    memcpy(&said, given, sizeof said); // the first member of all of them
    if (said < oldest) {
        return duet_error_set(error, DUET_E_USAGE, "%s: expected struct_size = sizeof(%s), got %zu",
                              name, name, said);
    }
    const unsigned char *bytes = given;
    for (size_t i = size; i < said; i++) {
        if (bytes[i] != 0) {
            return duet_error_set(error, DUET_E_UNSUPPORTED,
                                  "%s: a member that this version of the library does not know is "
                                  "set (struct_size %zu, known %zu)",
                                  name, said, size);
        }
    }
    memcpy(copy, given, duet_min(said, size));
    return DUET_OK;
}
