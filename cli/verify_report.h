// SPDX-License-Identifier: Apache-2.0
// What `duet verify` found, as the command prints it.
#ifndef DUET_CLI_VERIFY_REPORT_H
#define DUET_CLI_VERIFY_REPORT_H

#include <stdbool.h>

#include <duet/duet.h>

#include "check/verdict.h"

// What came of a proof file.
typedef enum duet_cli_proof_result {
    DUET_CLI_PROOF_NONE,      // None was given, or it was not judged, or it does not hold.
    DUET_CLI_PROOF_HOLDS,     // It proves the bound.
    DUET_CLI_PROOF_UNREADABLE // The file is no proof.
} duet_cli_proof_result;

typedef struct duet_cli_verdict {
    duet_code code;
    duet_solution_verdict verdict; // of the solution, without the proof that is given beside it
    duet_bound_check bound;
    bool recomputed; // a bound by table whose table says so again
    duet_cli_proof_result by_proof;
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
