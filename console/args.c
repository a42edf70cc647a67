// SPDX-License-Identifier: Apache-2.0
// The shared parts of the command line.
//
// argp's own messages and help option are turned off: they take two lines and exit by themselves,
// where the command promises one line in its own form.
#include "console/args.h"

#include <ctype.h>
#include <errno.h>
#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "console/args_fault.h"
#include "console/complete.h"
#include "console/manual.h"

enum { KEY_HELP = 'h', KEY_JSON = 256, KEY_MEMORY, KEY_SEED };

error_t duet_cli_usage(duet_cli_args *args, const char *format, ...)
{
    char text[sizeof args->error.message];
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(text, sizeof text, format, arguments);
    va_end(arguments);
    duet_error_set(&args->error, DUET_E_USAGE, "%s", text);
    return EINVAL;
}

bool duet_cli_whole(duet_cli_args *args, const char *option, const char *text, uint64_t minimum,
                    uint64_t maximum, uint64_t *value)
{
    char *end = NULL;
    errno = 0;
    unsigned long long number = isdigit((unsigned char)text[0]) ? strtoull(text, &end, 10) : 0;
    if (end == NULL || *end != '\0' || errno != 0 || number < minimum || number > maximum) {
        duet_cli_usage(args, "%s: expected a whole number from %llu to %llu, got '%s'", option,
                       (unsigned long long)minimum, (unsigned long long)maximum, text);
        return false;
    }
    *value = number;
    return true;
}

static bool take_seconds(duet_cli_args *args, const char *text)
{
    // strtod() would also take spaces, hexadecimal numbers, infinities and NaN.
    char *end = NULL;
    double seconds = 0;
    if (text[0] != '\0' && strspn(text, "0123456789.eE+-") == strlen(text)) {
        seconds = strtod(text, &end);
    }
    if (end == NULL || *end != '\0' || !isfinite(seconds) || seconds <= 0) {
        duet_cli_usage(args, "-t: expected a number of seconds greater than 0, got '%s'", text);
        return false;
    }
    args->seconds = seconds;
    return true;
}

static bool take_gpus(duet_cli_args *args, const char *text)
{
    args->gpu_types = 0;
    for (const char *at = text;; at++) {
        char digits[32];
        size_t length = strcspn(at, ",");
        if (args->gpu_types == DUET_MAX_TYPES - 1 || length >= sizeof digits) {
            duet_cli_usage(args, "-k: expected at most %d counts of at most %lld, got '%s'",
                           DUET_MAX_TYPES - 1, (long long)DUET_MAX_PROCESSORS, text);
            return false;
        }
        memcpy(digits, at, length);
        digits[length] = '\0';
        uint64_t count = 0;
        if (!duet_cli_whole(args, "-k", digits, 0, DUET_MAX_PROCESSORS, &count)) {
            return false;
        }
        args->gpus[args->gpu_types++] = (int64_t)count;
        at += length;
        if (*at == '\0') {
            return true;
        }
    }
}

static bool take_option(duet_cli_args *args, const char *text)
{
    if (args->options == NULL && duet_options_create(&args->options, &args->error) != DUET_OK) {
        return false;
    }
    return duet_options_add(args->options, text, &args->error) == DUET_OK;
}

static error_t parse_shared(int key, char *text, struct argp_state *state)
{
    duet_cli_args *args = state->input;
    uint64_t number = 0;
    bool good = true;
    duet_cli_args_enter(key, state);
    switch (key) {
    case 'm':
        good = duet_cli_whole(args, "-m", text, 0, DUET_MAX_PROCESSORS, &number);
        args->cpus = (int64_t)number;
        args->has_cpus = true;
        break;
    case 'k':
        good = take_gpus(args, text);
        break;
    case 't':
        good = take_seconds(args, text);
        break;
    case 'j':
        good = duet_cli_whole(args, "-j", text, 1, 4096, &number);
        args->threads = (int)number;
        break;
    case KEY_MEMORY:
        good = duet_cli_whole(args, "--memory", text, 1, SIZE_MAX >> 20, &number);
        args->memory = (size_t)number << 20;
        break;
    case KEY_SEED:
        good = duet_cli_whole(args, "--seed", text, 0, UINT64_MAX, &args->seed);
        break;
    case 'O':
        good = take_option(args, text);
        break;
    case 'q':
        args->quiet = true;
        break;
    case KEY_JSON:
        args->json = true;
        break;
    case KEY_HELP:
        args->help = true;
        break;
    default:
        return ARGP_ERR_UNKNOWN;
    }
    return good ? 0 : EINVAL;
}

