// SPDX-License-Identifier: Apache-2.0
// The rows of the table of instance families. One file per family defines its row; families.c lists
// them.
#ifndef DUET_INSTANCES_FAMILIES_FAMILY_H
#define DUET_INSTANCES_FAMILIES_FAMILY_H

#include <duet/registry.h>

#include "core/instance/instance.h"
#include "core/number/random.h"
#include "core/options.h"

// What a generator is given. Size, options and platform were checked.
typedef struct duet_family_request {
    int64_t n;    // size; 0 for a family without
    size_t types; // of processors: 2 but for a family that handles any number; 0: it decides
    int64_t cpus; // as the user gave them, or the family's own
    int64_t gpus;
    int64_t further[DUET_MAX_TYPES - 2]; // of the third type and those after it
    uint64_t seed;
    duet_random random; // seeded
    const duet_options *options;
    const duet_option_spec *table;
} duet_family_request;

// Sets name and unit and adds the kinds; the platform is there already, but for families of
// moldable tasks, which add their own.
typedef duet_code duet_family_function(duet_family_request *request, duet_builder *builder,
                                       duet_error *error);

// Sets the processors that the user did not give (-1) and refuses those that the family cannot
// take.
typedef duet_code duet_family_platform(duet_family_request *request, duet_error *error);

typedef struct duet_family {
    // The guarantee is the ratio that a worst-case family reaches, else NULL.
    duet_entry entry;
    int64_t fallback; // size where the user gives none
    int64_t maximum;  // largest size; 0: the family has no size
    duet_family_function *generate;
    duet_family_platform *platform; // NULL: any, 20 + 4 by default
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
extern const duet_family duet_family_mixed;
extern const duet_family duet_family_amdahl;
extern const duet_family duet_family_downey;
extern const duet_family duet_family_tables;
extern const duet_family duet_family_platform_study;
extern const duet_family duet_family_layered;
extern const duet_family duet_family_daggen;
extern const duet_family duet_family_series_parallel;
extern const duet_family duet_family_fork_join;
extern const duet_family duet_family_chains;
extern const duet_family duet_family_adhoc;
extern const duet_family duet_family_mixed_graph;
extern const duet_family duet_family_worst_heteroprio_1_1;
extern const duet_family duet_family_worst_heteroprio_m_1;
extern const duet_family duet_family_worst_heteroprio;
extern const duet_family duet_family_worst_heteroprio_graph;
extern const duet_family duet_family_worst_qa;
extern const duet_family duet_family_worst_qa_graph;
extern const duet_family duet_family_worst_er_ls;
extern const duet_family duet_family_worst_quickest;
extern const duet_family duet_family_worst_ratio;
extern const duet_family duet_family_worst_eft;
extern const duet_family duet_family_worst_heft;
extern const duet_family duet_family_worst_heft_published;
extern const duet_family duet_family_worst_lpt;
extern const duet_family duet_family_worst_dualhp;
extern const duet_family duet_family_worst_dual_2;
extern const duet_family duet_family_worst_shelf_3_2;
extern const duet_family duet_family_worst_dual_4_3;
extern const duet_family duet_family_worst_accel_published;

enum { DUET_FAMILY_TASKS = 100, DUET_FAMILY_MAX_TASKS = 100000000 };

// Draws the times of one task.
typedef void duet_draw_function(duet_family_request *request, void *state, int64_t *cpu,
                                int64_t *gpu);

// Names the instance "FAMILY-N-SEED" and adds n tasks t0, t1, ... of drawn times.
duet_code duet_family_draw(duet_family_request *request, duet_builder *builder, const char *family,
                           duet_draw_function *draw, void *state, duet_error *error);

int64_t duet_family_integer(const duet_family_request *request, const char *option);

// Sets the processors that the user did not give.
duet_code duet_family_default_platform(duet_family_request *request, int64_t cpus, int64_t gpus);

// DUET_E_USAGE where the option `low` is above the option `high`.
duet_code duet_family_check_range(const duet_family_request *request, const char *low,
                                  const char *high, duet_error *error);

#endif
