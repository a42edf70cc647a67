// SPDX-License-Identifier: Apache-2.0
// Truth for instances with more tasks than can be tried one by one: the optimum by dynamic
// programming over how many tasks of every kind are left.
#ifndef DUET_TESTS_SUPPORT_MULTISETS_H
#define DUET_TESTS_SUPPORT_MULTISETS_H

#include <stddef.h>

#include <duet/instance.h>

// Steps that a processor more takes: ways to take some of some tasks of every kind.
size_t duet_multisets_steps(size_t kinds, const int64_t *counts);

// The optimal makespan; every task must be allowed somewhere. Time: the above for every processor.
// Ends the program where there is no memory.
int64_t duet_multisets_optimum(const duet_instance *instance);

#endif
