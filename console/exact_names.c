// SPDX-License-Identifier: Apache-2.0
#include "console/exact_names.h"

#include <string.h>

#include "core/system/output.h"

static bool seen;
static bool unwanted;

void duet_cli_saw_name(FILE *stream, const char *text)
{
    seen = seen || duet_output_escapes(stream, text);
}

void duet_cli_saw_escape(void)
{
    seen = true;
}

void duet_cli_saw_instance(const char *format, const duet_instance *instance)
{
    if (format == NULL || strcmp(format, "json") == 0) {
        return;
    }
    duet_cli_saw_name(stdout, duet_instance_name(instance));
    duet_cli_saw_name(stdout, duet_instance_time_unit(instance));
    for (size_t t = 0; t < duet_instance_types(instance); t++) {
        duet_cli_saw_name(stdout, duet_instance_type_name(instance, t));
    }
    for (size_t kind = 0; kind < duet_instance_kinds(instance) && !seen; kind++) {
        duet_cli_saw_name(stdout, duet_instance_kind_id(instance, kind));
    }
}

void duet_cli_want_names_note(bool wanted)
{
    unwanted = !wanted;
}

void duet_cli_note_names(void)
{
    if (seen && !unwanted) {
        fputs("duet: note: names are shown with escapes, since a terminal would act on what they "
              "hold; a file or a pipe gets them exactly\n",
              stderr);
    }
    seen = false;
}
