// SPDX-License-Identifier: Apache-2.0
/// @file
/// Simulation: a rule or a plan runs while real times differ from planned ones.
///
/// A task's real time is its planned time on the type where it runs times a factor, rounded to the
/// nearest tick (at least 1 unless 0 was planned). The factor depends on the seed, the run and the
/// task alone, so that all rules and plans meet the same noise, on every machine. Independent tasks
/// are task graphs without edges.
#ifndef DUET_SIMULATE_H
#define DUET_SIMULATE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <duet/error.h>
#include <duet/export.h>
#include <duet/instance.h>
#include <duet/solution.h>
#include <duet/solve.h>

#ifdef __cplusplus
extern "C" {
#endif

/// What is kept of a plan.
typedef enum duet_keep {
    /// Every processor runs its tasks in the planned order, each as soon as the data of its
    /// predecessors are there.
    DUET_KEEP_ORDER,
    /// Every task keeps its type. An idle processor takes, of the tasks of its type whose data are
    /// there, the one of earliest planned start.
    DUET_KEEP_ALLOCATION
} duet_keep;

/// What is simulated. Start from `{.struct_size = sizeof(duet_simulation_desc)}`.
typedef struct duet_simulation_desc {
    size_t struct_size; ///< sizeof(duet_simulation_desc), so that it can grow
    /// A rule that decides while tasks run (duet_algorithm_is_rule()), or an algorithm whose
    /// schedule is the plan. NULL: `plan` counts.
    const char *algorithm;
    const duet_solution *plan; ///< a valid schedule; must live as long as the simulator
    duet_keep keep;            ///< of a plan
    /// Each "lognormal:S" (exp(S z - S^2/2), z normal: mean 1), "gamma:S" (mean 1, standard
    /// deviation S), "uniform:A" (in [1-A, 1+A]), "kind:NAME=FACTOR,...", "group:NAME=FACTOR,..."
    /// (all kinds whose ids are NAME, or begin with it and one of _ - . / : # or a digit) or
    /// "none"; their factors multiply.
    const char *const *noise;
    size_t noises; ///< how many
    /// Each "TYPE:PROCESSOR@TIME=FACTOR": from that time on, in units of the instance, the
    /// processor takes FACTOR times as long; of a task that runs, for what is left of it.
    const char *const *slow;
    size_t slows; ///< how many
    /// Each "TYPE:PROCESSOR@TIME": from that time on the processor is gone. What ran there starts
    /// anew elsewhere.
    const char *const *fail;
    size_t fails;  ///< how many
    uint64_t seed; ///< of the noise
    /// Of the algorithm, and what ends runs; may be NULL. What it points to must live as long as
    /// the simulator. The time limit counts from duet_simulator_create() on and ends all runs; an
    /// algorithm that makes a plan takes at most half of it.
    const duet_params *params;
    /// The algorithm that plans the rest of a plan again on the way (duet_replan()): one that does
    /// not search, and handles releases and busy processors. NULL: the plan is kept. Not of a rule,
    /// and not where processors are gone.
    const char *replan;
    /// Ticks: it is planned again at every multiple of this. 0: whenever a task ends at another
    /// time than planned.
    int64_t replan_every;
} duet_simulation_desc;

/// What came of a run. What it points to belongs to the simulator, until its next run.
typedef struct duet_simulated {
    int64_t makespan;    ///< ticks
    int64_t lower_bound; ///< on any schedule with the real times, without slow or lost processors
    int64_t lost;        ///< runs that were given up, by the rule or with their processor
    /// The instance with the times that each task really took where it ran, a kind for each task.
    const duet_instance *instance;
    const duet_solution *schedule; ///< of that instance
    int64_t kept;                  ///< the makespan if the plan is kept, and not planned again
    int64_t plans;                 ///< how often it was planned again
    int64_t reserved[2];           ///< room to grow
} duet_simulated;

/// A simulation that is ready to run.
typedef struct duet_simulator duet_simulator;

/// Whether an algorithm of the library decides while tasks run, so that it is simulated itself, not
/// its plan.
DUET_API bool duet_algorithm_is_rule(const char *name);

/// Prepares a simulation; makes the plan where an algorithm is to make it. `instance` must live as
/// long as the simulator. On success `*out` is owned by the caller (duet_simulator_free()). Errors:
/// DUET_E_USAGE (`desc`; an unknown algorithm, kind, type or processor; a size that no noise can
/// have), DUET_E_INPUT (`plan` is no valid schedule), and those of duet_solve().
DUET_API duet_code duet_simulator_create(const duet_instance *instance,
                                         const duet_simulation_desc *desc, duet_simulator **out,
                                         duet_error *error);
/// NULL is allowed.
DUET_API void duet_simulator_free(duet_simulator *simulator);
/// What would happen if all times were as planned: the plan, or the schedule of the rule. Belongs
/// to the simulator.
DUET_API const duet_solution *duet_simulator_plan(const duet_simulator *simulator);
/// Whether it simulates a rule, not a plan.
DUET_API bool duet_simulator_is_rule(const duet_simulator *simulator);

/// Simulates run `run`, >= 0, on its own: runs may come in any order. Errors: DUET_E_INFEASIBLE (no
/// processor that a task may run on is left), DUET_E_LIMIT (real times too long; the time limit,
/// asked every few milliseconds within a run), DUET_E_MEMORY, DUET_E_CANCELLED. Cost: that of the
/// rule, or O((n + e) (log n + m)) of a plan.
DUET_API duet_code duet_simulator_run(duet_simulator *simulator, int64_t run, duet_simulated *out,
                                      duet_error *error);

#ifdef __cplusplus
}
#endif

#endif
