// SPDX-License-Identifier: Apache-2.0
// Workflows in WfFormat, the JSON of WfCommons (https://wfcommons.org/format), versions 1.4
// and 1.5.
#ifndef DUET_INSTANCES_FORMATS_WORKFLOW_JSON_H
#define DUET_INSTANCES_FORMATS_WORKFLOW_JSON_H

#include "core/instance/instance.h"
#include "instances/formats/json/pull.h"

// Reads the value of the member "workflow": an object with tasks, or with a specification and an
// execution. Anything else is read over. Returns whether it was a workflow, and so gave the builder
// its tasks and edges.
bool duet_json_read_workflow(duet_json *json, duet_builder *builder);

#endif
