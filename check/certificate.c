// SPDX-License-Identifier: Apache-2.0
// Checks a certificate in integers. Includes no solver header: this is what an outsider trusts.
#include <inttypes.h>

#include "check/certificates.h"
#include "check/modes.h"
#include "check/proof/proof.h"
#include "check/proof/tree/knapsack.h"
#include "core/instance/available.h"
#include "core/instance/instance.h"
#include "core/instance/moldable.h"
#include "core/instance/rest.h"
#include "core/number/fraction.h"
#include "core/solution/certificate.h"
#include "core/system/try.h"

enum { TIME = 8 }; // units of work of a task's time on a type

// The task ends at lambda or later wherever it may run.
static duet_code check_longest(const duet_certificate *certificate, const duet_instance *instance,
                               duet_watch *watch, duet_error *error)
{
    if (certificate->task < 0 || certificate->task >= duet_tasks(instance)) {
        return duet_certificate_wrong(error, "expected a task of the instance");
    }
    size_t kind = duet_instance_kind_of(instance, certificate->task);
    duet_check_modes modes = {.watch = watch};
    duet_check_mode mode = {.size = 0};
    while (duet_check_next_mode(&modes, instance, kind, &mode, error)) {
        int64_t start = duet_check_earliest(instance, kind, mode.type);
        if (start + mode.time < certificate->lambda) {
            mode.code =
                duet_error_set(error, DUET_E_INPUT,
                               "certificate: task '%s' takes %" PRId64
                               " ticks on type %s: expected at least %" PRId64,
                               duet_instance_kind_id(instance, kind), mode.time,
                               instance->type_names[mode.type], certificate->lambda - start);
        }
    }
    duet_check_modes_free(&modes);
    return mode.code;
}

// a_t of a shelf certificate; 0 in all others.
static duet_int128 count_weight(const duet_certificate *certificate, size_t type)
{
    if (certificate->proof != DUET_PROOF_SHELF) {
        return 0;
    }
    return ((duet_int128)certificate->count_weight_high[type] << 62) +
           certificate->count_weight[type];
}

// How many of a processor's parts - 1 a time takes within the guess lambda - 1.
static int parts_taken(const duet_certificate *certificate, int64_t time)
{
    duet_int128 guess = certificate->lambda - 1;
    if (certificate->parts == 2) {
        return 2 * (duet_int128)time > guess;
    }
    return 3 * (duet_int128)time > 2 * guess ? 2 : 3 * (duet_int128)time > guess;
}

// The weight of a task of a kind on the type where that is least; -1 where the task fits nowhere
// within lambda - 1. Below 2^127: weights are below 2^63, times at most 2^62, count weights
// below 2^124.
static duet_int128 least_weighted(const duet_certificate *certificate,
                                  const duet_instance *instance, size_t kind)
{
    duet_int128 least = -1;
    for (size_t t = 0; t < instance->types; t++) {
        if (!duet_allowed(instance, kind, t)) {
            continue;
        }
        int64_t time = duet_time(instance, kind, t);
        // Of an area certificate what is to wait counts, of others it is dropped (C4).
        int64_t start =
            certificate->proof == DUET_PROOF_AREA ? duet_check_earliest(instance, kind, t) : 0;
        if (start + time >= certificate->lambda) {
            continue;
        }
        duet_int128 weighted = (duet_int128)certificate->weight[t] * time;
        if (certificate->proof == DUET_PROOF_SHELF) {
            weighted += count_weight(certificate, t) * parts_taken(certificate, time);
        }
        least = least < 0 || weighted < least ? weighted : least;
    }
    return least;
}

