// SPDX-License-Identifier: Apache-2.0
#include "tests/fuzz/fuzz.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "bench/run/exhaustive.h"
#include "bench/run/random_instance.h"
#include "core/number/random.h"
#include "tests/support/multisets.h"

enum { SLOTS = 4, MOST_KINDS = 14, MOST_STEPS = 300000, FEW_TASKS = 6, CHOICES = 48 };

const char *fuzz_file(int slot, const uint8_t *data, size_t size)
{
    static int descriptor[SLOTS];
    static char path[SLOTS][64];
    fuzz_check(slot >= 0 && slot < SLOTS, "a slot");
    if (descriptor[slot] > 0) {
        close(descriptor[slot]);
    }
    descriptor[slot] = memfd_create("duet-fuzz", 0);
    fuzz_check(descriptor[slot] > 0, "a file in memory");
    for (size_t done = 0; done < size;) {
        ssize_t wrote = write(descriptor[slot], data + done, size - done);
        fuzz_check(wrote > 0, "its bytes");
        done += (size_t)wrote;
    }
    snprintf(path[slot], sizeof path[slot], "/proc/self/fd/%d", descriptor[slot]);
    return path[slot];
}

const char *fuzz_target(int slot)
{
    return fuzz_file(slot, NULL, 0);
}

void fuzz_check(bool holds, const char *what)
{
    if (!holds) {
        fprintf(stderr, "finding: %s\n", what);
        abort();
    }
}

void fuzz_check_error(duet_code code, const duet_error *error)
{
    fuzz_check((code == DUET_OK) == (error->code == DUET_OK), "an error without its record");
    fuzz_check(code == DUET_OK || error->code == code, "an error with another's code");
    fuzz_check(code == DUET_OK || error->message[0] != '\0', "an error without a message");
    fuzz_check(code != DUET_E_INTERNAL, error->message);
}

uint64_t fuzz_take(fuzz_input *input, int bytes)
{
    uint64_t value = 0;
    for (int i = 0; i < bytes && input->left > 0; i++) {
        value = value << 8 | *input->at++;
        input->left--;
    }
    return value;
}

int64_t fuzz_between(fuzz_input *input, int64_t low, int64_t high)
{
    uint64_t range = (uint64_t)(high - low) + 1;
    return low + (int64_t)(fuzz_take(input, range <= 256 ? 1 : 8) % range);
}

static duet_instance *draw_instance(fuzz_input *input, uint64_t seed, size_t types)
{
    duet_random random;
    duet_random_seed(&random, seed);
    duet_shape shape = {.min_tasks = 0,
                        .max_tasks = 7,
                        .min_processors = fuzz_between(input, 0, 3) == 0 ? 0 : 1,
                        .max_processors = types > 3 ? 2 : 3,
                        .types = types};
    duet_instance *instance = duet_random_instance(&random, &shape);
    fuzz_check(instance != NULL, "an instance");
    return instance;
}

duet_instance *fuzz_instance(fuzz_input *input)
{
    return draw_instance(input, fuzz_take(input, 4), 2);
}

duet_instance *fuzz_typed_instance(fuzz_input *input)
{
    uint64_t seed = fuzz_take(input, 4);
    uint64_t first = seed >> 24;
    return draw_instance(input, seed, first < 0xf0 ? 2 : 1 + (size_t)(first - 0xf0) % 5);
}

static duet_instance *chosen_moldable(bool laws, bool mixed_sets)
{
    static const duet_type platform[] = {{"cpu", 3}, {"gpu", 1}};
    static const int64_t tables[] = {9, 5, 4};
    static const duet_moldable_times times[2][6] = {{{.table = tables, .length = 3},
                                                     {.table = tables + 1, .length = 1},
                                                     {.work = {8, 0}, .alpha = {1, 1}},
                                                     {.length = 0},
                                                     {.length = 0},
                                                     {.table = tables + 2, .length = 1}},
                                                    {{.work = {12, 0}},
                                                     {.work = {12, 0}},
                                                     {.work = {75, 1}, .alpha = {25, 2}},
                                                     {.work = {75, 1}, .alpha = {25, 2}},
                                                     {.work = {3, 0}, .alpha = {1, 0}},
                                                     {.work = {3, 0}, .alpha = {1, 0}}}};
    static const duet_number speed[] = {{1, 0}, {15, 1}};
    static const duet_number bandwidth[] = {{10, 0}, {0, 0}};
    static const duet_edge edges[] = {{0, 1, 0}, {1, 2, 0}};
    static const duet_number data[] = {{25, 0}, {-1, 0}};
    const duet_moldable_desc moldable = {.struct_size = sizeof moldable,
                                         .times = times[laws],
                                         .speed = speed,
                                         .bandwidth = bandwidth,
                                         .data = data,
                                         .has_network = true,
                                         .latency = {1, 0},
                                         .inter_latency = {2, 0},
                                         .inter_bandwidth = {5, 0},
                                         .mixed_sets = laws && mixed_sets};
    static const char *const ids[] = {"a", "b", "c"};
    const duet_instance_desc desc = {.struct_size = sizeof desc,
                                     .name = "x",
                                     .types = 2,
                                     .platform = platform,
                                     .kinds = 3,
                                     .ids = ids,
                                     .edges = 2,
                                     .edge = edges,
                                     .moldable = &moldable};
    duet_instance *instance;
    fuzz_check(duet_instance_create(&desc, &instance, NULL) == DUET_OK, "a moldable instance");
    return instance;
}

