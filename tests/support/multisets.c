// SPDX-License-Identifier: Apache-2.0
// A multiset of tasks is a number whose digits are how many tasks of each kind it has. One
// processor takes a multiset in the sum of its times, and one more of a type takes some of it and
// leaves the rest to the others. It shares nothing with the library but the instance's accessors.
#include "tests/support/multisets.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { MAX_KINDS = 16 };

typedef struct table {
    const duet_instance *instance;
    size_t kinds;
    size_t size;              // multisets
    size_t weight[MAX_KINDS]; // of a digit
    int64_t *load;            // of one processor of the type
    int64_t *best;            // of those so far
    int64_t *next;
} table;

size_t duet_multisets_steps(size_t kinds, const int64_t *counts)
{
    size_t steps = 1;
    for (size_t i = 0; i < kinds; i++) {
        steps *= (size_t)((counts[i] + 1) * (counts[i] + 2) / 2);
    }
    return steps;
}

static int64_t *column(size_t size)
{
    int64_t *values = malloc(size * sizeof *values);
    if (values == NULL) {
        perror("multisets");
        exit(1);
    }
    return values;
}

static void fill_loads(table *t, size_t type)
{
    for (size_t set = 0; set < t->size; set++) {
        t->load[set] = 0;
        for (size_t i = 0; i < t->kinds && t->load[set] != INT64_MAX; i++) {
            int64_t count = duet_instance_kind_count(t->instance, i);
            int64_t tasks = (int64_t)(set / t->weight[i]) % (count + 1);
            int64_t time = duet_instance_time(t->instance, i, type);
            if (tasks > 0 && time == DUET_FORBIDDEN) {
                t->load[set] = INT64_MAX;
            } else if (tasks > 0) {
                t->load[set] += tasks * time;
            }
        }
    }
}

// The best that a processor more makes of a multiset: over all that it may take of it, which is
// counted through like a number with these digits.
static int64_t add_processor(const table *t, size_t set)
{
    size_t digit[MAX_KINDS] = {0};
    size_t most[MAX_KINDS];
    for (size_t i = 0; i < t->kinds; i++) {
        most[i] = set / t->weight[i] % (size_t)(duet_instance_kind_count(t->instance, i) + 1);
    }
    int64_t best = INT64_MAX;
    size_t taken = 0;
    for (size_t i = 0; i < t->kinds;) {
        int64_t longest =
            t->load[taken] > t->best[set - taken] ? t->load[taken] : t->best[set - taken];
        best = longest < best ? longest : best;
        for (i = 0; i < t->kinds && digit[i] == most[i]; i++) {
            taken -= most[i] * t->weight[i];
            digit[i] = 0;
        }
        if (i < t->kinds) {
            digit[i]++;
            taken += t->weight[i];
        }
    }
    return best;
}

// The optimum of every multiset on the processors so far and those of a type.
static void add_type(table *t, size_t type)
{
    fill_loads(t, type);
    int64_t processors = duet_instance_type_count(t->instance, type);
    int64_t tasks = duet_instance_tasks(t->instance);
    for (int64_t p = 0; p < processors && p < tasks; p++) {
        for (size_t set = 0; set < t->size; set++) {
            t->next[set] = add_processor(t, set);
        }
        memcpy(t->best, t->next, t->size * sizeof *t->best);
    }
}

int64_t duet_multisets_optimum(const duet_instance *instance)
{
    table t = {.instance = instance, .kinds = duet_instance_kinds(instance), .size = 1};
    if (t.kinds == 0) {
        return 0;
    }
    if (t.kinds > MAX_KINDS) {
        fprintf(stderr, "multisets: too many kinds\n");
        exit(1);
    }
    for (size_t i = 0; i < t.kinds; i++) {
        t.weight[i] = t.size;
        t.size *= (size_t)(duet_instance_kind_count(instance, i) + 1);
    }
    t.load = column(t.size);
    t.best = column(t.size);
    t.next = column(t.size);
    for (size_t set = 0; set < t.size; set++) {
        t.best[set] = set == 0 ? 0 : INT64_MAX; // without processors
    }
    for (size_t type = 0; type < duet_instance_types(instance); type++) {
        add_type(&t, type);
    }
    int64_t optimum = t.best[t.size - 1];
    free(t.load);
    free(t.best);
    free(t.next);
    return optimum;
}
