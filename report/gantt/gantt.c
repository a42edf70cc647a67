// SPDX-License-Identifier: Apache-2.0
// Pictures of schedules: prepares what is drawn and writes it as SVG, PNG or PDF.
#include <stdio.h>
#include <string.h>

#include <duet/report.h>

#include "core/system/struct_size.h"
#include "core/system/try.h"
#include "report/gantt/draw.h"
#include "report/gantt/gantt.h"
#include "report/texts.h"

static void forget_places(duet_gantt *gantt)
{
    for (size_t p = 0; p < gantt->panels; p++) {
        duet_gantt_marks_free(&gantt->panel[p].marks);
        duet_gantt_layout_free(&gantt->panel[p].layout);
    }
}

static void release(duet_gantt *gantt)
{
    forget_places(gantt);
    for (size_t p = 0; p < gantt->panels; p++) {
        duet_intervals_free(&gantt->panel[p].intervals);
        duet_reasons_free(&gantt->panel[p].reasons);
    }
    duet_gantt_classes_free(&gantt->classes);
}

static bool has_pale(const duet_gantt *gantt)
{
    for (size_t p = 0; p < gantt->panels; p++) {
        const duet_gantt_marks *marks = &gantt->panel[p].marks;
        for (size_t i = 0; i < marks->count; i++) {
            if (marks->mark[i].level < DUET_GANTT_LEVELS) {
                return true;
            }
        }
    }
    return false;
}

// Finds the places of everything, and the marks there.
static duet_code arrange(duet_gantt *gantt, const duet_gantt_options *options, duet_error *error)
{
    DUET_TRY(duet_gantt_arrange(gantt, options, error));
    for (size_t p = 0; p < gantt->panels; p++) {
        duet_gantt_panel *panel = &gantt->panel[p];
        DUET_TRY(duet_gantt_marks_create(&panel->layout, &gantt->classes, &panel->intervals,
                                         &panel->marks, error));
    }
    return DUET_OK;
}

static duet_code prepare(duet_gantt *gantt, const duet_gantt_options *options, duet_error *error)
{
    duet_code code = DUET_OK;
    for (size_t p = 0; p < gantt->panels && code == DUET_OK; p++) {
        duet_gantt_panel *panel = &gantt->panel[p];
        code = duet_intervals_collect(gantt->instance, panel->solution, &panel->intervals, error);
        if (code == DUET_OK && options->by_kind && !panel->intervals.moldable) {
            duet_intervals_by_kind(&panel->intervals);
        }
        if (code == DUET_OK && gantt->instance->graph != NULL) {
            duet_intervals_sort(&panel->intervals);
            code = duet_reasons_create(gantt->instance, panel->solution, &panel->intervals,
                                       &panel->reasons, error);
        }
    }
    DUET_THEN(code, duet_gantt_classes_create(gantt->instance, &gantt->panel[0].intervals,
                                              &gantt->classes, error));
    DUET_THEN(code, arrange(gantt, options, error));
    gantt->pale = code == DUET_OK && has_pale(gantt);
    if (gantt->pale) { // the legend is longer than it was
        forget_places(gantt);
        code = arrange(gantt, options, error);
    }
    return code;
}

// What a reader who does not see the picture is told.
static void tell(const duet_gantt *gantt, char *text, size_t size)
{
    size_t used = 0;
    text[0] = '\0';
    for (size_t p = 0; p < gantt->panels; p++) {
        used += (size_t)snprintf(text + used, size - used, "%s", p == 0 ? "" : "; below: ");
        duet_gantt_summary_text(gantt, &gantt->panel[p], text + used, DUET_GANTT_TEXT - 16);
        used = strlen(text);
    }
}

static void draw(duet_canvas *canvas, const void *picture)
{
    duet_gantt_draw(canvas, picture);
}

