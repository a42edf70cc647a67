// SPDX-License-Identifier: Apache-2.0
// Moldable tasks as sequential ones.
#ifndef DUET_SOLVERS_MOLDABLE_AS_TYPES_H
#define DUET_SOLVERS_MOLDABLE_AS_TYPES_H

#include "core/instance/instance.h"

// The instance's tasks and edges with times of their own, a row per kind, on another platform. Only
// where data take no time. The caller frees it. DUET_E_UNSUPPORTED (data take time, or a kind has
// no time), DUET_E_MEMORY, DUET_E_LIMIT.
duet_code duet_moldable_as_types(const duet_instance *instance, size_t types,
                                 const duet_type *platform, const int64_t *times,
                                 duet_instance **out, duet_error *error);

#endif
