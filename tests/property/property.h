// SPDX-License-Identifier: Apache-2.0
// The property of docs/problem.md: whatever schedule and whatever claim of a bound the checker
// accepts of an instance, the makespan is at least the bound. Instances of every kind, schedules
// and claims that are made, changed and forged.
#ifndef DUET_TESTS_PROPERTY_PROPERTY_H
#define DUET_TESTS_PROPERTY_PROPERTY_H

#include <duet/duet.h>

#include "tests/property/draws.h"

enum { PROPERTY_MOST_TASKS = 6 };

// A small instance of any kind with any feature: independent tasks on one to four types, also types
// without processors and one CPU alone; graphs with costs; tables and laws, with edges, data and
// mixed sets; zero times and forbidden types. Owned by the caller; NULL without memory.
duet_instance *property_instance(draws *d);

// A schedule of it: placed task by task, which is valid, and mostly changed in one or two places,
// which may make it so or not. Owned by the caller; NULL without memory.
// *whole receives whether nothing was changed.
duet_solution *property_schedule(draws *d, const duet_instance *instance, bool *whole);

// Claims of bounds, as certificates that hold references of their own.
typedef struct property_claims {
    duet_certificate *certificate;
    size_t count;
} property_claims;
// Those that the library makes: of every bound and of some algorithms.
void property_make_claims(const duet_instance *instance, property_claims *claims);
// One more: a copy of one of the first `made` with something changed, or one that is forged.
void property_forge_claim(draws *d, const duet_instance *instance, size_t made,
                          property_claims *claims);
void property_free_claims(property_claims *claims);
// The bound that the checker accepts of a certificate; -1 where it does not, 0 where a table would
// take too long to be computed again.
int64_t property_accepted_bound(const duet_certificate *certificate, const duet_instance *instance);

// What was tried.
typedef struct property_counts {
    int64_t instances, mixed, pairs, schedules, accepted_schedules, claims, accepted_claims, proofs,
        accepted_proofs;
} property_counts;

// Tries so many schedules against so many claims, and proofs by search, of the next instance that
// is drawn. Returns NULL, or what is wrong: then *instance is the instance, which the caller frees
// in any case.
const char *property_try(draws *d, int schedules, int claims, property_counts *counts,
                         duet_instance **instance);

#endif