// The sum of m_t (u_t (lambda - 1) + a_t (parts - 1)). False where it overflows.
static bool weighted_capacity(const duet_certificate *certificate, const duet_instance *instance,
                              duet_int128 *capacity)
{
    duet_int128 guess = certificate->lambda - 1;
    *capacity = 0;
    for (size_t t = 0; t < instance->types; t++) {
        bool shelf = certificate->proof == DUET_PROOF_SHELF;
        duet_int128 factor = shelf ? instance->processors[t] : certificate->weight[t];
        duet_int128 per_factor =
            shelf ? certificate->weight[t] * guess + // below 2^125
                        count_weight(certificate, t) * (certificate->parts - 1)
                  : duet_check_room(instance, t, certificate->from, certificate->lambda - 1);
        duet_int128 of_type;
        if (__builtin_mul_overflow(per_factor, factor, &of_type) ||
            __builtin_add_overflow(*capacity, of_type, capacity)) {
            return false;
        }
    }
    return true;
}

// Whether the least weighted sum over all tasks exceeds the capacity.
static duet_code compare_weighted(const duet_certificate *certificate,
                                  const duet_instance *instance, duet_watch *watch,
                                  duet_error *error)
{
    duet_int128 work = 0;
    for (size_t i = 0; i < instance->kinds; i++) {
        if (duet_watch_spend(watch, (int64_t)instance->types * TIME)) {
            return duet_check_stopped(watch, error);
        }
        if (duet_release(instance, i) < certificate->from) {
            continue;
        }
        duet_int128 least = least_weighted(certificate, instance, i);
        if (least < 0) {
            return DUET_OK; // fits nowhere within lambda - 1
        }
        duet_int128 of_kind;
        if (__builtin_mul_overflow(least, (duet_int128)duet_count(instance, i), &of_kind) ||
            __builtin_add_overflow(work, of_kind, &work)) {
            return duet_certificate_wrong(error,
                                          "the weighted work overflows: expected smaller weights");
        }
    }
    duet_int128 capacity;
    if (!weighted_capacity(certificate, instance, &capacity)) {
        return duet_certificate_wrong(error,
                                      "the weighted capacity overflows: expected smaller weights");
    }
    if (work <= capacity) {
        return duet_certificate_wrong(error,
                                      "the weighted work fits: expected it to exceed the capacity");
    }
    return DUET_OK;
}

static duet_code check_weights(const duet_certificate *certificate, const duet_instance *instance,
                               duet_error *error)
{
    if (certificate->types != instance->types) {
        return duet_certificate_wrong(error, "expected one weight per processor type");
    }
    for (size_t t = 0; t < instance->types; t++) {
        if (certificate->weight[t] < 0) {
            return duet_certificate_wrong(error, "expected weights of at least 0");
        }
    }
    return DUET_OK;
}

// A schedule of makespan <= lambda - 1 runs every task on a type where it takes at most that, and
// gives type t at most (lambda - 1) m_t of work: so its weighted work is at least the sum of the
// minima and at most the weighted capacity.
static duet_code check_area(const duet_certificate *certificate, const duet_instance *instance,
                            duet_watch *watch, duet_error *error)
{
    DUET_TRY(check_weights(certificate, instance, error));
    bool positive = false;
    for (size_t t = 0; t < instance->types; t++) {
        positive = positive || certificate->weight[t] > 0;
    }
    if (!positive) {
        return duet_certificate_wrong(error, "expected a weight above 0");
    }
    return compare_weighted(certificate, instance, watch, error);
}

// As check_area(), with the long tasks counted: duet/certificate.h has the inequality.
static duet_code check_shelf(const duet_certificate *certificate, const duet_instance *instance,
                             duet_watch *watch, duet_error *error)
{
    static const int64_t limit = INT64_C(1) << 62;
    DUET_TRY(check_weights(certificate, instance, error));
    for (size_t t = 0; t < instance->types; t++) {
        if (certificate->count_weight[t] < 0 || certificate->count_weight[t] >= limit ||
            certificate->count_weight_high[t] < 0 || certificate->count_weight_high[t] >= limit) {
            DUET_TRY(duet_certificate_wrong(error, "expected counts of 0 to 2^124 - 1"));
        }
    }
    if (certificate->parts != 2 && certificate->parts != 3) {
        DUET_TRY(duet_certificate_wrong(error, "expected 2 or 3 parts"));
    }
    return compare_weighted(certificate, instance, watch, error);
}

