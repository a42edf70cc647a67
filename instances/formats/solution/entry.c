// SPDX-License-Identifier: Apache-2.0
// An entry of a schedule that was read: its processors, its times, and what is wrong with it.
#include "instances/formats/solution/reader.h"

#include "core/instance/graph.h"
#include "core/instance/moldable.h"
#include "core/instance/pins.h"
#include "core/number/minmax.h"

duet_processor_set duet_schedule_entry_set(const duet_solution_reader *reader,
                                           const duet_schedule_entry *entry,
                                           duet_processor_range *one)
{
    if (entry->ranges > 0) {
        return (duet_processor_set){reader->range + entry->range_at, entry->ranges};
    }
    *one = (duet_processor_range){entry->type, entry->processor, entry->processor};
    return (duet_processor_set){one, 1};
}

// I6: a task that has begun is where it is, whatever S3 and S4 say.
static bool has_begun(const duet_solution_reader *reader, const duet_schedule_entry *entry)
{
    size_t kind = duet_instance_kind_of(reader->instance, entry->task);
    return !entry->aborted && duet_is_run(duet_pin_of(reader->instance, kind));
}

duet_int128 duet_schedule_entry_available(const duet_solution_reader *reader,
                                          const duet_schedule_entry *entry)
{
    const duet_instance *instance = reader->instance;
    if (has_begun(reader, entry)) {
        return 0;
    }
    duet_processor_range one;
    duet_processor_set set = duet_schedule_entry_set(reader, entry, &one);
    int64_t latest = duet_release(instance, duet_instance_kind_of(instance, entry->task));
    for (size_t i = 0; i < set.count; i++) {
        const duet_processor_range *range = &set.range[i];
        bool known = range->type >= 0 && (size_t)range->type < instance->types;
        int64_t busy = known ? instance->busy_count[range->type] : 0;
        for (int64_t p = duet_max(range->first, 0); p <= range->last && p < busy; p++) {
            latest = duet_max(instance->busy[range->type][p], latest);
        }
    }
    return (duet_int128)latest * DUET_FINE_TICK;
}

duet_int128 duet_schedule_entry_length(const duet_solution_reader *reader,
                                       const duet_schedule_entry *entry)
{
    size_t kind = duet_instance_kind_of(reader->instance, entry->task);
    duet_processor_range one;
    if (entry->aborted) {
        return entry->end - entry->start;
    }
    int64_t time = reader->instance->moldable == NULL
                       ? duet_time(reader->instance, kind, (size_t)entry->type)
                       : duet_moldable_duration(reader->instance, kind,
                                                duet_schedule_entry_set(reader, entry, &one));
    return time == DUET_FORBIDDEN ? DUET_NO_LENGTH : (duet_int128)time * DUET_FINE_TICK;
}

duet_int128 duet_schedule_edge_time(const duet_solution_reader *reader, int32_t edge,
                                    const duet_schedule_entry *from, const duet_schedule_entry *to)
{
    const duet_instance *instance = reader->instance;
    if (has_begun(reader, to)) {
        return 0;
    }
    if (instance->moldable != NULL) {
        duet_processor_range one;
        duet_processor_range other;
        return (duet_int128)duet_moldable_transfer(instance, edge,
                                                   duet_schedule_entry_set(reader, from, &one),
                                                   duet_schedule_entry_set(reader, to, &other)) *
               DUET_FINE_TICK;
    }
    bool same = from->type == to->type && from->processor == to->processor;
    return same ? 0
                : (duet_int128)duet_graph_cost(instance->graph, edge, (size_t)from->type,
                                               (size_t)to->type) *
                      DUET_FINE_TICK;
}

void duet_solution_fault_at_task(duet_solution_reader *reader, int line, int column, int64_t task,
                                 const char *what)
{
    char id[64];
    duet_instance_task_id(reader->instance, task, id, sizeof id);
    duet_error_set_at(&reader->solution->fault, DUET_E_INPUT, reader->file, line, column,
                      "task \"%s\" %s", id, what);
}
