// SPDX-License-Identifier: Apache-2.0
#include "bench/run/published.h"

#include <string.h>

const char *duet_bench_published(const char *algorithm)
{
    return strcmp(algorithm, "accel-published") == 0 ? "3/2" : NULL;
}

bool duet_bench_refutes(const char *algorithm, duet_fraction ratio)
{
    return duet_bench_published(algorithm) != NULL &&
           duet_fraction_compare(ratio, (duet_fraction){3, 2}) > 0;
}

bool duet_bench_all_accelerated(const duet_instance *instance)
{
    for (size_t i = 0; i < duet_instance_kinds(instance); i++) {
        int64_t cpu = duet_instance_time(instance, i, 0);
        if (cpu == DUET_FORBIDDEN || duet_instance_time(instance, i, 1) > cpu) {
            return false;
        }
    }
    return duet_instance_type_count(instance, 0) > 0 && duet_instance_type_count(instance, 1) > 0;
}
