// SPDX-License-Identifier: Apache-2.0
// The distribution of a measure within a group of runs, as few weighted samples.
#include <math.h>

#include "core/number/sort.h"
#include "core/system/assert.h"
#include "report/page/groups.h"

// The value of a run; NAN if it has none.
static double measure_of(const duet_kept_result *run, duet_measure measure)
{
    switch (measure) {
    case DUET_MEASURE_RATIO:
        return run->ratio;
    case DUET_MEASURE_SECONDS:
        return run->status == DUET_RUN_FAILED || run->status == DUET_RUN_SKIPPED ? NAN
                                                                                 : run->seconds;
    case DUET_MEASURE_SOLVED:
        return run->status == DUET_RUN_OPTIMAL ? run->seconds : NAN;
    case DUET_MEASURE_CELLS:
        return run->cells;
    case DUET_MEASURE_BYTES:
        return run->bytes;
    default:
        return NAN;
    }
}

size_t duet_group_values(const duet_groups *groups, const duet_group *group, duet_measure measure,
                         double *values)
{
    size_t count = 0;
    for (size_t i = 0; i < group->count; i++) {
        size_t run = groups->order[group->first + i];
        double value = measure_of(&groups->results->run[run], measure);
        if (!isnan(value)) {
            values[count++] = value;
        }
    }
    duet_sort_doubles(values, count);
    return count;
}

size_t duet_samples_of(const double *values, size_t count, size_t points, duet_sample *samples)
{
    if (count <= points) {
        for (size_t i = 0; i < count; i++) {
            samples[i] = (duet_sample){values[i], 1};
        }
        return count;
    }
    DUET_ASSERT(points >= 3);
    size_t inner = count - 2;
    size_t parts = points - 2;
    samples[0] = (duet_sample){values[0], 1};
    for (size_t i = 0; i < parts; i++) {
        size_t begin = inner / parts * i + inner % parts * i / parts;
        size_t end = inner / parts * (i + 1) + inner % parts * (i + 1) / parts;
        samples[i + 1] = (duet_sample){values[1 + begin + (end - begin - 1) / 2], end - begin};
    }
    samples[points - 1] = (duet_sample){values[count - 1], 1};
    return points;
}
