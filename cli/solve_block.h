// SPDX-License-Identifier: Apache-2.0
// What duet solve says to people.
#ifndef DUET_CLI_SOLVE_BLOCK_H
#define DUET_CLI_SOLVE_BLOCK_H

#include <duet/duet.h>

// Prints what is known of a schedule: instance, platform, makespan, lower bound, gap.
void duet_cli_schedule_block(const duet_instance *instance, const duet_solution *solution,
                             duet_bound_check bound);
// Prints a solution in a few lines. `bound` is the checker's word on its lower bound; where that is
// not certified, nor has_proof, a line says how it becomes so.
void duet_cli_solve_block(const duet_instance *instance, const duet_solution *solution,
                          duet_bound_check bound, bool has_proof);

#endif
