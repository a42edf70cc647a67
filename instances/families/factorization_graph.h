// SPDX-License-Identifier: Apache-2.0
// The edges between the kernels of a tiled factorisation; for factorization.c alone.
#ifndef DUET_INSTANCES_FAMILIES_FACTORIZATION_GRAPH_H
#define DUET_INSTANCES_FAMILIES_FACTORIZATION_GRAPH_H

#include "core/instance.h"
#include "instances/kernels/factorisation.h"

// Adds the edges of a factorisation of n x n tiles, whose kernels are the kinds of the builder in
// their order. DUET_E_LIMIT where they do not fit into memory.
duet_code duet_factorisation_edges(const duet_factorisation *factorisation, int64_t n,
                                   duet_builder *builder, duet_error *error);

#endif
