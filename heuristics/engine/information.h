// SPDX-License-Identifier: Apache-2.0
// What an online rule may be told about what is behind a task.
#ifndef DUET_HEURISTICS_ENGINE_INFORMATION_H
#define DUET_HEURISTICS_ENGINE_INFORMATION_H

#include "core/instance/instance.h"
#include "core/system/context.h"

// The bottom level of every task, in shortest times, its own included; owned by the caller.
// O(tasks + edges). DUET_E_MEMORY.
duet_code duet_bottom_levels(const duet_instance *instance, int64_t **level, duet_error *error);

// The shortest times of all descendants of every task in sum; owned by the caller. O((tasks +
// edges) tasks / 64 + pairs of a task and a descendant). DUET_E_MEMORY; DUET_E_LIMIT and
// DUET_E_CANCELLED where `context` ends it.
duet_code duet_descendant_work(const duet_instance *instance, const duet_context *context,
                               int64_t **work, duet_error *error);

#endif
