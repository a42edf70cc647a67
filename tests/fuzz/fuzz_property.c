// SPDX-License-Identifier: Apache-2.0
// The property of docs/problem.md: the bytes choose an instance of any kind, schedules and claims
// of bounds. Nothing that is accepted is a schedule shorter than a bound that is accepted.
#include "tests/fuzz/fuzz.h"
#include "tests/property/property.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    draws d = draws_of_bytes(data, size);
    property_counts counts = {0};
    duet_instance *instance = NULL;
    const char *why = property_try(&d, 8, 8, &counts, &instance);
    fuzz_check(why == NULL, why);
    duet_instance_free(instance);
    return 0;
}
