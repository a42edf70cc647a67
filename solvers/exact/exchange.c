// SPDX-License-Identifier: Apache-2.0
#include "solvers/exact/exchange.h"

#include <stdlib.h>
#include <string.h>

#include "core/system/memory.h"

// A class in the order of its times. Forbidden times are longer than any.
typedef struct entry {
    int64_t cpu, gpu;
    size_t class;
} entry;

static int64_t time_of(const duet_classes *classes, size_t class, size_t type)
{
    return duet_class_fits(classes, class, type) ? classes->time[type][class] : INT64_MAX;
}

static int by_times(const void *left, const void *right)
{
    const entry *a = left;
    const entry *b = right;
    if (a->cpu != b->cpu) {
        return a->cpu < b->cpu ? -1 : 1;
    }
    return (a->gpu < b->gpu) - (a->gpu > b->gpu);
}

duet_code duet_exchange_create(const duet_classes *classes, duet_exchange *out, duet_error *error)
{
    size_t count = classes->count;
    *out = (duet_exchange){.classes = classes,
                           .order = duet_alloc(count, sizeof *out->order, error),
                           .low = duet_alloc(count, sizeof *out->low, error),
                           .high = duet_alloc(count, sizeof *out->high, error)};
    entry *entries = duet_alloc(count, sizeof *entries, error);
    bool whole = out->order != NULL && out->low != NULL && out->high != NULL && entries != NULL;
    for (size_t c = 0; c < count && whole; c++) {
        entries[c] = (entry){time_of(classes, c, 0), time_of(classes, c, 1), c};
    }
    if (whole) {
        qsort(entries, count, sizeof *entries, by_times);
    }
    for (size_t i = 0; i < count && whole; i++) {
        out->order[i] = entries[i].class;
    }
    duet_free(entries);
    return whole ? DUET_OK : DUET_E_MEMORY;
}

void duet_exchange_free(duet_exchange *exchange)
{
    duet_free(exchange->order);
    duet_free(exchange->low);
    duet_free(exchange->high);
}

// Tasks on GPUs bring those along that are no shorter on CPUs and no longer on GPUs.
static bool follow_gpus(duet_exchange *exchange, const duet_residual *state)
{
    int64_t longest = 0; // on a GPU, of those before that have a task there
    bool possible = true;
    for (size_t i = 0; i < exchange->classes->count; i++) {
        size_t c = exchange->order[i];
        int64_t time = time_of(exchange->classes, c, 1);
        if (time <= longest) {
            exchange->high[c] = 0;
            possible = possible && exchange->low[c] == 0;
        }
        if (exchange->high[c] < state->left[c] && time > longest) {
            longest = time;
        }
    }
    return possible;
}

// Tasks on CPUs bring those along that are no longer on CPUs and no shorter on GPUs.
static bool follow_cpus(duet_exchange *exchange, const duet_residual *state)
{
    int64_t shortest = INT64_MAX; // on a GPU, of those behind that have a task on a CPU
    bool possible = true;
    for (size_t i = exchange->classes->count; i-- > 0;) {
        size_t c = exchange->order[i];
        int64_t time = time_of(exchange->classes, c, 1);
        if (time >= shortest) {
            exchange->low[c] = state->left[c];
            possible = possible && exchange->high[c] == state->left[c];
        }
        if (exchange->low[c] > 0 && time < shortest) {
            shortest = time;
        }
    }
    return possible;
}

bool duet_exchange_narrow(duet_exchange *exchange, const duet_residual *state)
{
    size_t bytes = exchange->classes->count * sizeof *exchange->low;
    if (bytes > 0) {
        memcpy(exchange->low, state->low[0], bytes);
        memcpy(exchange->high, state->high[0], bytes);
    }
    return follow_gpus(exchange, state) && follow_cpus(exchange, state);
}
