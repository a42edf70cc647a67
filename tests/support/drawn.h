// SPDX-License-Identifier: Apache-2.0
// A schedule to draw, and a folder for its pictures.
#ifndef DUET_TESTS_SUPPORT_DRAWN_H
#define DUET_TESTS_SUPPORT_DRAWN_H

#include <stddef.h>
#include <stdint.h>

#include <duet/instance.h>
#include <duet/solve.h>

typedef struct duet_drawn {
    duet_instance *instance;
    duet_solution *solution;
    char folder[64];
} duet_drawn;

extern const char *const duet_drawn_kernels[]; // four

// `kinds` kinds of `each` tasks with times 1 .. 50 ticks on every type, on types cpu, gpu, fpga, of
// which there are at most three; `ids` as in duet_instance_desc. They are spread over all
// processors.
void duet_drawn_prepare(duet_drawn *f, size_t types, const int64_t *processors, size_t kinds,
                        int64_t each, const char *const *ids);
// Fails the test where something was left in the folder.
void duet_drawn_finish(duet_drawn *f);

#endif
