// SPDX-License-Identifier: Apache-2.0
// What releases and busy processors leave, for the checks of certificates.
#ifndef DUET_CHECK_WAITS_H
#define DUET_CHECK_WAITS_H

#include "core/instance/instance.h"
#include "core/number/fraction.h"

// When a task of a kind can start on a type that has a processor.
int64_t duet_check_earliest(const duet_instance *instance, size_t kind, size_t type);
// The same on whatever type it may run; its release if that is none.
int64_t duet_check_earliest_anywhere(const duet_instance *instance, size_t kind);
// What the processors of a type have from `begin` to `end` where they are not busy.
duet_int128 duet_check_room(const duet_instance *instance, size_t type, int64_t begin, int64_t end);

#endif
