// SPDX-License-Identifier: Apache-2.0
#include "tests/support/loads.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>

#include <cmocka.h>

int64_t duet_test_loads(const duet_classes *classes, const duet_loads *loads, uint64_t seed)
{
    int64_t *tasks = calloc(classes->count + 1, sizeof *tasks);
    int64_t used[2] = {0, 0};
    int64_t longest = 0;
    assert_non_null(tasks);
    for (size_t l = 0; l < loads->loads; l++) {
        const duet_load *load = &loads->load[l];
        int64_t time = 0;
        used[load->type]++;
        for (size_t p = load->begin; p < load->begin + load->parts; p++) {
            size_t class = loads->part[p].class;
            if (!duet_class_fits(classes, class, load->type)) {
                fail_msg("seed %llu: a task where it cannot run", (unsigned long long)seed);
            }
            tasks[class] += loads->part[p].tasks;
            time += classes->time[load->type][class] * loads->part[p].tasks;
        }
        longest = time > longest ? time : longest;
    }
    for (size_t c = 0; c < classes->count; c++) {
        if (tasks[c] != classes->tasks[c]) {
            fail_msg("seed %llu: %lld of %lld tasks of class %zu are placed",
                     (unsigned long long)seed, (long long)tasks[c], (long long)classes->tasks[c],
                     c);
        }
    }
    if (used[0] > classes->machines[0] || used[1] > classes->machines[1]) {
        fail_msg("seed %llu: more loads than processors", (unsigned long long)seed);
    }
    free(tasks);
    return longest;
}
