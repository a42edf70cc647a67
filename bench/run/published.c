// SPDX-License-Identifier: Apache-2.0
#include "bench/run/published.h"

#include <string.h>

#include "core/number/minmax.h"
#include "core/options.h"
#include "solvers/registry.h"

const char *duet_bench_published(const char *algorithm)
{
    return strcmp(algorithm, "accel-published") == 0 ? "3/2" : NULL;
}

bool duet_bench_refutes(const char *algorithm, duet_fraction ratio)
{
    return duet_bench_published(algorithm) != NULL &&
           duet_fraction_compare(ratio, (duet_fraction){3, 2}) > 0;
}

const char *duet_bench_conjecture(const char *algorithm)
{
    return strcmp(algorithm, "mixeft") == 0 ? "max { lambda, 2 tau + 1 }" : NULL;
}

// Of mixeft (RR-9150, section 4.2), with tau^2 = M/K for the larger and the smaller number: 2 tau +
// 1 = (K + 2 sqrt(M K)) / K.
bool duet_bench_refutes_conjecture(const char *algorithm, const int64_t processors[2],
                                   const duet_options *options, int64_t makespan, int64_t optimum)
{
    enum { THOUSAND = 1000 };
    if (duet_bench_conjecture(algorithm) == NULL || processors[0] == 0 || processors[1] == 0) {
        return false;
    }
    const duet_option_spec *table = duet_find_algorithm(algorithm)->entry.options;
    int64_t lambda = duet_option_thousandths(options, table, "lambda");
    int64_t least = duet_min(processors[0], processors[1]);
    const duet_ratio switched = {lambda, 0, 0, THOUSAND};
    const duet_ratio quick = {least, 2, processors[0] * processors[1], least};
    return !duet_ratio_holds(switched, makespan, optimum) &&
           !duet_ratio_holds(quick, makespan, optimum);
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