// Checks all that can be checked without computing the table.
static duet_code check_table(const duet_certificate *certificate, const duet_instance *instance,
                             duet_error *error)
{
    if (instance->types != 2) {
        return duet_certificate_wrong(error, "a table needs a platform of two types");
    }
    if (certificate->rounded >= instance->types) {
        return duet_certificate_wrong(error,
                                      "expected the rounded type to be one of the platform's");
    }
    if (certificate->grid < 0) {
        return duet_certificate_wrong(error, "expected a grid of at least 0");
    }
    return duet_error_set(error, DUET_E_UNSUPPORTED,
                          "certificate: a table: expected it to be computed again (verify --deep)");
}

// The vector of a certificate: weights of DUET_PROOF_KNAPSACK, or prices of DUET_PROOF_PRICES.
static duet_code make_vector(const duet_certificate *certificate, const duet_proof_model *model,
                             duet_proof_vector *vector, duet_watch *watch, duet_error *why)
{
    if (certificate->proof == DUET_PROOF_KNAPSACK) {
        return duet_proof_vector_area(vector, model, certificate->weight, why);
    }
    const duet_price_list *list = certificate->prices;
    if (list->classes != model->classes) {
        return duet_error_set(why, DUET_E_INPUT, "prices of %zu classes: expected %zu",
                              list->classes, model->classes);
    }
    if (list->types != (size_t)model->types) {
        return duet_error_set(why, DUET_E_INPUT, "prices of %zu types: expected %d", list->types,
                              model->types);
    }
    duet_proof_prices given = {list->mode, NULL, list->limit, list->price, NULL};
    return duet_proof_vector_prices(vector, model, &given, watch, why);
}

// The certificate is a leaf of a proof by search: it must refute the root.
static duet_code check_root(const duet_certificate *certificate, const duet_proof_model *model,
                            const duet_proof_vector *vector, duet_watch *watch, duet_error *why)
{
    duet_proof_residuals left;
    duet_code code = duet_proof_residuals_init(&left, model, why);
    if (code == DUET_OK && certificate->proof == DUET_PROOF_KNAPSACK) {
        code = duet_proof_knapsack(model, vector, &left, model->processors, watch, why);
    } else if (code == DUET_OK && duet_proof_demand(vector, model, &left) <=
                                      duet_proof_supply(vector, model->processors)) {
        code = duet_error_set(why, DUET_E_INPUT,
                              "the demand of the tasks is not above the supply of the processors");
    }
    duet_proof_residuals_free(&left);
    return code;
}

static duet_code check_classes(const duet_certificate *certificate, const duet_instance *instance,
                               duet_watch *watch, duet_error *error)
{
    duet_error why = DUET_ERROR_INIT;
    duet_proof_model model;
    duet_proof_vector vector = {.owned = NULL};
    if (certificate->proof == DUET_PROOF_PRICES && certificate->prices == NULL) {
        return duet_certificate_wrong(error, "expected prices");
    }
    if (certificate->proof == DUET_PROOF_KNAPSACK && !duet_is_available(instance)) {
        duet_code released = duet_check_released_knapsack(certificate, instance, watch, error);
        if (released != DUET_E_INPUT || instance->types != 2) {
            return released;
        } // else it may hold without releases, where loads are multiples of a common divisor
    }
    if (certificate->proof == DUET_PROOF_KNAPSACK && instance->types != 2) {
        return duet_certificate_wrong(error, "such a proof needs a platform of two types");
    }
    duet_code code = duet_proof_model_init(&model, instance, certificate->lambda - 1, watch, &why);
    if (code == DUET_OK) {
        code = make_vector(certificate, &model, &vector, watch, &why);
        DUET_THEN(code, check_root(certificate, &model, &vector, watch, &why));
        duet_proof_vector_free(&vector);
        duet_proof_model_free(&model);
    }
    return code == DUET_OK ? DUET_OK : duet_error_set(error, code, "certificate: %s", why.message);
}

// Whether a proof holds of tasks with several times on a type.
static bool is_of_moldable(duet_proof proof)
{
    return proof == DUET_PROOF_LONGEST || proof == DUET_PROOF_FLOW ||
           proof == DUET_PROOF_MOLDABLE_PRICES || proof == DUET_PROOF_MOLDABLE_KNAPSACK ||
           proof == DUET_PROOF_MOLDABLE_STEPS;
}

