// SPDX-License-Identifier: Apache-2.0
#include "core/classes.h"

#include <stdlib.h>

#include "core/fraction.h"
#include "core/memory.h"

// The time of a kind on a type within a guess, or DUET_FORBIDDEN. A longer time limits *valid.
static int64_t usable_time(const duet_instance *instance, size_t kind, size_t type, int64_t guess,
                           int64_t *valid)
{
    if (!duet_allowed(instance, kind, type)) {
        return DUET_FORBIDDEN;
    }
    int64_t time = duet_time(instance, kind, type);
    if (time <= guess) {
        return time;
    }
    *valid = time - 1 < *valid ? time - 1 : *valid;
    return DUET_FORBIDDEN;
}

static size_t hash_times(int64_t cpu, int64_t gpu)
{
    uint64_t mixed = (uint64_t)cpu * UINT64_C(0x9E3779B97F4A7C15) + (uint64_t)gpu;
    mixed ^= mixed >> 29;
    mixed *= UINT64_C(0xBF58476D1CE4E5B9);
    return (size_t)(mixed ^ (mixed >> 32));
}

// The class of a pair of times, a new one where it is the first of its kind. `slots` is a hash
// table of class numbers + 1.
static size_t find_class(duet_classes *classes, size_t *slots, size_t mask, int64_t cpu,
                         int64_t gpu)
{
    size_t at = hash_times(cpu, gpu) & mask;
    while (slots[at] != 0) {
        size_t class = slots[at] - 1;
        if (classes->time[0][class] == cpu && classes->time[1][class] == gpu) {
            return class;
        }
        at = (at + 1) & mask;
    }
    size_t class = classes->count++;
    slots[at] = class + 1;
    classes->time[0][class] = cpu;
    classes->time[1][class] = gpu;
    if (cpu == DUET_FORBIDDEN && gpu == DUET_FORBIDDEN && classes->nowhere == SIZE_MAX) {
        classes->nowhere = class;
    }
    return class;
}

static void set_capacities(duet_classes *classes)
{
    for (size_t t = 0; t < 2; t++) {
        duet_uint128 divisor = 0;
        for (size_t c = 0; c < classes->count && divisor != 1; c++) {
            if (duet_class_fits(classes, c, t)) {
                divisor = duet_gcd(divisor, (duet_uint128)classes->time[t][c]);
            }
        }
        classes->unit[t] = divisor == 0 ? 1 : (int64_t)divisor;
        classes->capacity[t] = classes->guess / classes->unit[t] * classes->unit[t];
    }
}

duet_code duet_classes_create(const duet_instance *instance, int64_t guess, duet_classes *classes,
                              duet_error *error)
{
    size_t kinds = instance->kinds;
    *classes = (duet_classes){.guess = guess, .valid = DUET_MAX_WORK, .nowhere = SIZE_MAX};
    size_t room = 4;
    while (room < 2 * kinds) {
        room *= 2;
    }
    size_t *slots = duet_alloc(room, sizeof *slots, error);
    classes->tasks = duet_alloc(kinds, sizeof *classes->tasks, error);
    classes->time[0] = duet_alloc(kinds, sizeof *classes->time[0], error);
    classes->time[1] = duet_alloc(kinds, sizeof *classes->time[1], error);
    classes->of_kind = duet_alloc(kinds, sizeof *classes->of_kind, error);
    if (slots == NULL || classes->tasks == NULL || classes->time[0] == NULL ||
        classes->time[1] == NULL || classes->of_kind == NULL) {
        duet_free(slots);
        duet_classes_free(classes);
        return DUET_E_MEMORY;
    }
    for (size_t i = 0; i < kinds; i++) {
        int64_t cpu = usable_time(instance, i, 0, guess, &classes->valid);
        int64_t gpu = usable_time(instance, i, 1, guess, &classes->valid);
        classes->of_kind[i] = SIZE_MAX;
        if (cpu != 0 && gpu != 0) {
            size_t class = find_class(classes, slots, room - 1, cpu, gpu);
            classes->of_kind[i] = class;
            classes->tasks[class] += duet_count(instance, i);
            classes->total += duet_count(instance, i);
        }
    }
    duet_free(slots);
    for (size_t t = 0; t < 2; t++) {
        classes->processors[t] = instance->processors[t];
    }
    set_capacities(classes);
    return DUET_OK;
}

