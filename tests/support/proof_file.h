// SPDX-License-Identifier: Apache-2.0
// Proofs as texts for the tests: checked through a scratch file.
#ifndef DUET_TESTS_SUPPORT_PROOF_FILE_H
#define DUET_TESTS_SUPPORT_PROOF_FILE_H

#include <stddef.h>

#include <duet/check.h>

// duet_verify_proof() of a text. Ends the program where the scratch file cannot be written.
duet_code duet_verify_text(const duet_instance *instance, const char *text, size_t length,
                           int64_t bound, duet_proof_stats *stats, duet_error *error);

// The same, within `params`.
duet_code duet_verify_text_within(const duet_instance *instance, const char *text, size_t length,
                                  int64_t bound, const duet_params *params, duet_proof_stats *stats,
                                  duet_error *error);

#endif
