// SPDX-License-Identifier: Apache-2.0
// Runs of `exact` for the tests, with the proof that it writes.
#ifndef DUET_TESTS_SUPPORT_EXACT_RUN_H
#define DUET_TESTS_SUPPORT_EXACT_RUN_H

#include <stddef.h>
#include <stdint.h>

#include <duet/instance.h>
#include <duet/solve.h>

typedef struct duet_exact_run {
    duet_solution *solution; // NULL where the call failed
    char *proof;             // the file's text, NUL at its end; NULL where there is none
    size_t length;
    duet_code code;
    duet_error error;
} duet_exact_run;

// Solves with `-O proof=` a scratch file. `params` may be NULL: one thread, no limits; its options
// are not used. Ends the program where the scratch file cannot be made.
duet_exact_run duet_exact_run_with_proof(const duet_instance *instance, const duet_params *params);
// The same without a proof.
duet_exact_run duet_exact_run_plain(const duet_instance *instance, const duet_params *params);
void duet_exact_run_free(duet_exact_run *run);

#endif
