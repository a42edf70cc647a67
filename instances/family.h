// SPDX-License-Identifier: Apache-2.0
// The rows of the table of instance families. One file per family defines its row; families.c lists
// them.
#ifndef DUET_INSTANCES_FAMILY_H
#define DUET_INSTANCES_FAMILY_H

#include <duet/registry.h>

#include "core/instance.h"
#include "core/options.h"
#include "core/random.h"

// What a generator is given. Size and options were checked.
typedef struct duet_family_request {
    int64_t n;
    uint64_t seed;
    duet_random random; // seeded
    const duet_options *options;
    const duet_option_spec *table;
} duet_family_request;

// Sets name and unit and adds the kinds; the platform is there already.
typedef duet_code duet_family_function(duet_family_request *request, duet_builder *builder,
                                       duet_error *error);

typedef struct duet_family {
    duet_entry entry;
    int64_t fallback; // size where the user gives none
    int64_t maximum;  // largest size
    duet_family_function *generate;
} duet_family;

extern const duet_family duet_family_uniform;
extern const duet_family duet_family_acc;
extern const duet_family duet_family_bleuse;
extern const duet_family duet_family_unif2;
extern const duet_family duet_family_unif4;
extern const duet_family duet_family_corr;
extern const duet_family duet_family_bimod;
extern const duet_family duet_family_chol;
extern const duet_family duet_family_lu;
extern const duet_family duet_family_qr;

enum { DUET_FAMILY_TASKS = 100, DUET_FAMILY_MAX_TASKS = 100000000 };

// Draws the times of one task.
typedef void duet_draw_function(duet_family_request *request, void *state, int64_t *cpu,
                                int64_t *gpu);

// Names the instance "FAMILY-N-SEED" and adds n tasks t0, t1, ... of drawn times.
duet_code duet_family_draw(duet_family_request *request, duet_builder *builder, const char *family,
                           duet_draw_function *draw, void *state, duet_error *error);

int64_t duet_family_integer(const duet_family_request *request, const char *option);

// DUET_E_USAGE where the option `low` is above the option `high`.
duet_code duet_family_check_range(const duet_family_request *request, const char *low,
                                  const char *high, duet_error *error);

#endif
