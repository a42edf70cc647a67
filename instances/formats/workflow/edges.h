// SPDX-License-Identifier: Apache-2.0
// The edges of a workflow: by parents and children, or by the files that tasks write and read.
#ifndef DUET_INSTANCES_FORMATS_WORKFLOW_EDGES_H
#define DUET_INSTANCES_FORMATS_WORKFLOW_EDGES_H

#include "instances/formats/workflow/workflow.h"

// A workflow, and the instance that is made of it.
typedef struct duet_workflow_maker {
    const duet_workflow *workflow;
    const char *file;
    duet_field_uses *fields; // may say what tasks without a time take; NULL: they are refused
    duet_builder *builder;
    duet_error *error;
    size_t *task_of; // per id: 1 + the task of that id, or else of that name; 0: there is none
    bool *unclear;   // per id: several tasks have it as their name
    duet_read_time *times;
    bool *timed;
    int64_t *cores;
} duet_workflow_maker;

// The task that a text means. DUET_E_INPUT: none, or several.
duet_code duet_workflow_find_task(const duet_workflow_maker *m, uint32_t id, int line,
                                  size_t *task);
// Gives the builder the edges, with their data.
duet_code duet_workflow_join(const duet_workflow_maker *m);

#endif
