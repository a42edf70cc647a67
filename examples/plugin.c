// SPDX-License-Identifier: Apache-2.0
// Rules of one's own as a plug-in, which the command takes beside its own algorithms:
//
//     cc -shared -fPIC -o rules.so plugin.c $(pkg-config --cflags duet)
//     duet compare tasks.csv -m 2 -k 1 --plugin rules.so -a heft,mine-online,mine-order
//     duet bench search --plugin rules.so -a mine-order -t 60 -o worst.json
#include <stdlib.h>

#include <duet/duet.h>

// An online rule: the type where the task takes the shortest time.
static size_t shortest(void *user, const duet_revealed *task)
{
    (void)user;
    size_t best = 0;
    for (size_t t = 1; t < duet_revealed_types(task); t++) {
        best = duet_revealed_time(task, t) < duet_revealed_time(task, best) ? t : best;
    }
    return best;
}

// A list: the tasks in the order of their index, each where it ends first.
static duet_code in_order(void *user, const duet_instance *instance, duet_work *work,
                          duet_error *error)
{
    (void)user;
    int64_t tasks = duet_instance_tasks(instance);
    int64_t *order = malloc((size_t)(tasks + 1) * sizeof *order);
    if (order == NULL) {
        return duet_error_set(error, DUET_E_MEMORY, "out of memory");
    }
    for (int64_t i = 0; i < tasks; i++) {
        order[i] = i;
    }
    duet_code code = duet_work_list(work, order, NULL, error); // an allocation in place of NULL
    free(order);
    return code;
}

// A choice of processor: the first one on which the task can start at once, or else earliest.
static duet_code place(const duet_instance *instance, duet_work *work, int64_t task,
                       duet_error *error)
{
    size_t kind = duet_instance_kind_of(instance, task);
    size_t type = 0;
    int64_t processor = -1;
    int64_t earliest = DUET_FORBIDDEN;
    for (size_t t = 0; t < duet_instance_types(instance); t++) {
        bool allowed = duet_instance_time(instance, kind, t) != DUET_FORBIDDEN;
        for (int64_t p = 0; allowed && p < duet_instance_type_count(instance, t); p++) {
            int64_t start;
            duet_code code = duet_work_start(work, task, t, p, &start, error);
            if (code != DUET_OK) {
                return code;
            }
            if (start < earliest) {
                earliest = start;
                type = t;
                processor = p;
            }
        }
    }
    return duet_work_place(work, task, type, processor, earliest, error);
}

static duet_code by_processor(void *user, const duet_instance *instance, duet_work *work,
                              duet_error *error)
{
    (void)user;
    duet_code code = DUET_OK;
    for (int64_t task = 0; task < duet_instance_tasks(instance) && code == DUET_OK; task++) {
        code = place(instance, work, task, error);
    }
    return code;
}

// What the command calls once.
DUET_API duet_code duet_plugin(duet_registry *registry, duet_error *error)
{
    const duet_custom rules[] = {
        {.struct_size = sizeof(duet_custom),
         .name = "mine-online",
         .summary = "the type where the task is shortest",
         .choose = shortest},
        {.struct_size = sizeof(duet_custom),
         .name = "mine-order",
         .summary = "by index, each where it ends first",
         .handles = DUET_FEATURE_PRECEDENCE | DUET_FEATURE_COMMUNICATION,
         .run = in_order},
        {.struct_size = sizeof(duet_custom),
         .name = "mine-processor",
         .summary = "the processor on which it starts first, whatever it takes there",
         .run = by_processor}};
    duet_code code = DUET_OK;
    for (size_t i = 0; i < sizeof rules / sizeof *rules && code == DUET_OK; i++) {
        code = duet_registry_add(registry, &rules[i], error);
    }
    return code;
}
