// SPDX-License-Identifier: Apache-2.0
// When tasks and processors are there: releases and busy times of an instance that exists.
#ifndef DUET_CORE_INSTANCE_AVAILABLE_H
#define DUET_CORE_INSTANCE_AVAILABLE_H

#include "core/instance/instance.h"

// Whether some processor is busy at first.
bool duet_has_busy(const duet_instance *instance);
// Leaves out what is known of processors beyond these counts, which are to come. The first ones
// stay. What was left out before comes back as far as there are processors for it.
void duet_trim_busy(duet_instance *instance, const int64_t *counts);
// When the first processor of a type is free; 0 where it has none. O(processors that are listed as
// busy).
int64_t duet_first_free(const duet_instance *instance, size_t type);
// When a task of a kind can start, by its release and the busy processors of the types on which it
// may run. O(types + processors that are listed as busy).
int64_t duet_earliest_start(const duet_instance *instance, size_t kind);
// Whether all tasks and processors are there from 0 on.
bool duet_is_available(const duet_instance *instance);
// Copies what is known of processors and tasks to an instance with the same types and kinds, whose
// ticks are `scale` times finer. DUET_E_LIMIT where a time becomes too long, DUET_E_MEMORY.
duet_code duet_copy_busy(const duet_instance *from, int64_t scale, duet_instance *to,
                         duet_error *error);
duet_code duet_copy_releases(const duet_instance *from, int64_t scale, duet_instance *to,
                             duet_error *error);

#endif
