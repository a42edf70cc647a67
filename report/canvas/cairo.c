// SPDX-License-Identifier: Apache-2.0
#include "report/canvas/cairo.h"

#include <stddef.h>

#include "core/system/loader.h"

#define SYMBOL(function)                                                                           \
    {                                                                                              \
#function, offsetof(duet_cairo, function)                                                  \
    }
static const duet_loader_symbol functions[] = {SYMBOL(create),
                                               SYMBOL(destroy),
                                               SYMBOL(status),
                                               SYMBOL(status_to_string),
                                               SYMBOL(save),
                                               SYMBOL(restore),
                                               SYMBOL(scale),
                                               SYMBOL(translate),
                                               SYMBOL(rotate),
                                               SYMBOL(set_source_rgba),
                                               SYMBOL(set_line_width),
                                               SYMBOL(set_line_join),
                                               SYMBOL(set_dash),
                                               SYMBOL(move_to),
                                               SYMBOL(line_to),
                                               SYMBOL(close_path),
                                               SYMBOL(new_path),
                                               SYMBOL(rectangle),
                                               SYMBOL(arc),
                                               SYMBOL(clip),
                                               SYMBOL(fill),
                                               SYMBOL(paint),
                                               SYMBOL(stroke),
                                               SYMBOL(select_font_face),
                                               SYMBOL(set_font_size),
                                               SYMBOL(text_extents),
                                               SYMBOL(show_text),
                                               SYMBOL(font_options_create),
                                               SYMBOL(font_options_destroy),
                                               SYMBOL(font_options_set_hint_style),
                                               SYMBOL(font_options_set_hint_metrics),
                                               SYMBOL(set_font_options),
                                               SYMBOL(image_surface_create),
                                               SYMBOL(surface_write_to_png_stream),
                                               SYMBOL(pdf_surface_create_for_stream),
                                               SYMBOL(pdf_surface_set_metadata),
                                               SYMBOL(surface_finish),
                                               SYMBOL(surface_status),
                                               SYMBOL(surface_destroy)};

duet_code duet_cairo_open(duet_cairo *cairo, const char *path, duet_error *error)
{
    static const duet_loader_symbols symbols = {"cairo_", "", functions,
                                                sizeof functions / sizeof *functions};
    duet_loader_fault fault;
    void *library = duet_loader_open("libcairo.so.2", &fault);
    if (library != NULL && duet_loader_find_all(library, &symbols, cairo, &fault)) {
        return DUET_OK;
    }
    return fault.memory
               ? duet_error_set(error, DUET_E_MEMORY, "out of memory while opening cairo (%s)",
                                fault.text)
               : duet_error_set_at(error, DUET_E_UNSUPPORTED, path, 0, 0,
                                   "PNG and PDF need cairo, which cannot be opened (%s): expected "
                                   "libcairo.so.2, which Debian's libcairo2 brings, or a name "
                                   "ending in .svg, which needs nothing",
                                   fault.text);
}
