// SPDX-License-Identifier: Apache-2.0
// Members of solutions written as JSON.
#include "instances/formats/solution/writer.h"

#include <stdio.h>

#include "core/system/output.h"

void duet_solution_write_time(const duet_solution_writer *writer, const char *member, int64_t ticks)
{
    char buffer[32];
    fprintf(writer->stream, "%s%s", member,
            duet_instance_format_time(writer->instance, ticks, buffer));
}

void duet_solution_write_task(const duet_solution_writer *writer, const char *member, int64_t task)
{
    fputs(member, writer->stream);
    duet_instance_task_id(writer->instance, task, writer->id, writer->id_size);
    duet_output_json_string(writer->stream, writer->id);
}

void duet_solution_write_name(const duet_solution_writer *writer, const char *member,
                              const char *text)
{
    fputs(member, writer->stream);
    if (text == NULL || text[0] == '\0') {
        fputs("null", writer->stream);
    } else {
        duet_output_json_string(writer->stream, text);
    }
}
