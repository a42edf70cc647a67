// SPDX-License-Identifier: Apache-2.0
// Online rules of the caller's own.
#ifndef DUET_SOLVERS_CUSTOM_RULE_H
#define DUET_SOLVERS_CUSTOM_RULE_H

#include "core/algorithm.h"
#include "heuristics/engine/rule.h"

// As a rule of the engine, which is given the algorithm (duet_list.given).
duet_rule duet_custom_rule(const duet_custom *custom);
// Runs the rule of `context->custom`.
duet_code duet_custom_rule_run(const duet_instance *instance, const duet_context *context,
                               duet_solution *solution, duet_error *error);

#endif