static const struct argp_option platform_options[] = {
    {"cpus", 'm', "M", 0, "processors of the first type, the CPUs", 0},
    {"gpus", 'k', "K", 0,
     "processors of the second type, the GPUs; K,L,... where there are more types", 0},
    {0}};
static const struct argp_option limits_options[] = {
    {"time", 't', "SECONDS", 0, "stop after so many seconds", 0},
    {"threads", 'j', "THREADS", 0, "threads to use (default: all processors, or as said above)", 0},
    {"memory", KEY_MEMORY, "MIB", 0,
     "memory to use at most (default: half of what is free, or as said above)", 0},
    {"quiet", 'q', NULL, 0, "no progress line and no notes", 0},
    {0}};
static const struct argp_option values_options[] = {
    {"seed", KEY_SEED, "S", 0, "seed of everything random (default: 0)", 0},
    {"option", 'O', "KEY=VALUE", 0, "an option of its own; see 'duet list -v'", 0},
    {0}};
static const struct argp_option output_options[] = {
    {"json", KEY_JSON, NULL, 0, "print JSON instead of text", 0},
    {"help", KEY_HELP, NULL, 0, "print this help", 0},
    {0}};

const struct argp duet_cli_platform_argp = {
    platform_options, parse_shared, NULL, NULL, NULL, NULL, NULL};
const struct argp duet_cli_limits_argp = {limits_options, parse_shared, NULL, NULL,
                                          NULL,           NULL,         NULL};
const struct argp duet_cli_values_argp = {values_options, parse_shared, NULL, NULL,
                                          NULL,           NULL,         NULL};
const struct argp duet_cli_output_argp = {output_options, parse_shared, NULL, NULL,
                                          NULL,           NULL,         NULL};
const struct argp duet_cli_help_argp = {
    output_options + 1, parse_shared, NULL, NULL, NULL, NULL, NULL};

void duet_cli_args_enter(int key, struct argp_state *state)
{
    const struct argp_child *children = state->root_argp->children;
    if (key == ARGP_KEY_INIT && children != NULL && state->child_inputs != NULL) {
        for (size_t i = 0; children[i].argp != NULL; i++) {
            state->child_inputs[i] = state->input;
        }
    }
    duet_cli_args *args = state->input;
    if (key == ARGP_KEY_ERROR) {
        args->stopped = state->next;
    } else if (key != ARGP_KEY_FINI && state->next > 0) {
        args->next = state->next;
    }
}

char *duet_cli_help_text(int key, const char *text, void *input)
{
    (void)input;
    return key == ARGP_KEY_HELP_DUP_ARGS_NOTE ? NULL : (char *)text;
}

error_t duet_cli_take_file(duet_cli_args *args, const char *file, const char **files, size_t *count,
                           size_t most)
{
    if (*count == most) {
        return duet_cli_usage(args, "unexpected argument '%s'", file);
    }
    files[(*count)++] = file;
    return 0;
}

// Answers what the manual and the completion ask of a command. True: that is all.
static bool answer(const struct argp *argp, const char *name, int argc, char **argv)
{
    if (argc == 3 && strcmp(argv[1], DUET_CLI_MAN_PAGE) == 0) {
        duet_cli_manual_command(stdout, argp, name, argv[2]);
        return true;
    }
    if (argc > 2 && strcmp(argv[1], DUET_CLI_COMPLETE) == 0) {
        duet_cli_complete_command(argp, name, argc - 2, argv + 2);
        return true;
    }
    return false;
}

bool duet_cli_parse(const struct argp *argp, const char *name, int argc, char **argv, void *input,
                    int *code)
{
    duet_cli_args *args = input;
    if (answer(argp, name, argc, argv)) {
        *code = DUET_CLI_OK;
        return false;
    }
    args->error = (duet_error)DUET_ERROR_INIT;
    args->next = 1;
    args->stopped = 1;
    error_t failed = argp_parse(
        argp, argc, argv, ARGP_NO_ERRS | ARGP_NO_HELP | ARGP_NO_EXIT | ARGP_IN_ORDER, NULL, input);
    if (args->help) {
        char command[64];
        snprintf(command, sizeof command, "duet %s", name);
        argp_help(argp, stdout, ARGP_HELP_STD_HELP & ~(unsigned)ARGP_HELP_EXIT_OK, command);
        *code = DUET_CLI_OK;
    } else if (failed != 0) {
        if (args->error.code == DUET_OK) {
            duet_cli_describe_fault(argp, argc, argv, args->next, args->stopped, &args->error);
        }
        *code = duet_cli_fail(&args->error);
    } else {
        return true;
    }
    duet_cli_args_free(args);
    return false;
}
