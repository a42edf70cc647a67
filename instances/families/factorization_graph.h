// SPDX-License-Identifier: Apache-2.0
// The kernels of a tiled factorisation as tasks, and the edges between them.
#ifndef DUET_INSTANCES_FAMILIES_FACTORIZATION_GRAPH_H
#define DUET_INSTANCES_FAMILIES_FACTORIZATION_GRAPH_H

#include "instances/families/graph.h"
#include "instances/kernels/factorisation.h"

// Adds a kernel of n x n tiles as a kind; none where there is no task of it.
duet_code duet_factorisation_kind(const duet_tile_kernel *kernel, int64_t n,
                                  const duet_read_time times[2], duet_builder *builder,
                                  duet_error *error);
// Adds the edges of a factorisation of n x n tiles, whose kernels are the kinds of the builder in
// their order. The draft fails with DUET_E_LIMIT where they do not fit into memory.
void duet_factorisation_join(const duet_factorisation *factorisation, int64_t n,
                             duet_family_draft *draft);

#endif
