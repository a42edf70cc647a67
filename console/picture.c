// SPDX-License-Identifier: Apache-2.0
// The picture of a schedule that a command draws.
#include "console/picture.h"

#include "console/given.h"
#include "console/load.h"
#include "console/paths.h"
#include "core/system/try.h"
#include "report/canvas/canvas.h"

static const char *parse_side(const char *text, int *side)
{
    long value = 0;
    while (*text >= '0' && *text <= '9' && value <= DUET_GANTT_MAX_SIZE) {
        value = 10 * value + (*text++ - '0');
    }
    *side = (int)value;
    return value >= 1 && value <= DUET_GANTT_MAX_SIZE ? text : NULL;
}

// "1280x720"
static bool take_sides(duet_cli_args *args, const char *option, const char *text, int *width,
                       int *height)
{
    const char *at = parse_side(text, width);
    if (at != NULL && *at == 'x') {
        at = parse_side(at + 1, height);
        if (at != NULL && *at == '\0') {
            return true;
        }
    }
    return duet_cli_usage(args,
                          "%s: expected WIDTHxHEIGHT in pixels, such as 1280x720, each "
                          "at most %d, got '%s'",
                          option, DUET_GANTT_MAX_SIZE, text);
}

static bool take_size(void *input, const char *text)
{
    duet_cli_args *args = input;
    return take_sides(args, "--gantt-size", text, &args->picture.width, &args->picture.height);
}

static bool take_chart_size(void *input, const char *text)
{
    duet_cli_args *args = input;
    return take_sides(args, "--size", text, &args->chart_look.width, &args->chart_look.height);
}

const duet_cli_option duet_cli_picture_options[] = {
    {"gantt", 0, "F.svg|png|pdf", DUET_CLI_PATH(duet_cli_args, picture.path),
     .text = "draw the schedule"},
    {"gantt-size", 0, "WxH", DUET_CLI_OWN(take_size),
     .fallback = "1200 wide, and as high as the rows need",
     .text = "size of the picture in pixels, such as 1280x720"},
    {"gantt-title", 0, "TEXT", DUET_CLI_WORD(duet_cli_args, picture.title),
     .fallback = "the instance's name", .text = "title of the picture"},
    {"gantt-dark", 0, NULL, DUET_CLI_FLAG(duet_cli_args, picture.dark),
     .text = "light letters on a dark ground"},
    {"gantt-transparent", 0, NULL, DUET_CLI_FLAG(duet_cli_args, picture.transparent),
     .text = "no ground: what is behind the picture shows"},
    {"gantt-by-kind", 0, NULL, DUET_CLI_FLAG(duet_cli_args, picture.by_kind),
     .text = "draw what a processor runs without a break in the order of the tasks' kinds"},
    {"gantt-beside", 0, "SOLUTION", DUET_CLI_PATH(duet_cli_args, picture.beside),
     .text = "draw this schedule of the same instance, too, on the same time axis"},
    {0}};

const duet_cli_option duet_cli_chart_options[] = {
    {"size", 0, "WxH", DUET_CLI_OWN(take_chart_size),
     .fallback = "720 wide, and as high as the legend needs",
     .text = "size of the chart in pixels, such as 1280x720"},
    {"title", 0, "TEXT", DUET_CLI_WORD(duet_cli_args, chart_look.title),
     .text = "title of the chart"},
    {0}};

duet_code duet_cli_check_chart(const duet_cli_args *args, const char *path, duet_error *error)
{
    if (path == NULL) {
        bool asked = args->chart_look.width > 0 || args->chart_look.title != NULL;
        return !asked ? DUET_OK
                      : duet_error_set(error, DUET_E_USAGE,
                                       "--size and --title say how --chart draws: expected %s",
                                       args->picture.path == NULL
                                           ? "--chart F.svg beside them"
                                           : "--gantt-size and --gantt-title for --gantt");
    }
    return duet_cli_check_drawing("--chart", path, error);
}

duet_code duet_cli_check_drawing(const char *option, const char *path, duet_error *error)
{
    DUET_TRY(duet_cli_check_ending(option, path, ".svg .png .pdf", error));
    return duet_canvas_can_write(path, error);
}

duet_code duet_cli_check_picture(const duet_cli_args *args, duet_error *error)
{
    const duet_cli_picture *picture = &args->picture;
    if (picture->path == NULL) {
        bool asked = picture->width > 0 || picture->title != NULL || picture->dark ||
                     picture->transparent || picture->by_kind || picture->beside != NULL;
        return !asked ? DUET_OK
                      : duet_error_set(error, DUET_E_USAGE,
                                       "the --gantt-... options say how --gantt draws: expected "
                                       "--gantt F.svg beside them");
    }
    return duet_cli_check_drawing("--gantt", picture->path, error);
}

duet_code duet_cli_read_beside(const duet_cli_args *args, duet_instance *instance,
                               duet_solution *plan, duet_solution **beside, duet_error *error)
{
    *beside = NULL;
    const char *path = args->picture.beside;
    if (path == NULL) {
        return DUET_OK;
    }
    if (args->now != NULL && plan != NULL && duet_cli_same_file(path, args->start_from)) {
        *beside = plan;
        return DUET_OK;
    }
    duet_code code = duet_cli_load_schedule(args, path, instance, beside, error);
    if (code == DUET_OK) {
        duet_error fault = DUET_ERROR_INIT;
        duet_params params = duet_cli_params_left(args);
        code = duet_check_solution(instance, *beside, &params, NULL, &fault);
        if (code != DUET_OK) {
            duet_error_set_at(error, code, path, 0, 0, "--gantt-beside: %s%s", fault.message,
                              duet_cli_gives(args) ? "; with --now, --fix and --without a schedule "
                                                     "beside keeps what they say, too"
                                                   : "");
            duet_solution_free(*beside);
            *beside = NULL;
        } else {
            duet_cli_take_in_ticks(args, path, instance, *beside);
        }
    }
    return code;
}

void duet_cli_free_beside(duet_solution *beside, const duet_solution *plan)
{
    if (beside != plan) {
        duet_solution_free(beside);
    }
}

duet_gantt_options duet_cli_picture_look(const duet_cli_args *args, const duet_solution *beside)
{
    const duet_cli_picture *picture = &args->picture;
    return (duet_gantt_options){.struct_size = sizeof(duet_gantt_options),
                                .width = picture->width,
                                .height = picture->height,
                                .title = picture->title,
                                .dark = picture->dark,
                                .transparent = picture->transparent,
                                .by_kind = picture->by_kind,
                                .beside = beside};
}

duet_code duet_cli_write_picture(const duet_cli_args *args, const duet_instance *instance,
                                 const duet_solution *solution, const duet_solution *beside,
                                 duet_error *error)
{
    const duet_cli_picture *picture = &args->picture;
    if (picture->path == NULL) {
        return DUET_OK;
    }
    const duet_gantt_options options = duet_cli_picture_look(args, beside);
    return duet_write_gantt(picture->path, instance, solution, &options, error);
}
