// SPDX-License-Identifier: Apache-2.0
// Constants of the relocation, chosen on the simulated machines of StarPU (docs/starpu-plugin.md).
#ifndef DUET_HEURISTICS_BUS_TUNING_H
#define DUET_HEURISTICS_BUS_TUNING_H

enum {
    DUET_BUS_WEIGHT = 8 // a tick that links carry data for a task counts as so many ticks of delay
};

#endif
