// SPDX-License-Identifier: Apache-2.0
// The shared options, and the rows of a command for all that reads or shows them.
#include "console/options.h"

#include <stdio.h>

#include "console/given_time.h"
#include "console/platform.h"
#include "core/system/assert.h"

static bool take_setting(void *input, const char *text)
{
    return duet_cli_take_setting(input, text);
}

const duet_cli_option duet_cli_platform_options[] = {
    {"cpus", 'm', "M", DUET_CLI_OWN(duet_cli_take_cpus),
     .text = "processors of the first type, the CPUs"},
    {"gpus", 'k', "K", DUET_CLI_OWN(duet_cli_take_gpus),
     .text = "processors of the second type, the GPUs; K,L,... where there are more types"},
    {"platform", 0, "NAME=COUNT,...", DUET_CLI_OWN(duet_cli_take_platform),
     .text = "processors by type, as in small=10,big=4,gpu=2; may be given several times"},
    {0}};
const duet_cli_option duet_cli_range_options[] = {
    {"cpus", 'm', "M", DUET_CLI_OWN(duet_cli_take_cpus_range),
     .text = "processors of the first type, the CPUs; a range such as 8..16 for a table"},
    {"gpus", 'k', "K", DUET_CLI_OWN(duet_cli_take_gpus_range),
     .text = "processors of the second type, the GPUs; K,L,... where there are more types; each "
             "may be a range such as 1..4"},
    {"platform", 0, "NAME=COUNT,...", DUET_CLI_OWN(duet_cli_take_platform_range),
     .text = "processors by type, as in small=10,big=4,gpu=1..4; may be given several times"},
    {0}};
const duet_cli_option duet_cli_price_options[] = {
    {"price", 0, "TYPE=PRICE,...", DUET_CLI_WORD(duet_cli_args, price), .fallback = "none",
     .text = "what a processor of each type costs an hour, to say what the platform costs an hour "
             "and for the run"},
    {0}};
const duet_cli_option duet_cli_given_options[] = {
    {"start-from", 0, "SCHEDULE", DUET_CLI_PATH(duet_cli_args, start_from),
     .text = "a schedule to start from, JSON or CSV: the searches begin with it, and the result is "
             "never longer; with --now it is under way"},
    {"now", 0, "T", DUET_CLI_WORD(duet_cli_args, now),
     .text = "of --start-from: what has ended by T stays, what runs keeps its processor until its "
             "end, and the rest is planned from T on"},
    {"fix", 0, "FILE", DUET_CLI_PATH(duet_cli_args, fix),
     .text = "entries of a schedule that stay, JSON or CSV; what one leaves out (type, processor, "
             "start) is free, and an end says that it has begun"},
    {"without", 0, "NAME=P,...", DUET_CLI_OWN(duet_cli_take_without),
     .text = "processors that take no more tasks, counted from 0, as in gpu=0,2; may be given "
             "several times"},
    {0}};
static const char *const unit_names[] = {"ns", "us", "ms", "s", "min", "h", "d", NULL};
const duet_cli_option duet_cli_reading_options[] = {
    {"columns", 0, "NAME=COLUMN,...", DUET_CLI_WORD(duet_cli_args, read.columns),
     .fallback = "by the header",
     .text =
         "columns, members or attributes that count, and the processor types that they become, as "
         "in cpu=time_cpu,gpu=time_gpu"},
    {"busy", 0, "NAME=TIME,...", DUET_CLI_OWN(duet_cli_take_busy),
     .text = "until when the processors of a type are busy, as in gpu=3,0; those that are left out "
             "are free; may be given several times"},
    {"digits", 0, "N", DUET_CLI_WHOLE(duet_cli_args, read.digits, 1, 18), .fallback = "all",
     .text = "significant digits of every time that are kept"},
    {"edges", 0, "FILE", DUET_CLI_PATH(duet_cli_args, read.edges),
     .text = "a table of edges beside the file: columns from, to and cost, or a matrix of costs"},
    {"exact-times", 0, NULL, DUET_CLI_FLAG(duet_cli_args, read.exact_times),
     .text = "refuse times with more digits than fit instead of rounding them"},
    {"start", 0, "DATE-TIME", DUET_CLI_OWN(duet_cli_take_start),
     .text = "time of day at time 0, as in 2026-11-27T09:00: dates in the input are told from it, "
             "and pictures, pages, tables and traces show times of day"},
    {"strict-input", 0, NULL, DUET_CLI_FLAG(duet_cli_args, read.strict_input),
     .text = "refuse fields of the input that are not used instead of noting them"},
    {"unit", 0, "U", DUET_CLI_WORD_SUCH_AS(duet_cli_args, read.unit, unit_names),
     .fallback = "the file's", .text = "unit of the times: ns, us, ms, s, min, h, d, or any word"},
    {0}};
