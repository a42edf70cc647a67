// SPDX-License-Identifier: Apache-2.0
// Family tables: independent moldable tasks with random tables, monotone or any.
#include "instances/families/moldable.h"

enum { MONOTONE, ANY };

static const duet_option_spec options[] = {
    DUET_WORK_OPTIONS,
    {"shape", DUET_OPTION_CHOICE, "monotone", 0, 0, "monotone|any", "",
     "whether times never increase and areas never decrease, or anything goes"},
    {NULL, DUET_OPTION_TEXT, NULL, 0, 0, NULL, NULL, NULL}};

static void draw(duet_family_request *request, int64_t work, duet_read_time *values,
                 duet_read_table *table)
{
    bool any = duet_option_choice(request->options, request->table, "shape") == ANY;
    int64_t before = work;
    duet_monotone_style style = duet_monotone_draw(&request->random);
    for (int64_t p = 1; p <= request->cpus; p++) {
        int64_t time = p == 1 ? work
                       : any  ? duet_random_between(&request->random, 1, work)
                              : duet_monotone_next(&request->random, style, p, before);
        values[p - 1] = (duet_read_time){.value = {time, 0}};
        before = time;
    }
    table->length = (size_t)request->cpus;
}

static duet_code generate(duet_family_request *request, duet_builder *builder, duet_error *error)
{
    return duet_moldable_draw(request, builder, "tables", draw, error);
}

const duet_family duet_family_tables = {{.name = "tables",
                                         .summary = "moldable tasks with random tables of times",
                                         .reference = "",
                                         .handles = DUET_FEATURE_MOLDABLE,
                                         .options = options},
                                        DUET_FAMILY_TASKS,
                                        DUET_MOLDABLE_MAX_TASKS,
                                        generate,
                                        duet_moldable_platform};
