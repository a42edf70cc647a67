// SPDX-License-Identifier: Apache-2.0
// The picture of a schedule that a command draws: its options, shared by all commands that draw
// one, and what they do. A command lists duet_cli_picture_options among its tables, calls
// duet_cli_check_picture() before it works, duet_cli_read_beside() once the instance is there, and
// duet_cli_write_picture() with the schedule.
#ifndef DUET_CONSOLE_PICTURE_H
#define DUET_CONSOLE_PICTURE_H

#include "console/options.h"

extern const duet_cli_option duet_cli_picture_options[]; // --gantt --gantt-size ...
extern const duet_cli_option duet_cli_chart_options[];   // --size --title, beside a --chart

// Whether the file after `option` can be drawn: its ending, and cairo where that takes it.
duet_code duet_cli_check_drawing(const char *option, const char *path, duet_error *error);
// Whether the chart can be drawn that `path` names, which is NULL without --chart; then no option
// may say how it looks.
duet_code duet_cli_check_chart(const duet_cli_args *args, const char *path, duet_error *error);
// Whether what is asked for can be drawn, and there is a --gantt where another option is
// about it. DUET_OK without --gantt.
duet_code duet_cli_check_picture(const duet_cli_args *args, duet_error *error);
// Reads the schedule of --gantt-beside and has the checker look at it; NULL without that option.
// `plan` (or NULL) is the plan of --start-from, continued: it is `*beside` where --gantt-beside
// names its file. duet_cli_free_beside() frees what was read.
duet_code duet_cli_read_beside(const duet_cli_args *args, duet_instance *instance,
                               duet_solution *plan, duet_solution **beside, duet_error *error);
void duet_cli_free_beside(duet_solution *beside, const duet_solution *plan);
// How the options say that it looks.
duet_gantt_options duet_cli_picture_look(const duet_cli_args *args, const duet_solution *beside);
// Draws where there is a --gantt.
duet_code duet_cli_write_picture(const duet_cli_args *args, const duet_instance *instance,
                                 const duet_solution *solution, const duet_solution *beside,
                                 duet_error *error);

#endif
