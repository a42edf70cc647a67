// SPDX-License-Identifier: Apache-2.0
// What the worst-case families have in common: kinds whose times come out of formulas, and the
// claim. Formulas are evaluated in 128 bits; what is beyond 2^62 is refused, never wrapped.
#ifndef DUET_INSTANCES_WORST_WORST_H
#define DUET_INSTANCES_WORST_WORST_H

#include "core/number/fraction.h"
#include "instances/families/family.h"

// The time on a type where a task cannot run.
#define DUET_WORST_FORBIDDEN ((duet_int128)-1)

// An instance in the making. The first error stays, and later calls do nothing.
typedef struct duet_worst {
    duet_builder *builder;
    duet_error *error;
    duet_int128 work;
    duet_code code;
    size_t types; // of processors; 2 unless the family says more
} duet_worst;

// Begins the instance with its name (printf).
duet_worst duet_worst_begin(duet_builder *builder, duet_error *error, const char *format, ...)
    DUET_PRINTF(3, 4);
// Makes sure that `kinds` kinds fit into memory, before a loop that adds them.
void duet_worst_reserve(duet_worst *worst, duet_int128 kinds);
// `count` tasks of `cpu` ticks on all types but the last, and `gpu` ticks on that; no kind where
// count is 0. `number` >= 0 follows the id.
void duet_worst_add(duet_worst *worst, const char *id, int64_t number, duet_int128 count,
                    duet_int128 cpu, duet_int128 gpu);
// Ends the instance with its claim; `claim` has the texts.
duet_code duet_worst_end(duet_worst *worst, const duet_read_claim *claim, duet_int128 optimum,
                         duet_int128 makespan);

// The given processors, or those the family must have where none were given; others are refused.
duet_code duet_worst_fixed_platform(duet_family_request *request, int64_t cpus, int64_t gpus,
                                    duet_error *error);
// Refuses processors below the least that a family makes sense for.
duet_code duet_worst_least_platform(const duet_family_request *request, int64_t cpus, int64_t gpus,
                                    duet_error *error);

// As duet_family_platform: 16 CPUs and 4 GPUs where none were given; fewer CPUs than GPUs, or no
// GPU, are refused.
duet_code duet_worst_more_cpus(duet_family_request *request, duet_error *error);

// The largest x with x * x <= value.
duet_int128 duet_worst_root(duet_int128 value);
// The times (s, q) of a task that the threshold p/q > tau = sqrt(m/k) just sends to a GPU: s a
// multiple of the option "ticks", q the largest with q^2 m < s^2 k; at least ticks - 1.
void duet_worst_lure(const duet_family_request *request, duet_int128 *s, duet_int128 *q);
// The Fibonacci number F(index), index <= 90: F(1) = F(2) = 1.
int64_t duet_worst_fibonacci(int64_t index);

// The option "ticks": how fine times are that should be infinitely short or irrational.
#define DUET_OPTION_TICKS(least, fallback, text)                                                   \
    {                                                                                              \
        "ticks", DUET_OPTION_INTEGER, fallback, least, 1000000, NULL, "", text                     \
    }
#define DUET_OPTIONS_END                                                                           \
    {                                                                                              \
        NULL, DUET_OPTION_TEXT, NULL, 0, 0, NULL, NULL, NULL                                       \
    }

#endif
