// SPDX-License-Identifier: Apache-2.0
// Constants of the relocation, chosen on the simulated machines of StarPU (docs/starpu-plugin.md).
#ifndef DUET_HEURISTICS_BUS_TUNING_H
#define DUET_HEURISTICS_BUS_TUNING_H

// A tick that links carry data for a task counts as so many ticks of delay: relocation tries each.
#define DUET_BUS_WEIGHTS                                                                           \
    {                                                                                              \
        0, 2, 8                                                                                    \
    }

#endif
