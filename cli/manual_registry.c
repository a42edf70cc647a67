// SPDX-License-Identifier: Apache-2.0
// The page of a registry: every entry with what is known of it.

#include "console/manual.h"
#include "console/print.h"

static void print_options(FILE *stream, const duet_option_spec *table)
{
    for (const duet_option_spec *o = table; o != NULL && o->name != NULL; o++) {
        char domain[DUET_CLI_OPTION_TEXT];
        char key[64];
        snprintf(key, sizeof key, "-O %s=", o->name);
        fprintf(stream, ".TP\n");
        duet_roff_bold(stream, key);
        duet_roff_italic(stream, duet_cli_option_domain(o, domain, sizeof domain));
        fprintf(stream, "\n");
        duet_roff_text(stream, o->text);
        fprintf(stream, " (default: ");
        duet_roff_text(stream, duet_cli_option_default(o));
        fprintf(stream, ")\n");
    }
}

static void print_fact(FILE *stream, const char *what, const char *value)
{
    if (value != NULL && value[0] != '\0') {
        duet_cli_print(stream, ".br\n%c%s: ", what[0] - 'a' + 'A', what + 1);
        duet_roff_line(stream, value);
    }
}

static void print_entry(FILE *stream, const duet_cli_registry *registry, const duet_entry *entry)
{
    fprintf(stream, ".SS ");
    duet_roff_line(stream, entry->name);
    duet_roff_text(stream, entry->summary);
    fprintf(stream, ".\n");
    print_fact(stream, registry->guarantee == NULL ? "guarantee" : registry->guarantee,
               entry->guarantee);
    if (registry->handles) {
        char text[DUET_CLI_HANDLES_TEXT];
        print_fact(stream, "handles", duet_cli_handles(entry, text));
    }
    print_fact(stream, "needs", duet_cli_needs(entry->needs));
    print_fact(stream, "reference", entry->reference);
    print_options(stream, entry->options);
}

void duet_cli_manual_registry(FILE *stream, const duet_cli_registry *registry)
{
    char page[64];
    snprintf(page, sizeof page, "duet-%s", registry->name);
    duet_roff_begin(stream, page, 7, registry->summary);
    duet_roff_section(stream, "DESCRIPTION");
    duet_roff_line(stream, "What this build has, as duet list tells it.");
    for (size_t i = 0; i < registry->count(); i++) {
        print_entry(stream, registry, registry->entry(i));
    }
    if (duet_cli_common_options(registry) != NULL) {
        duet_roff_section(stream, "OPTIONS OF ALL");
        duet_roff_line(stream, "Each takes these beside its own.");
        print_options(stream, duet_cli_common_options(registry));
    }
    duet_roff_see_also(stream, "duet(1) duet-list(1)");
}
