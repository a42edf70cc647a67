// SPDX-License-Identifier: Apache-2.0
// Readers of instances: any bytes give an instance or an error, and an instance that was read can
// be written and read again as the same.
#include <string.h>

#include <duet/graph.h>

#include "tests/fuzz/fuzz.h"

enum { FEW = 1000 }; // tasks, each a line in DOT

static void check_equal(const duet_instance *a, const duet_instance *b)
{
    fuzz_check(duet_instance_kinds(a) == duet_instance_kinds(b), "kinds after a round trip");
    fuzz_check(duet_instance_types(a) == duet_instance_types(b), "types after a round trip");
    fuzz_check(duet_instance_tasks(a) == duet_instance_tasks(b), "tasks after a round trip");
    for (size_t i = 0; i < duet_instance_kinds(a); i++) {
        fuzz_check(strcmp(duet_instance_kind_id(a, i), duet_instance_kind_id(b, i)) == 0,
                   "ids after a round trip");
        for (size_t t = 0; t < duet_instance_types(a); t++) {
            char first[32];
            char second[32];
            int64_t time = duet_instance_time(a, i, t);
            int64_t again = duet_instance_time(b, i, t);
            fuzz_check((time == DUET_FORBIDDEN) == (again == DUET_FORBIDDEN),
                       "forbidden times after a round trip");
            fuzz_check(time == DUET_FORBIDDEN ||
                           strcmp(duet_instance_format_time(a, time, first),
                                  duet_instance_format_time(b, again, second)) == 0,
                       "times after a round trip");
        }
    }
}

// Every table, every law, and what data take, in ticks: JSON keeps the tick.
static void check_moldable(const duet_instance *a, const duet_instance *b)
{
    enum { most = 64 }; // sizes of a table
    for (size_t i = 0; i < duet_instance_kinds(a); i++) {
        for (size_t t = 0; t < duet_instance_types(a); t++) {
            int64_t sizes = duet_instance_sizes(a, i, t);
            duet_number work[2];
            duet_number alpha[2];
            fuzz_check(sizes == duet_instance_sizes(b, i, t), "sizes after a round trip");
            fuzz_check(duet_instance_law(a, i, t, &work[0], &alpha[0]) ==
                           duet_instance_law(b, i, t, &work[1], &alpha[1]),
                       "a law after a round trip");
            for (int64_t p = 1; p <= sizes && p <= most; p++) {
                int64_t time = duet_instance_moldable_time(a, i, t, p);
                fuzz_check(time == duet_instance_moldable_time(b, i, t, p),
                           "times by size after a round trip");
                fuzz_check(time > 0 && time != DUET_FORBIDDEN, "a time by size");
            }
        }
    }
    fuzz_check(duet_instance_edges(a) == duet_instance_edges(b), "edges after a round trip");
    for (int64_t e = 0; e < duet_instance_edges(a); e++) {
        size_t last = duet_instance_types(a) - 1;
        fuzz_check(duet_instance_redistribution(a, e, 0, 3, last, 2) ==
                       duet_instance_redistribution(b, e, 0, 3, last, 2),
                   "redistribution after a round trip");
    }
}

static void check_claim(const duet_instance *a, const duet_instance *b)
{
    const duet_claim *claim = duet_instance_claim(a);
    const duet_claim *again = duet_instance_claim(b);
    fuzz_check((claim == NULL) == (again == NULL), "a claim after a round trip");
    if (claim == NULL || again == NULL) {
        return;
    }
    const char *const texts[][2] = {{claim->algorithm, again->algorithm},
                                    {claim->options, again->options},
                                    {claim->limit, again->limit},
                                    {claim->source, again->source}};
    for (size_t i = 0; i < sizeof texts / sizeof texts[0]; i++) {
        fuzz_check(strcmp(texts[i][0], texts[i][1]) == 0, "a claim's text after a round trip");
    }
    fuzz_check(claim->refuted == again->refuted, "a refuted claim after a round trip");
    fuzz_check(claim->optimum >= 1 && claim->makespan >= claim->optimum, "a claim's times");
    const int64_t times[][2] = {{claim->optimum, again->optimum},
                                {claim->makespan, again->makespan}};
    for (size_t i = 0; i < sizeof times / sizeof times[0]; i++) {
        char first[32];
        char second[32];
        fuzz_check(strcmp(duet_instance_format_time(a, times[i][0], first),
                          duet_instance_format_time(b, times[i][1], second)) == 0,
                   "a claim's times after a round trip");
    }
}

static void round_trip(const duet_instance *instance, const char *format)
{
    duet_error error = DUET_ERROR_INIT;
    const char *path = fuzz_target(1);
    duet_code code = duet_write_instance(path, format, instance, &error);
    fuzz_check_error(code, &error);
    if (code == DUET_E_UNSUPPORTED || code == DUET_E_USAGE) {
        return; // a format that cannot hold it
    }
    fuzz_check(code == DUET_OK, error.message);
    duet_instance *again;
    code = duet_read_instance(path, NULL, &again, &error);
    fuzz_check(code == DUET_OK, error.message);
    check_equal(instance, again);
    check_claim(instance, again);
    fuzz_check(duet_instance_features(instance) == duet_instance_features(again),
               "features after a round trip");
    if ((duet_instance_features(instance) & DUET_FEATURE_MOLDABLE) != 0) {
        check_moldable(instance, again);
    }
    duet_instance_free(again);
}

// A graph in DOT has the same tasks and edges, though no kinds of several tasks.
static void round_trip_graph(const duet_instance *instance)
{
    duet_error error = DUET_ERROR_INIT;
    const char *path = fuzz_target(1);
    duet_code code = duet_write_instance(path, "dot", instance, &error);
    fuzz_check_error(code, &error);
    if (code == DUET_E_USAGE) {
        return; // names that DOT cannot hold
    }
    fuzz_check(code == DUET_OK, error.message);
    duet_instance *again;
    code = duet_read_instance(path, NULL, &again, &error);
    fuzz_check(code == DUET_OK, error.message);
    fuzz_check(duet_instance_tasks(instance) == duet_instance_tasks(again), "tasks in DOT");
    fuzz_check(duet_instance_edges(instance) == duet_instance_edges(again), "edges in DOT");
    fuzz_check((duet_instance_features(instance) & DUET_FEATURE_COMMUNICATION) ==
                   (duet_instance_features(again) & DUET_FEATURE_COMMUNICATION),
               "costs in DOT");
    duet_instance_free(again);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    duet_error error = DUET_ERROR_INIT;
    duet_instance *instance;
    duet_code code = duet_read_instance(fuzz_file(0, data, size), NULL, &instance, &error);
    fuzz_check_error(code, &error);
    fuzz_check((instance != NULL) == (code == DUET_OK), "an instance beside an error");
    if (code == DUET_OK && duet_instance_has_platform(instance)) {
        round_trip(instance, "json");
    }
    if (code == DUET_OK && duet_instance_tasks(instance) <= FEW) {
        round_trip_graph(instance);
    }
    duet_instance_free(instance);
    return 0;
}
