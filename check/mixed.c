// SPDX-License-Identifier: Apache-2.0
// Why these bounds hold: a law's time never increases with the number of processors or with their
// speed, and its area, processors times time, never decreases with their number. A set whose
// slowest processors are of type t has at most as many processors as there are no slower ones. So
// the task takes at least the time of all of these at the speed of t. On q of them it takes p_q,
// and its weight, the time times the weights of its processors, is at least q p_q times the least
// weight among these. A processor of that weight alone takes no longer than q p_q.
#include "check/certificates.h"

#include <inttypes.h>

#include "check/law.h"
#include "core/number/minmax.h"

// C4, longest: the task takes at least lambda on every set.
static duet_code check_longest(const duet_certificate *certificate, const duet_instance *instance,
                               duet_watch *watch, duet_error *error)
{
    if (certificate->task < 0 || certificate->task >= duet_tasks(instance)) {
        return duet_certificate_wrong(error, "expected a task of the instance");
    }
    size_t kind = duet_instance_kind_of(instance, certificate->task);
    int64_t least = duet_check_best_mix(instance, kind, watch);
    return least >= certificate->lambda
               ? DUET_OK
               : duet_error_set(error, DUET_E_INPUT,
                                "certificate: task '%s' takes %" PRId64
                                " ticks on its best mix of types: expected at least %" PRId64,
                                duet_instance_kind_id(instance, kind), least, certificate->lambda);
}

// What a task of a kind weighs at least: on one processor of some type. Below 2^126: a weight is
// below 2^63, a time at most 2^62.
static duet_int128 least_weighted(const duet_certificate *certificate,
                                  const duet_instance *instance, size_t kind, duet_watch *watch)
{
    duet_check_memo memo = {.watch = watch};
    duet_int128 least = -1;
    for (size_t t = 0; t < instance->types; t++) {
        if (duet_allowed(instance, kind, t)) {
            duet_int128 weighted = (duet_int128)certificate->weight[t] *
                                   duet_check_law_time(instance, kind, t, 1, &memo);
            least = least < 0 || weighted < least ? weighted : least;
        }
    }
    return duet_max(least, 0);
}

// C4, area: all processors have less weight within lambda - 1 than the tasks weigh.
static duet_code check_area(const duet_certificate *certificate, const duet_instance *instance,
                            duet_watch *watch, duet_error *error)
{
    duet_int128 capacity = 0;
    duet_int128 work = 0;
    for (size_t t = 0; t < instance->types; t++) {
        duet_int128 of_type;
        if (certificate->weight[t] < 0) {
            return duet_certificate_wrong(error, "expected weights of at least 0");
        }
        if (__builtin_mul_overflow((duet_int128)certificate->weight[t] * (certificate->lambda - 1),
                                   (duet_int128)instance->processors[t], &of_type) ||
            __builtin_add_overflow(capacity, of_type, &capacity)) {
            return duet_certificate_wrong(
                error, "the weighted capacity overflows: expected smaller weights");
        }
    }
    for (size_t i = 0; i < instance->kinds; i++) {
        duet_int128 of_kind;
        if (__builtin_mul_overflow(least_weighted(certificate, instance, i, watch),
                                   (duet_int128)duet_count(instance, i), &of_kind) ||
            __builtin_add_overflow(work, of_kind, &work)) {
            return duet_certificate_wrong(error,
                                          "the weighted work overflows: expected smaller weights");
        }
    }
    return work > capacity
               ? DUET_OK
               : duet_certificate_wrong(
                     error, "the weighted work fits: expected it to exceed the capacity");
}

// C4, path: the longest path is a flow without prices of types.
static duet_code check_path(const duet_certificate *certificate, const duet_instance *instance,
                            duet_watch *watch, duet_error *error)
{
    for (size_t t = 0; t < instance->types; t++) {
        if (certificate->weight[t] != 0) {
            return duet_certificate_wrong(
                error, "with mixed sets a flow is a path: expected weights of 0");
        }
    }
    return duet_check_flow(certificate, instance, watch, error);
}

duet_code duet_check_mixed(const duet_certificate *certificate, const duet_instance *instance,
                           duet_watch *watch, duet_error *error)
{
    bool weighs = certificate->proof == DUET_PROOF_AREA || certificate->proof == DUET_PROOF_FLOW;
    if (weighs && certificate->types != instance->types) {
        return duet_certificate_wrong(error, "expected one weight per processor type");
    }
    switch (certificate->proof) {
    case DUET_PROOF_LONGEST:
        return check_longest(certificate, instance, watch, error);
    case DUET_PROOF_AREA:
        return check_area(certificate, instance, watch, error);
    case DUET_PROOF_FLOW:
        return check_path(certificate, instance, watch, error);
    default:
        return duet_certificate_wrong(
            error, "it bounds sets of one type alone, and this instance has mixed sets: "
                   "expected \"longest\", "
                   "\"area\", or \"flow\" along a path");
    }
}
