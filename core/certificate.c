// SPDX-License-Identifier: Apache-2.0
// Checks a certificate in integers. Includes no solver header: this is what an outsider trusts.
#include <inttypes.h>

#include <duet/bound.h>

#include "core/exact.h"
#include "core/instance.h"

static duet_code wrong(duet_error *error, const char *why)
{
    return duet_error_set(error, DUET_E_INPUT, "certificate: %s", why);
}

// The task takes at least lambda wherever it may run.
static duet_code check_longest(const duet_certificate *certificate, const duet_instance *instance,
                               duet_error *error)
{
    if (certificate->task < 0 || certificate->task >= duet_tasks(instance)) {
        return wrong(error, "expected a task of the instance");
    }
    size_t kind = duet_instance_kind_of(instance, certificate->task);
    for (size_t t = 0; t < instance->types; t++) {
        if (duet_allowed(instance, kind, t) && duet_time(instance, kind, t) < certificate->lambda) {
            return duet_error_set(error, DUET_E_INPUT,
                                  "certificate: task '%s' takes %" PRId64
                                  " ticks on type %s: expected at least %" PRId64,
                                  duet_instance_kind_id(instance, kind),
                                  duet_time(instance, kind, t), instance->type_names[t],
                                  certificate->lambda);
        }
    }
    return DUET_OK;
}

// (lambda - 1) * sum of w_t m_t, or false where it exceeds every weighted work there can be.
static bool weighted_capacity(const duet_certificate *certificate, const duet_instance *instance,
                              duet_int128 *capacity)
{
    duet_int128 sum = 0;
    for (size_t t = 0; t < instance->types; t++) {
        sum += (duet_int128)certificate->weight[t] * instance->processors[t];
    }
    return !__builtin_mul_overflow(sum, (duet_int128)(certificate->lambda - 1), capacity);
}

// A schedule of makespan <= lambda - 1 runs every task on a type where it takes at most that, and
// gives type t at most (lambda - 1) m_t of work: so its weighted work is at least the sum of the
// minima below and at most the weighted capacity.
static duet_code check_area(const duet_certificate *certificate, const duet_instance *instance,
                            duet_error *error)
{
    if (certificate->types != instance->types) {
        return wrong(error, "expected one weight per processor type");
    }
    bool positive = false;
    for (size_t t = 0; t < instance->types; t++) {
        if (certificate->weight[t] < 0) {
            return wrong(error, "expected weights of at least 0");
        }
        positive = positive || certificate->weight[t] > 0;
    }
    if (!positive) {
        return wrong(error, "expected a weight above 0");
    }
    duet_int128 work = 0; // below 2^62 * 2^63
    for (size_t i = 0; i < instance->kinds; i++) {
        duet_int128 least = -1;
        for (size_t t = 0; t < instance->types; t++) {
            if (duet_allowed(instance, i, t) && duet_time(instance, i, t) < certificate->lambda) {
                duet_int128 weighted =
                    (duet_int128)certificate->weight[t] * duet_time(instance, i, t);
                least = least < 0 || weighted < least ? weighted : least;
            }
        }
        if (least < 0) {
            return DUET_OK; // fits nowhere within lambda - 1
        }
        work += least * duet_count(instance, i);
    }
    duet_int128 capacity;
    if (!weighted_capacity(certificate, instance, &capacity) || work <= capacity) {
        return wrong(error, "the weighted work fits: expected it to exceed the capacity");
    }
    return DUET_OK;
}

duet_code duet_certificate_check(const duet_certificate *certificate, const duet_instance *instance,
                                 duet_error *error)
{
    if (certificate->proof == DUET_PROOF_NONE) {
        return wrong(error, "there is none");
    }
    if (certificate->lambda < 0 || certificate->lambda > DUET_MAX_WORK) {
        return wrong(error, "expected a bound of 0 to 2^62 ticks");
    }
    if (certificate->lambda == 0) {
        return DUET_OK; // nothing to prove
    }
    switch (certificate->proof) {
    case DUET_PROOF_LONGEST:
        return check_longest(certificate, instance, error);
    case DUET_PROOF_AREA:
        return check_area(certificate, instance, error);
    case DUET_PROOF_NONE:
        break;
    }
    return wrong(error, "unknown kind of proof");
}
