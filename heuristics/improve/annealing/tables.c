// SPDX-License-Identifier: Apache-2.0
// What annealing looks up: the tasks' times and weights, and the types to propose for each.
#include <math.h>
#include <string.h>

#include "core/instance/classes.h"
#include "core/number/minmax.h"
#include "core/system/memory.h"
#include "core/system/try.h"
#include "heuristics/improve/annealing/annealing_state.h"

static uint64_t hash_row(const int64_t *time, size_t types)
{
    uint64_t hash = UINT64_C(0xcbf29ce484222325);
    for (size_t t = 0; t < types; t++) {
        hash = (hash ^ (uint64_t)time[t]) * UINT64_C(0x9e3779b97f4a7c15);
        hash ^= hash >> 29;
    }
    return hash ^ (hash >> 32);
}

// The class of the row that stands behind the classes found so far; a new one where there is no
// equal row. `slots` is a hash table of class numbers + 1.
static size_t find_class(duet_annealer *annealer, uint32_t *slots, size_t mask)
{
    const int64_t *row = annealer->time + annealer->classes * annealer->types;
    size_t bytes = annealer->types * sizeof *row;
    size_t at = (size_t)hash_row(row, annealer->types) & mask;
    while (slots[at] != 0) {
        size_t class = slots[at] - 1;
        if (memcmp(annealer->time + class * annealer->types, row, bytes) == 0) {
            return class;
        }
        at = (at + 1) & mask;
    }
    slots[at] = (uint32_t)++annealer->classes;
    return annealer->classes - 1;
}

static void make_classes(duet_annealer *annealer, uint32_t *slots, size_t mask)
{
    const duet_instance *instance = annealer->instance;
    for (size_t i = 0; i < instance->kinds; i++) {
        int64_t *row = annealer->time + annealer->classes * annealer->types;
        for (size_t t = 0; t < annealer->types; t++) {
            row[t] = duet_allowed(instance, i, t) ? duet_time(instance, i, t) : DUET_FORBIDDEN;
        }
        size_t class = find_class(annealer, slots, mask);
        for (int64_t j = instance->first[i]; j < instance->first[i + 1]; j++) {
            annealer->class_of[j] = (uint32_t) class;
        }
    }
}

// The type where the weighted time of a class is least.
static size_t cheapest(const duet_annealer *annealer, size_t class, const double *weight,
                       double *cost)
{
    const int64_t *row = annealer->time + class * annealer->types;
    size_t best = SIZE_MAX;
    for (size_t t = 0; t < annealer->types; t++) {
        double price = weight[t] * (double)row[t];
        if (row[t] != DUET_FORBIDDEN && (best == SIZE_MAX || price < *cost)) {
            best = t;
            *cost = price;
        }
    }
    return best;
}

// Weights at which every task may go to its cheapest type and the types are about balanced: those
// of the area bound.
static duet_code find_weights(duet_annealer *annealer, duet_error *error)
{
    int64_t weight[DUET_MAX_TYPES];
    int64_t longest = 0;
    for (size_t i = 0; i < annealer->classes * annealer->types; i++) {
        int64_t time = annealer->time[i];
        longest = time != DUET_FORBIDDEN && time > longest ? time : longest;
    }
    duet_classes classes;
    DUET_TRY(duet_classes_create(annealer->instance, longest, &classes, error));
    duet_code code = duet_classes_weights(&classes, weight, error);
    duet_classes_free(&classes);
    int64_t largest = 1;
    for (size_t t = 0; t < annealer->types && code == DUET_OK; t++) {
        bool any = annealer->begin[t] < annealer->begin[t + 1];
        weight[t] = any ? weight[t] : 0;
        largest = duet_max(weight[t], largest);
    }
    for (size_t t = 0; t < annealer->types && code == DUET_OK; t++) {
        annealer->weight[t] = (double)weight[t] / (double)largest;
    }
    return code;
}

// The mean of the tasks' least weighted times, and how far these are from it.
static void find_scale(duet_annealer *annealer)
{
    const double least_spread = 1.0 / 256.0; // of the mean
    double total = 0.0;
    double deviation = 0.0;
    double price = 0.0;
    for (uint32_t j = 0; j < annealer->tasks; j++) {
        cheapest(annealer, annealer->class_of[j], annealer->weight, &price);
        total += price;
    }
    annealer->scale = annealer->tasks > 0 && total > 0.0 ? total / annealer->tasks : 1.0;
    for (uint32_t j = 0; j < annealer->tasks; j++) {
        cheapest(annealer, annealer->class_of[j], annealer->weight, &price);
        deviation += fabs(price - annealer->scale) / annealer->tasks;
    }
    annealer->spread = fmax(2.0 * deviation, least_spread * annealer->scale);
}

