// SPDX-License-Identifier: Apache-2.0
// Stands for raster.c where there is no cairo: pictures are SVG alone.
#include "report/gantt/draw.h"

bool duet_gantt_has_raster(void)
{
    return false;
}

duet_code duet_gantt_raster(const duet_gantt *gantt, const char *path, FILE *stream,
                            duet_error *error)
{
    (void)gantt;
    (void)stream;
    return duet_error_set_at(error, DUET_E_UNSUPPORTED, path, 0, 0,
                             "this build draws SVG alone, it is without cairo "
                             "(-DDUET_WITH_CAIRO=OFF): expected a name ending in .svg");
}
