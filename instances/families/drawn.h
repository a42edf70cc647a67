// SPDX-License-Identifier: Apache-2.0
// Families that are drawn from the seed (mixed, mixed-graph). Each choice has a stream of random
// numbers of its own, so that fixing one by an option leaves the others as they were. The
// instance's name says what was drawn.
#ifndef DUET_INSTANCES_FAMILIES_DRAWN_H
#define DUET_INSTANCES_FAMILIES_DRAWN_H

#include <stddef.h>

#include <duet/export.h>

#include "instances/families/family.h"

// The random numbers of a choice, by its number from 0.
duet_random duet_drawn_stream(const duet_family_request *request, uint64_t choice);

// Uniform on a logarithmic scale.
int64_t duet_drawn_magnitude(duet_random *random, int64_t low, int64_t high);

// The request's tasks, else a number between the options n-min and n-max.
int64_t duet_drawn_tasks(const duet_family_request *request, duet_random *random);

// The word of an option with the choice "drawn" before the others, of which there are `count`: the
// index among these.
int duet_drawn_word(const duet_family_request *request, const char *option, duet_random *random,
                    int count);

// Adds formatted words to a name, as far as it has room.
void duet_drawn_add_words(char *name, size_t size, const char *format, ...) DUET_PRINTF(3, 4);

#endif
