// SPDX-License-Identifier: Apache-2.0
// Family amdahl: independent moldable tasks that follow Amdahl's law, with a sequential part drawn
// from a range.
#include "instances/families/moldable.h"

static const duet_option_spec options[] = {DUET_WORK_OPTIONS,
                                           {"alpha-min", DUET_OPTION_DECIMAL, "0", 0, 1000, NULL,
                                            "", "smallest sequential part of a task's work"},
                                           {"alpha-max", DUET_OPTION_DECIMAL, "0.25", 0, 1000, NULL,
                                            "", "largest sequential part of a task's work"},
                                           {NULL, DUET_OPTION_TEXT, NULL, 0, 0, NULL, NULL, NULL}};

static int64_t thousandths(const duet_family_request *request, const char *option)
{
    return duet_option_thousandths(request->options, request->table, option);
}

static void draw(duet_family_request *request, int64_t work, duet_read_time *values,
                 duet_read_table *table)
{
    (void)values;
    int64_t alpha = duet_random_between(&request->random, 10 * thousandths(request, "alpha-min"),
                                        10 * thousandths(request, "alpha-max"));
    *table = (duet_read_table){
        .law = true, .work = {.value = {work, 0}}, .alpha = {.value = {alpha, 4}}};
}

static duet_code generate(duet_family_request *request, duet_builder *builder, duet_error *error)
{
    if (thousandths(request, "alpha-min") > thousandths(request, "alpha-max")) {
        return duet_error_set(error, DUET_E_USAGE,
                              "option alpha-min is above alpha-max: expected at most that");
    }
    return duet_moldable_draw(request, builder, "amdahl", draw, error);
}

const duet_family duet_family_amdahl = {{.name = "amdahl",
                                         .summary = "moldable tasks after Amdahl's law",
                                         .reference = "Amdahl 1967",
                                         .handles = DUET_FEATURE_MOLDABLE,
                                         .options = options},
                                        DUET_FAMILY_TASKS,
                                        DUET_MOLDABLE_MAX_TASKS,
                                        generate,
                                        duet_moldable_platform};
