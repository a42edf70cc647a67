// SPDX-License-Identifier: Apache-2.0
// Online rules of the caller's own.
#ifndef DUET_SOLVERS_CUSTOM_RULE_H
#define DUET_SOLVERS_CUSTOM_RULE_H

#include "core/algorithm.h"

// Runs the rule of `context->custom`.
duet_code duet_custom_rule_run(const duet_instance *instance, const duet_context *context,
                               duet_solution *solution, duet_error *error);

#endif
