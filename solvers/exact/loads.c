// SPDX-License-Identifier: Apache-2.0
#include "solvers/exact/loads.h"

#include "core/system/memory.h"
#include "core/system/vec.h"

void duet_loads_free(duet_loads *loads)
{
    duet_free(loads->load);
    duet_free(loads->part);
    *loads = (duet_loads){.loads = 0};
}

duet_code duet_loads_push(duet_loads *loads, size_t type, const duet_pattern_part *part,
                          size_t parts, duet_error *error)
{
    duet_code code =
        duet_vec_push(loads->load, loads->loads, error, (duet_load){type, loads->parts, parts});
    for (size_t p = 0; p < parts && code == DUET_OK; p++) {
        code = duet_vec_push(loads->part, loads->parts, error, part[p]);
    }
    return code;
}

duet_code duet_loads_add(duet_loads *loads, uint32_t class, duet_error *error)
{
    duet_code code = duet_vec_push(loads->part, loads->parts, error, (duet_pattern_part){class, 1});
    if (code == DUET_OK) {
        loads->load[loads->loads - 1].parts++;
    }
    return code;
}

duet_int128 duet_load_end(const duet_classes *classes, const duet_loads *loads, size_t index)
{
    const duet_load *load = &loads->load[index];
    duet_int128 end = 0;
    for (size_t p = load->begin; p < load->begin + load->parts; p++) {
        const duet_pattern_part *part = &loads->part[p];
        end += (duet_int128)classes->time[load->type][part->class] * part->tasks;
    }
    return end;
}
