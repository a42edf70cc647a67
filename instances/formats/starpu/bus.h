// SPDX-License-Identifier: Apache-2.0
// StarPU's records as a machine with a bus: memory nodes and their sizes, how fast each pair of
// them is, and which data tasks read and write.
#ifndef DUET_INSTANCES_FORMATS_STARPU_BUS_H
#define DUET_INSTANCES_FORMATS_STARPU_BUS_H

#include <duet/bus.h>

#include "instances/formats/input.h"

// Reads the machine of an instance that was read from such records. All transfers follow one
// another, each as fast as StarPU has measured its pair of nodes: it does not say which of them
// share a link. Data are in main memory at first. DUET_E_INPUT: the instance is none of StarPU's,
// or the records lack its workers' memory nodes.
duet_code duet_starpu_read_bus(duet_input *input, const duet_instance *instance, duet_bus **out,
                               duet_error *error);

#endif
