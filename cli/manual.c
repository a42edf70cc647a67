// SPDX-License-Identifier: Apache-2.0
// Which pages the manual has, those about the whole command, and the way to the others.
#include "console/manual.h"

#include <string.h>

#include "bench/bench.h"
#include "cli/commands.h"
#include "console/exit_code.h"
#include "console/options.h"
#include "console/print.h"

enum { NAME_SIZE = 96 };

// "duet", "solve" to "duet-solve".
static const char *join(char *buffer, const char *before, const char *name)
{
    snprintf(buffer, NAME_SIZE, "%s-%s", before, name);
    return buffer;
}

static void print_commands(FILE *stream, const char *page, const duet_cli_command *table)
{
    for (const duet_cli_command *c = table; c->name != NULL; c++) {
        char name[NAME_SIZE];
        duet_cli_print(stream, ".TP\n.BR %s (1)\n", join(name, page, c->name));
        duet_roff_line(stream, c->summary);
    }
}

static void print_duet(FILE *stream)
{
    duet_roff_begin(
        stream, "duet", 1,
        "optimal or provably bounded schedules for CPUs and GPUs, or any processor types");
    duet_roff_section(stream, "SYNOPSIS");
    fprintf(stream, ".B duet\n.I COMMAND\n.RI [ OPTION ...]\n.br\n.B duet help\n"
                    ".RI [ COMMAND ]\n.br\n.B duet help \\-\\-man\n.RI [ PAGE ]\n"
                    ".br\n.B duet \\-\\-version\n");
    duet_roff_section(stream, "DESCRIPTION");
    duet_roff_line(
        stream, "Given tasks, each with a time on each type of processor, and the numbers of "
                "processors, duet looks for the schedule that ends first. Tasks are independent, "
                "or a graph whose edges may cost time, or moldable: on one processor or on "
                "several. Every schedule comes with a lower bound, and where the bound has a "
                "certificate, a small independent checker confirms it in integer arithmetic.");
    duet_roff_paragraph(stream,
                        "Files are recognised by their content; '-' is standard input or output. "
                        "What a command writes appears whole or not at all.");
    duet_roff_section(stream, "COMMANDS");
    print_commands(stream, "duet", duet_cli_commands);
    duet_roff_section(stream, "OPTIONS");
    fprintf(stream, ".TP\n.BR \\-V \", \" \\-\\-version\n"
                    "Print the version and what it was built with.\n"
                    ".TP\n.BR \\-h \", \" \\-\\-help\nPrint an overview; after a command, its "
                    "reference.\n"
                    ".TP\n.BR help \" \" \\-\\-man\nPrint the source of a page of this manual, or "
                    "the names of all pages.\n");
    duet_cli_manual_exits(stream);
    duet_roff_section(stream, "EXAMPLES");
    fprintf(stream, ".EX\n"
                    "duet generate chol \\-n 10 \\-m 20 \\-k 4 \\-o chol.json\n"
                    "duet solve chol.json \\-o schedule.json \\-\\-gantt schedule.svg\n"
                    "duet verify chol.json schedule.json\n.EE\n");
    duet_roff_see_also(stream, "duet-algorithms(7) duet-bounds(7) duet-families(7) "
                               "duet-formats(7) libduet(3)");
}

static void print_bench(FILE *stream)
{
    const duet_cli_command *bench = duet_cli_find_command(duet_cli_commands, "bench");
    duet_roff_begin(stream, "duet-bench", 1, bench->summary);
    duet_roff_section(stream, "SYNOPSIS");
    fprintf(stream, ".B duet bench\n.I STUDY\n.RI [ OPTION ...]\n");
    duet_roff_section(stream, "DESCRIPTION");
    duet_roff_line(stream, "Runs one of the studies by which Duet is judged:");
    print_commands(stream, "duet-bench", duet_bench_studies);
    duet_roff_section(stream, "OPTIONS");
    fprintf(stream, ".TP\n.BR \\-h \", \" \\-\\-help\nPrint this list.\n");
    duet_cli_manual_exits(stream);
    duet_roff_see_also(stream, "duet(1)");
}

// Has a command print its own page, since its options are known to it alone.
static int ask(const duet_cli_command *command)
{
    char name[NAME_SIZE];
    char summary[NAME_SIZE];
    char request[] = DUET_CLI_MAN_PAGE;
    snprintf(name, sizeof name, "%s", command->name);
    snprintf(summary, sizeof summary, "%s", command->summary);
    char *arguments[] = {name, request, summary, NULL};
    return command->run(3, arguments);
}

// The command whose page this is; NULL if the page is none's.
static const duet_cli_command *find(const char *before, const duet_cli_command *table,
                                    const char *page)
{
    size_t length = strlen(before);
    bool begins = strncmp(page, before, length) == 0 && page[length] == '-';
    return begins ? duet_cli_find_command(table, page + length + 1) : NULL;
}

static int print_page(const char *page)
{
    if (strcmp(page, "duet") == 0) {
        print_duet(stdout);
        return DUET_CLI_OK;
    }
    if (strcmp(page, "duet-bench") == 0) {
        print_bench(stdout);
        return DUET_CLI_OK;
    }
    const duet_cli_command *command = find("duet", duet_cli_commands, page);
    if (command == NULL) {
        command = find("duet-bench", duet_bench_studies, page);
    }
    if (command != NULL) {
        return ask(command);
    }
    const duet_cli_registry *registry =
        strncmp(page, "duet-", 5) == 0 ? duet_cli_find_registry(page + 5) : NULL;
    if (registry != NULL) {
        duet_cli_manual_registry(stdout, registry);
        return DUET_CLI_OK;
    }
    duet_error error = DUET_ERROR_INIT;
    duet_error_set(&error, DUET_E_USAGE,
                   "help --man: unknown page '%s'; 'duet help --man' lists them", page);
    return duet_cli_fail(&error);
}

static void list_commands(const char *before, const duet_cli_command *table)
{
    for (const duet_cli_command *c = table; c->name != NULL; c++) {
        duet_cli_print(stdout, "%s-%s.1\n", before, c->name);
    }
}

int duet_cli_manual(int argc, char **argv)
{
    if (argc > 1) {
        char page[NAME_SIZE];
        size_t length = strlen(argv[1]);
        // With or without its section.
        bool section = length > 2 && argv[1][length - 2] == '.';
        snprintf(page, sizeof page, "%.*s", (int)(length - (section ? 2 : 0)), argv[1]);
        return print_page(page);
    }
    puts("duet.1");
    list_commands("duet", duet_cli_commands);
    list_commands("duet-bench", duet_bench_studies);
    for (size_t i = 0; i < DUET_CLI_REGISTRIES; i++) {
        duet_cli_print(stdout, "duet-%s.7\n", duet_cli_registries[i].name);
    }
    return DUET_CLI_OK;
}