duet_instance *fuzz_chosen_instance(unsigned which)
{
    if (which >= 0x80) {
        return chosen_moldable((which & 1) != 0, (which & 2) != 0);
    }
    static const duet_type platform[] = {{"cpu", 2}, {"gpu", 1}};
    static const char *const ids[] = {"a", "b", "c"};
    static const int64_t counts[] = {2, 1, 1};
    static const int64_t times[2][6] = {{3, 1, 4, DUET_FORBIDDEN, 5, 2}, {30, 7, 11, 45, 20, 20}};
    duet_instance_desc desc = {.struct_size = sizeof desc,
                               .name = "x",
                               .decimals = (int)(which & 1),
                               .types = 2,
                               .platform = platform,
                               .kinds = 3,
                               .ids = ids,
                               .counts = counts,
                               .times = times[which & 1]};
    duet_instance *instance;
    fuzz_check(duet_instance_create(&desc, &instance, NULL) == DUET_OK, "an instance");
    return instance;
}

// Times of a kind: small, or stretched so that few sums are equal.
static int64_t draw_time(fuzz_input *input, int64_t scale)
{
    int64_t time = fuzz_between(input, 0, 255);
    return time == 255 ? DUET_FORBIDDEN
                       : time * scale + (scale > 1 && time > 0 ? fuzz_between(input, 0, 19) : 0);
}

// A kind can run somewhere.
static void draw_kind(fuzz_input *input, const duet_type platform[2], int64_t scale,
                      int64_t times[2])
{
    times[0] = draw_time(input, scale);
    times[1] = draw_time(input, scale);
    for (int t = 0; t < 2; t++) {
        bool alone = platform[1 - t].count == 0 || times[1 - t] == DUET_FORBIDDEN;
        times[t] = platform[t].count > 0 && alone && times[t] == DUET_FORBIDDEN ? 1 : times[t];
    }
}

static duet_instance *draw_kinds(fuzz_input *input)
{
    static const int64_t scales[] = {1, 1, 20, INT64_C(1) << 45};
    duet_type platform[2] = {{"cpu", fuzz_between(input, 0, 3)},
                             {"gpu", fuzz_between(input, 0, 3)}};
    int64_t times[2 * MOST_KINDS];
    int64_t counts[MOST_KINDS];
    platform[0].count += platform[1].count == 0 && platform[0].count == 0;
    int64_t scale = scales[fuzz_between(input, 0, 3)];
    size_t most = (size_t)fuzz_between(input, 1, MOST_KINDS);
    duet_instance_desc desc = {.struct_size = sizeof desc,
                               .name = "search",
                               .types = 2,
                               .platform = platform,
                               .counts = counts,
                               .times = times};
    while (desc.kinds < most && input->left > 0) {
        uint64_t count = fuzz_take(input, 1);
        counts[desc.kinds] = count < 160 ? 1 : (int64_t)(count % 7) + 1;
        if (duet_multisets_steps(desc.kinds + 1, counts) > MOST_STEPS) {
            break;
        }
        draw_kind(input, platform, scale, &times[2 * desc.kinds]);
        desc.kinds++;
    }
    duet_instance *instance;
    fuzz_check(duet_instance_create(&desc, &instance, NULL) == DUET_OK, "an instance");
    return instance;
}

duet_instance *fuzz_larger_instance(fuzz_input *input, fuzz_input *choices, int64_t *optimum)
{
    *choices = (fuzz_input){input->at, input->left < CHOICES ? input->left : CHOICES};
    input->at += choices->left;
    input->left -= choices->left;
    duet_instance *instance = draw_kinds(input);
    int64_t tasks = duet_instance_tasks(instance);
    *optimum = duet_multisets_optimum(instance);
    fuzz_check(tasks == 0 || tasks > FEW_TASKS || duet_exhaustive_optimum(instance) == *optimum,
               "the two optima differ");
    return instance;
}

int64_t fuzz_length(fuzz_input *input, int64_t optimum)
{
    int64_t kind = fuzz_between(input, 0, 7);
    int64_t share = optimum / 100 * fuzz_between(input, 0, 20);
    const int64_t lengths[] = {optimum,     optimum - 1,     optimum + 1,     optimum - 2,
                               optimum + 2, optimum - share, optimum + share, optimum - 1};
    return lengths[kind] > 1 ? lengths[kind] : 1;
}

size_t fuzz_memory(fuzz_input *input)
{
    int64_t kind = fuzz_between(input, 0, 15);
    return kind == 0 ? (size_t)1 << 12 : kind == 1 ? (size_t)1 << 18 : (size_t)64 << 20;
}