void duet_classes_free(duet_classes *classes)
{
    duet_free(classes->tasks);
    duet_free(classes->time[0]);
    duet_free(classes->time[1]);
    duet_free(classes->of_kind);
    *classes = (duet_classes){.nowhere = SIZE_MAX};
}

// A class with its acceleration factor, for sorting; floating point only proposes an order.
typedef struct ranked {
    double factor;
    size_t class;
} ranked;

static int by_factor(const void *left, const void *right)
{
    const ranked *a = left;
    const ranked *b = right;
    if (a->factor != b->factor) {
        return a->factor > b->factor ? -1 : 1;
    }
    return (a->class > b->class) - (a->class < b->class);
}

// Divides both weights so that they are below 2^31 and weighted times below 2^62. Those above 0
// stay above 0.
static void shrink(int64_t weight[2], int64_t guess)
{
    int64_t limit = DUET_MAX_WORK / (guess + 1);
    limit = limit < (INT64_C(1) << 31) ? limit : (INT64_C(1) << 31) - 1;
    limit = limit > 0 ? limit : 1;
    duet_uint128 divisor = duet_gcd((duet_uint128)weight[0], (duet_uint128)weight[1]);
    for (size_t t = 0; t < 2; t++) {
        weight[t] = divisor == 0 ? 1 : weight[t] / (int64_t)divisor;
    }
    while (weight[0] > limit || weight[1] > limit) {
        for (size_t t = 0; t < 2; t++) {
            weight[t] = weight[t] > 1 ? weight[t] / 2 : weight[t];
        }
    }
}

// Moves work to the GPUs by decreasing acceleration factor until they are as loaded as the CPUs.
// The weights are those at which the class that is divided there costs the same on both types.
static void balance(const duet_classes *classes, const ranked *order, size_t flexible,
                    double work[2], int64_t weight[2])
{
    double processors[2] = {(double)classes->processors[0], (double)classes->processors[1]};
    weight[0] = 1; // with all of it on the GPUs the CPUs are still more loaded
    weight[1] = 0;
    for (size_t i = 0; i < flexible; i++) {
        size_t class = order[i].class;
        double tasks = (double)classes->tasks[class];
        double cpu = work[0] - (double)classes->time[0][class] * tasks;
        double gpu = work[1] + (double)classes->time[1][class] * tasks;
        if (gpu * processors[0] >= cpu * processors[1]) {
            weight[0] = classes->time[1][class];
            weight[1] = classes->time[0][class];
            if (i == 0 && work[1] * processors[0] >= work[0] * processors[1]) {
                weight[0] = 0; // the forced work alone loads the GPUs more
                weight[1] = 1;
            }
            return;
        }
        work[0] = cpu;
        work[1] = gpu;
    }
    if (work[1] * processors[0] >= work[0] * processors[1]) {
        weight[0] = 0;
        weight[1] = 1;
    }
}

duet_code duet_classes_weights(const duet_classes *classes, int64_t weight[2], duet_error *error)
{
    ranked *order = duet_alloc(classes->count, sizeof *order, error);
    if (order == NULL) {
        return DUET_E_MEMORY;
    }
    double work[2] = {0, 0};
    size_t flexible = 0;
    for (size_t c = 0; c < classes->count; c++) {
        bool on_cpu = duet_class_fits(classes, c, 0);
        bool on_gpu = duet_class_fits(classes, c, 1);
        if (on_cpu && on_gpu) {
            double factor = (double)classes->time[0][c] / (double)classes->time[1][c];
            order[flexible++] = (ranked){factor, c};
        }
        if (on_cpu) {
            work[0] += (double)classes->time[0][c] * (double)classes->tasks[c];
        } else if (on_gpu) {
            work[1] += (double)classes->time[1][c] * (double)classes->tasks[c];
        }
    }
    qsort(order, flexible, sizeof *order, by_factor);
    balance(classes, order, flexible, work, weight);
    shrink(weight, classes->guess);
    duet_free(order);
    return DUET_OK;
}
