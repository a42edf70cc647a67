// SPDX-License-Identifier: Apache-2.0
// The groups of tasks that pictures and summaries show, for callers.
#include <duet/report.h>

#include "core/instance/groups.h"
#include "report/texts.h"

duet_code duet_group_kinds(const duet_instance *instance, duet_group_taker *take, void *user,
                           duet_error *error)
{
    enum { NAME = 128 };
    duet_task_groups groups = {0};
    duet_code code = duet_task_groups_create(instance, &groups, error);
    for (size_t kind = 0; code == DUET_OK && kind < duet_instance_kinds(instance); kind++) {
        char name[NAME];
        size_t group = groups.of_kind[kind];
        duet_group_name own = duet_task_groups_name(&groups, instance, group);
        duet_clean_text(own.length > 0 ? own.text : "(numbers)", own.length > 0 ? own.length : 9,
                        name, sizeof name);
        take(user, kind, group, name);
    }
    duet_task_groups_free(&groups);
    return code;
}
