// SPDX-License-Identifier: Apache-2.0
// Constants of the relocation, chosen on the simulated machines of StarPU (docs/starpu-plugin.md).
#ifndef DUET_HEURISTICS_BUS_TUNING_H
#define DUET_HEURISTICS_BUS_TUNING_H

// The ticks of delay that a tick of data on links counts as. Relocation tries each.
#define DUET_BUS_WEIGHTS                                                                           \
    {                                                                                              \
        0, 2, 8                                                                                    \
    }

#endif
