// SPDX-License-Identifier: Apache-2.0
// Prices of the types that energetic reasoning tries: each type alone, those of the area bound, and
// those at which a kind costs the same wherever it may run.
#ifndef DUET_SOLVERS_GRAPH_PROPAGATE_ENERGY_PRICES_H
#define DUET_SOLVERS_GRAPH_PROPAGATE_ENERGY_PRICES_H

#include "solvers/graph/propagate/energy.h"

// Fills energy->price, supply and candidates. DUET_E_MEMORY, and what the area bound
// refuses.
duet_code duet_energy_choose_prices(duet_energy *energy, const duet_context *context,
                                    duet_error *error);

#endif
