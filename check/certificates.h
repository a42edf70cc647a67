// SPDX-License-Identifier: Apache-2.0
// The checks of certificates, a file for each kind, which certificate.c chooses among, and what
// they share.
#ifndef DUET_CHECK_CERTIFICATES_H
#define DUET_CHECK_CERTIFICATES_H

#include <duet/error.h>

#include "check/limits.h"
#include "core/instance/instance.h"
#include "core/number/fraction.h"
#include "core/solution/certificate.h"
#include "core/system/watch.h"

// flow.c
// Whether a DUET_PROOF_FLOW holds. DUET_E_INPUT: no, and why; DUET_E_MEMORY. O(entries of the flow
// + tasks x types) time, 32 bytes a task.
duet_code duet_check_flow(const duet_certificate *certificate, const duet_instance *instance,
                          duet_watch *watch, duet_error *error);

// head_tail.c
// Whether a DUET_PROOF_HEAD_TAIL holds. DUET_E_INPUT: no, and why; DUET_E_MEMORY. O(edges + tasks x
// types) time, 24 bytes a task.
duet_code duet_check_head_tail(const duet_certificate *certificate, const duet_instance *instance,
                               duet_watch *watch, duet_error *error);

// mixed.c
// Checks a certificate in integers: `longest`, `area`, or `flow` without prices, the longest path.
// DUET_E_INPUT where it does not hold, or is of another kind.
duet_code duet_check_mixed(const duet_certificate *certificate, const duet_instance *instance,
                           duet_watch *watch, duet_error *error);
// The least time of a kind over its best mixes: for each type on which it may run, all processors
// of such types that are no slower, at the speed of that type. DUET_FORBIDDEN where it may not run
// at all.
int64_t duet_check_best_mix(const duet_instance *instance, size_t kind, duet_watch *watch);

// moldable_prices.c
// DUET_PROOF_MOLDABLE_PRICES, as duet/certificate.h states it. DUET_E_INPUT where it does not hold.
// O(sizes of all tables).
duet_code duet_check_moldable_prices(const duet_certificate *certificate,
                                     const duet_instance *instance, duet_watch *watch,
                                     duet_error *error);

// DUET_PROOF_MOLDABLE_KNAPSACK: DUET_E_UNSUPPORTED where it may hold, since that has to be computed
// again; DUET_E_INPUT where it cannot be one.
duet_code duet_check_moldable_knapsack(const duet_instance *instance, duet_error *error);

// moldable_steps.c
// DUET_PROOF_MOLDABLE_STEPS, as duet/certificate.h states it. DUET_E_INPUT where it does not hold.
// O(sizes of all tables x log steps + steps x limits).
duet_code duet_check_moldable_steps(const duet_certificate *certificate,
                                    const duet_instance *instance, duet_watch *watch,
                                    duet_error *error);

// released_knapsack.c
// DUET_PROOF_KNAPSACK with releases or busy processors, as duet/certificate.h states it, on any
// number of types. DUET_E_INPUT: some allocation fits, or the list of works is too long.
// DUET_E_MEMORY, DUET_E_LIMIT, DUET_E_CANCELLED.
duet_code duet_check_released_knapsack(const duet_certificate *certificate,
                                       const duet_instance *instance, duet_watch *watch,
                                       duet_error *error);

// refusal.c
// DUET_E_INPUT: a certificate does not hold, and why.
duet_code duet_certificate_wrong(duet_error *error, const char *why);

// waits.c
// When a task of a kind can start on a type that has a processor.
int64_t duet_check_earliest(const duet_instance *instance, size_t kind, size_t type);
// The same on whatever type it may run; its release if that is none.
int64_t duet_check_earliest_anywhere(const duet_instance *instance, size_t kind);
// What the processors of a type have from `begin` to `end` where they are not busy.
duet_int128 duet_check_room(const duet_instance *instance, size_t type, int64_t begin, int64_t end);

#endif
