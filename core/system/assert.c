// SPDX-License-Identifier: Apache-2.0
#include "core/system/assert.h"

#ifdef DUET_ASSERTS
#include <stdio.h>
#include <stdlib.h>

_Noreturn void duet_assert_failed(const char *condition, const char *file, int line)
{
    fprintf(stderr, "duet: %s:%d: this should always hold: %s\n", file, line, condition);
    abort();
}
#else
typedef int duet_no_asserts; // a translation unit is not empty
#endif
