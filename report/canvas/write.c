// SPDX-License-Identifier: Apache-2.0
// A picture's file, in the format that its name ends in.

#include "core/system/output.h"
#include "core/system/path.h"
#include "core/system/try.h"
#include "report/canvas/canvas.h"
#include "report/canvas/drawers.h"

duet_code duet_canvas_can_write(const char *path, duet_error *error)
{
    if (!duet_path_ends(path, ".svg .png .pdf")) {
        return duet_error_set(error, DUET_E_USAGE,
                              "'%s': unknown kind of picture; expected a name ending in .svg, .png "
                              "or .pdf",
                              path);
    }
    return duet_path_ends(path, ".svg") ? DUET_OK : duet_raster_can_draw(path, error);
}

duet_code duet_canvas_write(const char *path, const duet_canvas_page *page, duet_error *error)
{
    duet_output output;
    DUET_TRY(duet_canvas_can_write(path, error));
    DUET_TRY(duet_output_open(&output, path, error));
    duet_code code = DUET_OK;
    if (duet_path_ends(path, ".svg")) {
        duet_svg_draw(page, output.stream);
    } else {
        code = duet_raster_draw(page, output.target, output.stream, error);
    }
    if (output.why != 0) { // which says more than cairo's words for it
        duet_error_clear(error);
        code = DUET_OK;
    }
    if (code == DUET_OK) {
        code = duet_output_commit(&output, error);
    } else {
        duet_output_abandon(&output);
    }
    return code;
}