static duet_code check_proof(const duet_certificate *certificate, const duet_instance *instance,
                             duet_watch *watch, duet_error *error)
{
    switch (certificate->proof) {
    case DUET_PROOF_LONGEST:
        return check_longest(certificate, instance, watch, error);
    case DUET_PROOF_AREA:
        return check_area(certificate, instance, watch, error);
    case DUET_PROOF_SHELF:
        return check_shelf(certificate, instance, watch, error);
    case DUET_PROOF_TABLE:
        return check_table(certificate, instance, error);
    case DUET_PROOF_KNAPSACK:
    case DUET_PROOF_PRICES:
        return check_classes(certificate, instance, watch, error);
    case DUET_PROOF_FLOW:
        return duet_check_flow(certificate, instance, watch, error);
    case DUET_PROOF_HEAD_TAIL:
        return duet_check_head_tail(certificate, instance, watch, error);
    case DUET_PROOF_LINES:
        return duet_check_lines(certificate, instance, watch, error);
    case DUET_PROOF_MOLDABLE_PRICES:
        return duet_check_moldable_prices(certificate, instance, watch, error);
    case DUET_PROOF_MOLDABLE_KNAPSACK:
        return duet_check_moldable_knapsack(instance, error);
    case DUET_PROOF_MOLDABLE_STEPS:
        return duet_check_moldable_steps(certificate, instance, watch, error);
    case DUET_PROOF_NONE:
        break;
    }
    return duet_certificate_wrong(error, "unknown kind of proof");
}

static duet_code check(const duet_certificate *certificate, const duet_instance *instance,
                       duet_watch *watch, duet_error *error)
{
    if (certificate->proof == DUET_PROOF_NONE) {
        return duet_certificate_wrong(error, "there is none");
    }
    if (certificate->lambda < 0 || certificate->lambda > DUET_MAX_WORK) {
        return duet_certificate_wrong(error, "expected a bound of 0 to 2^62 ticks");
    }
    if (certificate->lambda == 0) {
        return DUET_OK; // nothing to prove
    }
    if (certificate->from < 0 || (certificate->from > 0 && (certificate->proof != DUET_PROOF_AREA ||
                                                            instance->mixed_sets))) {
        return duet_certificate_wrong(error, "expected from, of at least 0, of an area alone");
    }
    if (instance->mixed_sets) {
        return duet_check_mixed(certificate, instance, watch, error);
    }
    if (instance->moldable != NULL && !is_of_moldable(certificate->proof)) {
        return duet_certificate_wrong(error,
                                      "it is about sequential tasks, and these are moldable");
    }
    return check_proof(certificate, instance, watch, error);
}

size_t duet_certificate_size(const duet_certificate *certificate)
{
    return certificate->lines == NULL ? 0 : certificate->lines->length;
}

duet_code duet_certificate_check_watched(const duet_certificate *certificate,
                                         const duet_instance *instance, duet_watch *watch,
                                         duet_error *error)
{
    duet_code code = check(certificate, instance, watch, error);
    // What a stopped check has found counts for nothing.
    return watch->stopped ? duet_check_stopped(watch, error) : code;
}

duet_code duet_certificate_check(const duet_certificate *certificate, const duet_instance *instance,
                                 const duet_params *params, duet_error *error)
{
    duet_context context;
    duet_watch watch = {.context = &context};
    DUET_TRY(duet_check_begin(&context, params, duet_certificate_size(certificate), error));
    if (instance->pins == NULL) {
        return duet_certificate_check_watched(certificate, instance, &watch, error);
    }
    duet_rest rest;
    duet_code code = duet_rest_create(instance, &rest, error);
    duet_certificate own = *certificate;
    if (code == DUET_OK) {
        own.task = duet_rest_number(&rest, own.task);
        code = duet_certificate_check_watched(&own, rest.instance, &watch, error);
    }
    duet_rest_free(&rest);
    return code;
}
