// SPDX-License-Identifier: Apache-2.0
// What a file, or a value that is kept, looks like before it is read. For json/instance.c alone.
#ifndef DUET_INSTANCES_FORMATS_JSON_LOOKS_H
#define DUET_INSTANCES_FORMATS_JSON_LOOKS_H

#include "core/names.h"
#include "instances/formats/json/pull.h"

// Whether an array is a column that says an order: of some task that nothing comes before. An edge
// is an object, or an array of two ids and more.
bool duet_json_is_order(const duet_json_tape *array);
// Whether an object has a list of tasks: a member that is called so, an array of objects.
bool duet_json_holds_tasks(const duet_json_tape *object);
// An object of numbers alone has the times of tests, one each; or it is one task, as
// {"job": 1, "cpu": 4} on one line. Fails where the names say that.
void duet_json_check_tests(duet_json *json, const duet_names *names);
// Whether each line is an object of its own: a second one begins behind the first line.
bool duet_json_has_lines(duet_input *input);

#endif
