// SPDX-License-Identifier: Apache-2.0
// Which bounds say something of an instance.
#ifndef DUET_CONSOLE_BOUNDS_H
#define DUET_CONSOLE_BOUNDS_H

#include <stdbool.h>

#include <duet/duet.h>

// Whether a bound says something of the instance that others do not say sooner: those of graphs
// need edges, those of moldable tasks such tasks.
bool duet_bound_applies(const duet_entry *entry, const duet_instance *instance);

#endif
