// SPDX-License-Identifier: Apache-2.0
// What StarPU needs of an instance beyond the problem, in JSON, so that a schedule of one that was
// written and changed can go back:
// "starpu": {"submit_order": {"gemm": [3, 7]}, "workers": [[4, 5], [0]], "dependent": true}
#ifndef DUET_INSTANCES_FORMATS_JSON_ORIGIN_H
#define DUET_INSTANCES_FORMATS_JSON_ORIGIN_H

#include <stdio.h>

#include "core/instance/instance.h"
#include "instances/formats/json/pull.h"

// Reads the value of the member.
void duet_read_origin_json(duet_json *json, duet_builder *builder);
// Writes the member with the comma before it; nothing where there is no order of submission.
void duet_write_origin_json(FILE *stream, const duet_instance *instance);

#endif
