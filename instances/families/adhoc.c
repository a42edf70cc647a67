// SPDX-License-Identifier: Apache-2.0
// Family adhoc: a chain beside independent tasks, made to be hard for rules that look at one task
// at a time. All processors would end together if one GPU ran the chain and the others shared the
// independent tasks.
//
// Method:    a GPU takes 1 in the mean (deviation 0.1), a CPU mu (deviation a tenth of it); the
//            chain has ceil(n / (m / mu + k)) tasks and comes first. Normal numbers are sums of
//            uniform ones, so that they are the same everywhere and positive.
// Reference: Canon, Marchal, Simon, Vivien, INRIA RR-9150, 2018, section 7.2. There mu goes from
//            (m/k)^(-1/4) to (m/k)^(5/4).
#include <inttypes.h>
#include <stdio.h>

#include "core/number/fixed.h"
#include "core/system/try.h"
#include "instances/families/family.h"

enum { TASKS = 300, MAX_TASKS = 10000000, PLACES = 6 };

static const duet_option_spec options[] = {
    {"mu", DUET_OPTION_DECIMAL, "4", 1, 1000000, NULL, "", "time on a CPU in the mean; 1 on a GPU"},
    {NULL, DUET_OPTION_TEXT, NULL, 0, 0, NULL, NULL, NULL}};

// Around `mean` with a tenth of it as deviation, in millionths; `mean` in thousandths.
static int64_t draw_time(duet_random *random, int64_t mean)
{
    duet_fixed factor = DUET_FIXED_ONE + duet_fixed_normal(random) / 10;
    return (int64_t)(((duet_int128)mean * 1000 * factor) >> 32);
}

static duet_code add_tasks(duet_family_request *request, duet_builder *builder, int64_t mu,
                           duet_error *error)
{
    for (int64_t j = 0; j < request->n; j++) {
        char id[24];
        int length = snprintf(id, sizeof id, "t%" PRId64, j);
        int64_t gpu = draw_time(&request->random, 1000);
        int64_t cpu = draw_time(&request->random, mu);
        duet_read_time times[2] = {{.value = {cpu, PLACES}}, {.value = {gpu, PLACES}}};
        const duet_read_kind kind = {id, (size_t)length, 1, times, 2, 0, 0};
        DUET_TRY(duet_builder_add_kind(builder, &kind, error));
    }
    return DUET_OK;
}

static duet_code generate(duet_family_request *request, duet_builder *builder, duet_error *error)
{
    char name[96];
    int64_t mu = duet_option_thousandths(request->options, request->table, "mu");
    snprintf(name, sizeof name, "adhoc-%" PRId64 "-%" PRIu64, request->n, request->seed);
    duet_code code = duet_builder_set_name(builder, name, error);
    DUET_THEN(code, add_tasks(request, builder, mu, error));
    // ceil(n / (m / mu + k)) = ceil(n mu / (m + k mu))
    duet_int128 share = (duet_int128)request->cpus * 1000 + (duet_int128)request->gpus * mu;
    int64_t chain = (int64_t)(((duet_int128)request->n * mu + share - 1) / share);
    for (int64_t j = 1; j < chain && j < request->n && code == DUET_OK; j++) {
        const duet_read_edge edge = {.from = {.task = j - 1}, .to = {.task = j}};
        code = duet_builder_add_edge(builder, &edge, error);
    }
    return code;
}

const duet_family duet_family_adhoc = {
    {.name = "adhoc",
     .summary = "task graphs: a chain beside independent tasks, hard for online rules",
     .reference = "Canon, Marchal, Simon, Vivien, INRIA RR-9150, 2018, section 7.2",
     .handles = DUET_FEATURE_PRECEDENCE,
     .options = options},
    TASKS,
    MAX_TASKS,
    generate,
    NULL};
