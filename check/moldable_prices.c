// SPDX-License-Identifier: Apache-2.0
// Checks prices of moldable tasks in integers, over all modes of all tasks. Includes no solver
// header: this is what an outsider trusts.
#include "check/certificates.h"

#include "check/modes.h"
#include "core/instance/instance.h"
#include "core/instance/moldable.h"
#include "core/number/fraction.h"
#include "core/system/try.h"

// The least that a task of a kind costs in a mode within lambda - 1; -1 where it has none. Below
// 2^126: multipliers are below 2^63, areas at most 2^62.
static duet_code find_least(const duet_certificate *certificate, const duet_instance *instance,
                            size_t kind, duet_check_modes *modes, duet_int128 *out,
                            duet_error *error)
{
    duet_int128 guess = certificate->lambda - 1;
    duet_int128 least = -1;
    duet_check_mode mode = {.size = 0};
    while (duet_check_next_mode(modes, instance, kind, &mode, error)) {
        if (mode.time > guess) {
            continue;
        }
        bool is_long = 2 * (duet_int128)mode.time > guess;
        int64_t area = mode.size * mode.time;
        duet_int128 cost =
            (duet_int128)certificate->weight[mode.type] * area +
            (is_long ? (duet_int128)certificate->count_weight[mode.type] * mode.size : 0);
        least = least < 0 || cost < least ? cost : least;
    }
    *out = least;
    return mode.code;
}

// What all processors have within lambda - 1. False where it overflows.
static bool find_supply(const duet_certificate *certificate, const duet_instance *instance,
                        duet_int128 *supply)
{
    duet_int128 guess = certificate->lambda - 1;
    *supply = 0;
    for (size_t t = 0; t < instance->types; t++) {
        duet_int128 each = certificate->weight[t] * guess + certificate->count_weight[t];
        duet_int128 of_type;
        if (__builtin_mul_overflow(each, (duet_int128)instance->processors[t], &of_type) ||
            __builtin_add_overflow(*supply, of_type, supply)) {
            return false;
        }
    }
    return true;
}

// Whether all tasks cost more than the processors have. What cannot be compared for its size is in
// *bounded: false.
static duet_code compare(const duet_certificate *certificate, const duet_instance *instance,
                         duet_check_modes *modes, bool *exceeds, bool *bounded, duet_error *error)
{
    duet_int128 supply;
    duet_int128 demand = 0;
    *exceeds = true;
    *bounded = find_supply(certificate, instance, &supply);
    for (size_t i = 0; i < instance->kinds; i++) {
        duet_int128 least;
        duet_int128 of_kind;
        DUET_TRY(find_least(certificate, instance, i, modes, &least, error));
        if (least < 0) {
            *bounded = true;
            return DUET_OK; // fits nowhere within lambda - 1
        }
        *bounded = *bounded &&
                   !__builtin_mul_overflow(least, (duet_int128)duet_count(instance, i), &of_kind) &&
                   !__builtin_add_overflow(demand, of_kind, &demand);
    }
    *exceeds = demand > supply;
    return DUET_OK;
}

duet_code duet_check_moldable_prices(const duet_certificate *certificate,
                                     const duet_instance *instance, duet_watch *watch,
                                     duet_error *error)
{
    if (instance->moldable == NULL) {
        return duet_certificate_wrong(error,
                                      "it is about moldable tasks, and these are sequential");
    }
    if (certificate->types != instance->types) {
        return duet_certificate_wrong(error, "expected two multipliers per processor type");
    }
    for (size_t t = 0; t < instance->types; t++) {
        if (certificate->weight[t] < 0 || certificate->count_weight[t] < 0 ||
            certificate->count_weight_high[t] != 0) {
            return duet_certificate_wrong(error, "expected multipliers of 0 to 2^63 - 1");
        }
    }
    bool exceeds;
    bool bounded;
    duet_check_modes modes = {.watch = watch};
    duet_code code = compare(certificate, instance, &modes, &exceeds, &bounded, error);
    duet_check_modes_free(&modes);
    if (code != DUET_OK) {
        return code;
    }
    if (!bounded) {
        return duet_certificate_wrong(error, "a sum overflows: expected smaller multipliers");
    }
    return exceeds
               ? DUET_OK
               : duet_certificate_wrong(error, "the tasks cost no more than the processors have: "
                                               "expected them to exceed it");
}

duet_code duet_check_moldable_knapsack(const duet_instance *instance, duet_error *error)
{
    size_t used = 0;
    for (size_t t = 0; t < instance->types; t++) {
        used += instance->processors[t] > 0;
    }
    if (instance->moldable == NULL) {
        return duet_certificate_wrong(error,
                                      "it is about moldable tasks, and these are sequential");
    }
    if (used > 2) {
        return duet_certificate_wrong(error, "a knapsack needs a platform of one or two types");
    }
    return duet_error_set(error, DUET_E_UNSUPPORTED,
                          "certificate: a knapsack: expected it to be computed again (verify "
                          "--deep)");
}