static duet_code write(const duet_gantt *gantt, const char *path, duet_error *error)
{
    char text[2 * DUET_GANTT_TEXT];
    tell(gantt, text, sizeof text);
    const duet_canvas_page page = {.width = gantt->width,
                                   .height = gantt->height,
                                   .scale = gantt->scale,
                                   .sized = gantt->sized,
                                   .title = gantt->title,
                                   .text = text,
                                   .ground = gantt->transparent ? NULL : &gantt->theme->page,
                                   .hatch = &gantt->theme->lost,
                                   .draw = draw,
                                   .picture = gantt};
    return duet_canvas_write(path, &page, error);
}

static duet_code check_size(const duet_gantt_options *options, duet_error *error)
{
    if ((options->width == 0) != (options->height == 0) || options->width < 0 ||
        options->height < 0 || options->width > DUET_GANTT_MAX_SIZE ||
        options->height > DUET_GANTT_MAX_SIZE) {
        return duet_error_set(error, DUET_E_USAGE,
                              "picture of %d by %d pixels: expected both sides in 1 .. %d, or "
                              "both 0 for the usual size",
                              options->width, options->height, DUET_GANTT_MAX_SIZE);
    }
    return DUET_OK;
}

static duet_code take_options(const duet_gantt_options *given, duet_gantt_options *options,
                              duet_error *error)
{
    *options = (duet_gantt_options){.struct_size = sizeof *options};
    if (given == NULL) {
        return DUET_OK;
    }
    DUET_TRY(duet_struct_take(options, sizeof *options, DUET_SIZE_UNTIL(duet_gantt_options, beside),
                              given, "duet_gantt_options", error));
    return check_size(options, error);
}

static duet_code check_kinds(const duet_instance *instance, const duet_gantt_options *options,
                             duet_error *error)
{
    return !options->by_kind || (duet_instance_features(instance) & DUET_FEATURE_PRECEDENCE) == 0
               ? DUET_OK
               : duet_error_set(error, DUET_E_USAGE,
                                "tasks of this instance wait for others: expected independent ones "
                                "for a picture in the order of their kinds");
}

static duet_gantt picture_of(const duet_instance *instance, const duet_solution *solution,
                             const duet_gantt_options *options)
{
    return (duet_gantt){.instance = instance,
                        .theme = duet_gantt_theme_of(options->dark),
                        .transparent = options->transparent,
                        .sized = options->width > 0,
                        .panels = options->beside != NULL ? 2 : 1,
                        .panel = {{.solution = solution}, {.solution = options->beside}}};
}

// A picture of the schedule in which no task has a place yet needs the least room.
duet_code duet_gantt_check(const duet_instance *instance, const duet_gantt_options *options,
                           duet_error *error)
{
    duet_solution *empty = NULL;
    duet_code code = check_kinds(instance, options, error);
    DUET_THEN(code, check_size(options, error));
    if (code != DUET_OK || options->width == 0) {
        return code;
    }
    code = duet_solution_create_blank(duet_tasks(instance), &empty, error);
    DUET_THEN(code, duet_solution_hold_runs(empty, 0, error));
    duet_gantt gantt = picture_of(instance, empty, options);
    for (size_t p = 0; p < gantt.panels && code == DUET_OK; p++) {
        duet_gantt_panel *panel = &gantt.panel[p];
        code = duet_intervals_collect(instance, panel->solution, &panel->intervals, error);
    }
    DUET_THEN(code, duet_gantt_classes_create(instance, &gantt.panel[0].intervals, &gantt.classes,
                                              error));
    DUET_THEN(code, duet_gantt_arrange(&gantt, options, error));
    release(&gantt);
    duet_solution_free(empty);
    return code;
}

duet_code duet_write_gantt(const char *path, const duet_instance *instance,
                           const duet_solution *solution, const duet_gantt_options *given,
                           duet_error *error)
{
    duet_gantt_options options;
    DUET_TRY(take_options(given, &options, error));
    DUET_TRY(duet_canvas_can_write(path, error));
    DUET_TRY(check_kinds(instance, &options, error));
    duet_gantt gantt = picture_of(instance, solution, &options);
    duet_clean_text(options.title != NULL ? options.title : instance->name, SIZE_MAX, gantt.title,
                    sizeof gantt.title);
    duet_code code = prepare(&gantt, &options, error);
    DUET_THEN(code, write(&gantt, path, error));
    release(&gantt);
    return code;
}
