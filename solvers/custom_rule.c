// SPDX-License-Identifier: Apache-2.0
// Online rules of the caller's own: the engine asks them for the type of each task that is revealed
// (duet_custom.choose), and what they may ask about it (duet_revealed_*).
#include "solvers/custom_rule.h"

#include <duet/custom.h>

#include "heuristics/engine/online.h"

struct duet_revealed {
    const duet_list *list;
    size_t kind;
};

static size_t choose(duet_list *list, size_t kind)
{
    const duet_custom *custom = list->given;
    duet_revealed task = {list, kind};
    return custom->choose(custom->user, &task);
}

duet_rule duet_custom_rule(const duet_custom *custom)
{
    return (duet_rule){.name = custom->name,
                       .choose = choose,
                       .information = (enum duet_information)custom->information};
}

duet_code duet_custom_rule_run(const duet_instance *instance, const duet_context *context,
                               duet_solution *solution, duet_error *error)
{
    const duet_custom *custom = context->custom;
    if (duet_tasks(instance) > DUET_MAX_GRAPH) {
        return duet_error_set(error, DUET_E_LIMIT, "rule '%s': %lld tasks, expected at most %lld",
                              custom->name, (long long)duet_tasks(instance),
                              (long long)DUET_MAX_GRAPH);
    }
    const duet_rule rule = duet_custom_rule(custom);
    return duet_online_solve(&rule, instance, context, custom, solution, error);
}

int64_t duet_revealed_task(const duet_revealed *task)
{
    return task->list->task;
}

int64_t duet_revealed_now(const duet_revealed *task)
{
    return task->list->now;
}

int duet_revealed_decimals(const duet_revealed *task)
{
    return duet_instance_decimals(task->list->instance);
}

const char *duet_revealed_type_name(const duet_revealed *task, size_t type)
{
    return type < task->list->instance->types ? duet_instance_type_name(task->list->instance, type)
                                              : "";
}

size_t duet_revealed_types(const duet_revealed *task)
{
    return task->list->instance->types;
}

int64_t duet_revealed_processors(const duet_revealed *task, size_t type)
{
    return type < task->list->instance->types ? task->list->instance->processors[type] : 0;
}

static bool is_allowed(const duet_revealed *task, size_t type)
{
    const duet_instance *instance = task->list->instance;
    return type < instance->types && duet_allowed(instance, task->kind, type);
}

int64_t duet_revealed_time(const duet_revealed *task, size_t type)
{
    return is_allowed(task, type) ? duet_time(task->list->instance, task->kind, type)
                                  : DUET_FORBIDDEN;
}

int64_t duet_revealed_start(const duet_revealed *task, size_t type)
{
    return is_allowed(task, type) ? duet_list_start(task->list, type) : DUET_FORBIDDEN;
}

int64_t duet_revealed_bottom_level(const duet_revealed *task)
{
    const duet_list *list = task->list;
    return list->bottom == NULL ? -1 : list->bottom[list->task];
}

int64_t duet_revealed_descendants(const duet_revealed *task)
{
    const duet_list *list = task->list;
    return list->descendants == NULL ? -1 : list->descendants[list->task];
}