// Rows of several tables.
#define TIME_ROW(says)                                                                             \
    {                                                                                              \
        "time", 't', "SECONDS",                                                                    \
            {.type = DUET_CLI_TYPE_SECONDS, DUET_CLI_MEMBER(duet_cli_args, seconds)},              \
            .text = (says)                                                                         \
    }
#define THREADS_ROW                                                                                \
    {                                                                                              \
        "threads", 'j', "THREADS", DUET_CLI_WHOLE(duet_cli_args, threads, 1, 4096),                \
            .fallback = "all processors", .text = "threads to use"                                 \
    }
#define MEMORY_ROW(usual)                                                                          \
    {                                                                                              \
        "memory", 0, "MIB",                                                                        \
            {.type = DUET_CLI_TYPE_MEBIBYTES,                                                      \
             DUET_CLI_MEMBER(duet_cli_args, memory),                                               \
             .minimum = 1,                                                                         \
             .maximum = SIZE_MAX >> 20},                                                           \
            .fallback = (usual), .text = "memory to use at most"                                   \
    }
#define QUIET_ROW                                                                                  \
    {                                                                                              \
        "quiet", 'q', NULL, DUET_CLI_FLAG(duet_cli_args, quiet),                                   \
            .text = "no progress line and no notes"                                                \
    }
#define USUAL_MEMORY "1024, or 1000 times what is read, whichever is more"
const duet_cli_option duet_cli_limits_options[] = {
    TIME_ROW("stop after so many seconds"), THREADS_ROW, MEMORY_ROW(USUAL_MEMORY), QUIET_ROW, {0}};
const duet_cli_option duet_cli_bounds_options[] = {
    TIME_ROW("stop after so many seconds"), MEMORY_ROW(USUAL_MEMORY), {0}};
#define STUDY_LIMITS(says)                                                                         \
    {                                                                                              \
        TIME_ROW(says), THREADS_ROW, MEMORY_ROW("half of what is free"), QUIET_ROW,                \
        {                                                                                          \
            0                                                                                      \
        }                                                                                          \
    }
const duet_cli_option duet_cli_study_limits_options[] = STUDY_LIMITS("stop after so many seconds");
const duet_cli_option duet_cli_run_limits_options[] =
    STUDY_LIMITS("stop each run after so many seconds");
const char *const duet_cli_written_formats[] = {"json", "csv", "dot", NULL};
const duet_cli_option duet_cli_setting_options[] = {
    {"option", 'O', "KEY=VALUE", DUET_CLI_OWN(take_setting),
     .text = "an option of the reader; see 'duet list -v'"},
    {0}};
const duet_cli_option duet_cli_values_options[] = {
    {"seed", 0, "S", DUET_CLI_WHOLE(duet_cli_args, seed, 0, UINT64_MAX), .preset = "0",
     .text = "seed of everything random"},
    {"option", 'O', "KEY=VALUE", DUET_CLI_OWN(take_setting),
     .text = "an option of its own; see 'duet list -v'"},
    {0}};
const duet_cli_option duet_cli_output_options[] = {
    {"json", 0, NULL, DUET_CLI_FLAG(duet_cli_args, json), .text = "print JSON instead of text"},
    {"help", 'h', NULL, DUET_CLI_FLAG(duet_cli_args, help), .text = "print this help"},
    {0}};
const duet_cli_option duet_cli_help_options[] = {
    {"help", 'h', NULL, DUET_CLI_FLAG(duet_cli_args, help), .text = "print this help"}, {0}};

const duet_cli_option *duet_cli_option_at(const duet_cli_syntax *syntax, size_t index)
{
    for (size_t t = 0; syntax->tables[t] != NULL; t++) {
        for (const duet_cli_option *o = syntax->tables[t]; o->name != NULL; o++) {
            if (index-- == 0) {
                return o;
            }
        }
    }
    return NULL;
}

char *duet_cli_option_help(const duet_cli_option *option, char buffer[DUET_CLI_HELP])
{
    const char *preset = option->preset == NULL ? "" : option->preset;
    const char *fallback = option->fallback == NULL ? "" : option->fallback;
    int length = snprintf(buffer, DUET_CLI_HELP, "%s", option->text);
    if (preset[0] != '\0' || fallback[0] != '\0') {
        length = snprintf(buffer, DUET_CLI_HELP, "%s (default: %s%s%s)", option->text, preset,
                          preset[0] != '\0' && fallback[0] != '\0' ? "; " : "", fallback);
    }
    DUET_ASSERT(length < DUET_CLI_HELP);
    (void)length;
    return buffer;
}
