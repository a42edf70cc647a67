// SPDX-License-Identifier: Apache-2.0
// Custom algorithms as the registry's rows.
#ifndef DUET_SOLVERS_CUSTOM_H
#define DUET_SOLVERS_CUSTOM_H

#include <duet/custom.h>

#include "core/algorithm.h"

// The algorithm of that name; NULL if the registry has no such name. `registry` may be NULL.
const duet_custom *duet_registry_find(const duet_registry *registry, const char *name);
// The algorithm at a place of the registry, from 0; NULL past the end. `registry` may be NULL.
const duet_custom *duet_registry_at(const duet_registry *registry, size_t index);
// As a row, to be run with context->custom set to it.
duet_algorithm duet_custom_row(const duet_custom *custom);
// One more algorithm, whose texts the registry owns from then on. DUET_E_MEMORY: they stay the
// caller's.
duet_code duet_registry_keep(duet_registry *registry, const duet_custom *custom, duet_error *error);
void duet_custom_free_texts(duet_custom *row);

#endif
