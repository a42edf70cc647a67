// SPDX-License-Identifier: Apache-2.0
// What `duet verify` found, as the command prints it.
#ifndef DUET_CLI_VERIFY_REPORT_H
#define DUET_CLI_VERIFY_REPORT_H

#include <stdbool.h>

#include <duet/duet.h>

typedef struct duet_cli_verdict {
    duet_code code;
    duet_bound_check bound;
    bool recomputed;        // a bound by table whose table says so again
    bool by_proof;          // a proof was given, and holds
    bool unreadable;        // the proof is none
    bool of_file;           // what is given beforehand is not in what the solution claims
    const char *proof_file; // NULL: none was given
    duet_proof_stats proof;
    duet_error fault;
} duet_cli_verdict;

// Whether the claimed lower bound is proven, by its certificate or by the proof.
bool duet_cli_is_certified(const duet_cli_verdict *result);

void duet_cli_print_verdict(const duet_instance *instance, const duet_solution *solution,
                            const duet_cli_verdict *result);
void duet_cli_print_verdict_json(const duet_instance *instance, const duet_solution *solution,
                                 const duet_cli_verdict *result);

#endif