duet_code duet_annealing_make_tables(duet_annealer *annealer, duet_error *error)
{
    size_t room = 4;
    while (room < 2 * annealer->instance->kinds) {
        room *= 2;
    }
    uint32_t *slots = duet_alloc(room, sizeof *slots, error);
    annealer->time = duet_alloc((annealer->instance->kinds + 1) * annealer->types,
                                sizeof *annealer->time, error);
    annealer->class_of = duet_alloc_raw(annealer->tasks, sizeof *annealer->class_of, error);
    bool whole = slots != NULL && annealer->time != NULL && annealer->class_of != NULL;
    if (whole) {
        make_classes(annealer, slots, room - 1);
        annealer->slot = duet_alloc(annealer->classes, DUET_ANNEALING_SLOTS, error);
        whole = annealer->slot != NULL;
    }
    duet_free(slots);
    if (!whole) {
        return DUET_E_MEMORY;
    }
    DUET_TRY(find_weights(annealer, error));
    find_scale(annealer);
    for (int i = 0; i < DUET_ANNEALING_THRESHOLDS; i++) {
        annealer->threshold[i] = (float)-log((i + 0.5) / DUET_ANNEALING_THRESHOLDS);
    }
    return DUET_OK;
}

// Fills the slots of a class in proportion to the shares of the types.
static void fill_slots(uint8_t *slot, const double *share, size_t types, double sum)
{
    double end = 0.0;
    size_t filled = 0;
    size_t last = 0;
    for (size_t t = 0; t < types; t++) {
        last = share[t] > 0.0 ? t : last;
        end += share[t] / sum * DUET_ANNEALING_SLOTS;
        while (filled < DUET_ANNEALING_SLOTS && (double)filled + 0.5 < end) {
            slot[filled++] = (uint8_t)t;
        }
    }
    while (filled < DUET_ANNEALING_SLOTS) {
        slot[filled++] = (uint8_t)last;
    }
}

void duet_annealing_make_slots(duet_annealer *annealer, const duet_context *context, double bias,
                               int64_t longest)
{
    enum { unseen = 1 << 12 }; // classes between looks at the clock
    bool stopped = false;
    for (size_t c = 0; c < annealer->classes; c++) {
        const int64_t *row = annealer->time + c * annealer->types;
        double least = 0.0;
        double share[DUET_MAX_TYPES];
        double sum = 0.0;
        size_t best = cheapest(annealer, c, annealer->weight, &least);
        stopped = stopped || (c % unseen == unseen - 1 && duet_context_stop(context));
        if (stopped) { // nothing is proposed any more: any type will do
            memset(annealer->slot + c * DUET_ANNEALING_SLOTS, (int)best, DUET_ANNEALING_SLOTS);
            continue;
        }
        for (size_t t = 0; t < annealer->types; t++) {
            bool usable = row[t] != DUET_FORBIDDEN && (row[t] <= longest || t == best);
            double above = usable ? annealer->weight[t] * (double)row[t] - least : 0.0;
            share[t] = usable ? exp(-above / (bias * annealer->scale)) : 0.0;
            sum += share[t];
        }
        fill_slots(annealer->slot + c * DUET_ANNEALING_SLOTS, share, annealer->types, sum);
    }
}

void duet_annealing_penalties(const duet_annealer *annealer, double *penalty)
{
    enum { floor_share = 10 };
    double work[DUET_MAX_TYPES] = {0.0};
    double rows[DUET_MAX_TYPES] = {0.0};
    for (size_t c = 0; c < annealer->classes; c++) {
        for (size_t t = 0; t < annealer->types; t++) {
            int64_t time = annealer->time[c * annealer->types + t];
            work[t] += time == DUET_FORBIDDEN ? 0.0 : (double)time;
            rows[t] += time != DUET_FORBIDDEN;
        }
    }
    for (size_t t = 0; t < annealer->types; t++) {
        double floor = work[t] > 0.0 ? annealer->scale * rows[t] / work[t] / floor_share : 1.0;
        penalty[t] = fmax(annealer->weight[t], floor);
    }
}
