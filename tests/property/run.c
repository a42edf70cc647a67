// SPDX-License-Identifier: Apache-2.0
// property_pairs [PAIRS [SEED]]: tries at least so many pairs of a schedule and a claim of a bound,
// and ends with 1 at the first that breaks the property. PAIRS is DUET_TEST_PAIRS where it is not
// said, SEED is DUET_TEST_SEED.
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>

#include "tests/property/property.h"
#include "tests/support/fixtures.h"

enum { PAIRS = 300000, SCHEDULES = 40, CLAIMS = 40 };

int main(int argc, char **argv)
{
    int64_t pairs =
        argc > 1 ? strtoll(argv[1], NULL, 10) : duet_test_number("DUET_TEST_PAIRS", PAIRS);
    uint64_t seed = argc > 2 ? strtoull(argv[2], NULL, 10) : duet_test_seed();
    property_counts counts = {0};
    int failed = 0;
    for (; counts.pairs < pairs && failed == 0; seed++) {
        duet_instance *instance = NULL;
        draws d = draws_of_seed(seed);
        const char *why = property_try(&d, SCHEDULES, CLAIMS, &counts, &instance);
        if (why != NULL) {
            char path[64];
            snprintf(path, sizeof path, "property-%" PRIu64 ".json", seed);
            (void)duet_write_instance(path, "json", instance, NULL);
            printf("seed %" PRIu64 " (%s): %s\n", seed, path, why);
            failed = 1;
        }
        duet_instance_free(instance);
    }
    printf("%" PRId64 " pairs on %" PRId64 " instances (%" PRId64 " with mixed sets): %" PRId64
           " of %" PRId64 " schedules, %" PRId64 " of %" PRId64 " certificates and %" PRId64
           " of %" PRId64 " proofs accepted, %d violations\n",
           counts.pairs, counts.instances, counts.mixed, counts.accepted_schedules,
           counts.schedules, counts.accepted_claims, counts.claims, counts.accepted_proofs,
           counts.proofs, failed);
    bool tried = counts.accepted_schedules > 0 && counts.accepted_claims > 0;
    return failed != 0 || !tried;
}
