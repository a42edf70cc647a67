// SPDX-License-Identifier: Apache-2.0
// Classes of equal tasks for the checker of proofs. Includes no solver header: this is what an
// outsider trusts.
#include "check/proof/model.h"

#include <stdlib.h>

#include "core/assert.h"
#include "core/fraction.h"
#include "core/memory.h"

// What is sorted: kinds by their usable times, or classes by one time.
typedef struct keyed {
    int64_t key[DUET_PROOF_TYPES];
    size_t index;
} keyed;

static int compare_keyed(const void *left, const void *right)
{
    const keyed *a = left;
    const keyed *b = right;
    return 4 * duet_order(a->key[0], b->key[0]) + 2 * duet_order(a->key[1], b->key[1]) +
           duet_order(a->index, b->index);
}

// The usable times of a kind, 0 where there is none; false where the kind is dropped.
static bool usable_times(const duet_proof_model *model, const duet_instance *instance, size_t kind,
                         int64_t *times)
{
    for (size_t t = 0; t < DUET_PROOF_TYPES; t++) {
        int64_t time = duet_time(instance, kind, t);
        bool usable = duet_allowed(instance, kind, t) && time <= model->guess;
        if (usable && time == 0) {
            return false;
        }
        times[t] = usable ? time : 0;
    }
    return true;
}

// leader[i]: the first kind with the times of kind i; SIZE_MAX where kind i is dropped.
static void find_leaders(const duet_proof_model *model, const duet_instance *instance,
                         keyed *sorted, size_t *leader)
{
    size_t kept = 0;
    for (size_t i = 0; i < instance->kinds; i++) {
        leader[i] = SIZE_MAX;
        sorted[kept].index = i;
        kept += usable_times(model, instance, i, sorted[kept].key) ? 1 : 0;
    }
    qsort(sorted, kept, sizeof *sorted, compare_keyed);
    size_t first = 0;
    for (size_t s = 0; s < kept; s++) {
        if (sorted[s].key[0] != sorted[first].key[0] || sorted[s].key[1] != sorted[first].key[1]) {
            first = s;
        }
        leader[sorted[s].index] = sorted[first].index;
    }
}

// Numbers the classes in the order of their first kinds, and replaces each leader by its class. A
// leader stands before those that it leads, so theirs is known when they are reached.
static void number_classes(duet_proof_model *model, const duet_instance *instance, size_t *leader)
{
    for (size_t i = 0; i < instance->kinds; i++) {
        if (leader[i] == SIZE_MAX) {
            continue;
        }
        if (leader[i] == i) {
            int64_t times[DUET_PROOF_TYPES] = {0};
            usable_times(model, instance, i, times);
            for (int t = 0; t < DUET_PROOF_TYPES; t++) {
                model->time[t][model->classes] = times[t];
            }
            leader[i] = model->classes++;
        } else {
            DUET_ASSERT(leader[i] < i);
            leader[i] = leader[leader[i]];
        }
        model->count[leader[i]] += duet_count(instance, i);
    }
}

static void find_capacity(duet_proof_model *model, int type)
{
    duet_uint128 divisor = 0;
    for (size_t c = 0; c < model->classes; c++) {
        divisor = duet_gcd(divisor, (duet_uint128)model->time[type][c]); // 0 changes nothing
    }
    model->divisor[type] = divisor == 0 ? 1 : (int64_t)divisor;
    model->capacity[type] = model->guess / model->divisor[type] * model->divisor[type];
}

// The usable classes of a type by decreasing time, those of equal time by number.
static void order_classes(duet_proof_model *model, int type, keyed *sorted)
{
    size_t count = 0;
    for (size_t c = 0; c < model->classes; c++) {
        if (model->time[type][c] > 0) {
            sorted[count++] = (keyed){{-model->time[type][c], 0}, c};
        }
    }
    qsort(sorted, count, sizeof *sorted, compare_keyed);
    for (size_t i = 0; i < count; i++) {
        model->order[type][i] = sorted[i].index;
    }
    model->usable[type] = count;
}

static duet_code fill(duet_proof_model *model, const duet_instance *instance, duet_error *error)
{
    size_t kinds = instance->kinds;
    keyed *sorted = duet_alloc(kinds + 1, sizeof *sorted, error);
    size_t *leader = duet_alloc(kinds, sizeof *leader, error);
    model->count = duet_alloc(kinds, sizeof *model->count, error);
    bool made = sorted != NULL && leader != NULL && model->count != NULL;
    for (int t = 0; t < DUET_PROOF_TYPES; t++) {
        model->time[t] = duet_alloc(kinds, sizeof *model->time[t], error);
        model->order[t] = duet_alloc(kinds, sizeof *model->order[t], error);
        made = made && model->time[t] != NULL && model->order[t] != NULL;
    }
    if (made) {
        find_leaders(model, instance, sorted, leader);
        number_classes(model, instance, leader);
        for (int t = 0; t < DUET_PROOF_TYPES; t++) {
            find_capacity(model, t);
            order_classes(model, t, sorted);
        }
    }
    duet_free(sorted);
    duet_free(leader);
    return made ? DUET_OK : DUET_E_MEMORY;
}

duet_code duet_proof_model_init(duet_proof_model *model, const duet_instance *instance,
                                int64_t guess, duet_error *error)
{
    DUET_ASSERT(guess >= 0);
    *model = (duet_proof_model){.guess = guess};
    if (instance->types != DUET_PROOF_TYPES) {
        return duet_error_set(error, DUET_E_UNSUPPORTED,
                              "such a proof needs a platform of two types, this one has %zu",
                              instance->types);
    }
    if (!instance->has_platform) {
        return duet_error_set(error, DUET_E_USAGE,
                              "the instance has no platform: expected processor counts (-m, -k)");
    }
    for (int t = 0; t < DUET_PROOF_TYPES; t++) {
        model->processors[t] = instance->processors[t];
    }
    duet_code code = fill(model, instance, error);
    if (code != DUET_OK) {
        duet_proof_model_free(model);
    }
    return code;
}

void duet_proof_model_free(duet_proof_model *model)
{
    duet_free(model->count);
    for (int t = 0; t < DUET_PROOF_TYPES; t++) {
        duet_free(model->time[t]);
        duet_free(model->order[t]);
    }
    *model = (duet_proof_model){0};
}

duet_code duet_proof_stop(const duet_context *context, duet_error *error)
{
    if (context == NULL || !duet_context_stop(context)) {
        return DUET_OK;
    }
    if (duet_cancel_requested(context->cancel)) {
        return duet_error_set(error, DUET_E_CANCELLED, "cancelled before the proof was checked");
    }
    return duet_error_set(error, DUET_E_LIMIT, "the time limit came before the proof was checked");
}
