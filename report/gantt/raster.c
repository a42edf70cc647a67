// SPDX-License-Identifier: Apache-2.0
// PNG and PDF through cairo.
#include <cairo-pdf.h>
#include <cairo.h>
#include <math.h>

#include "core/system/path.h"
#include "report/gantt/draw.h"

// Dots per unit of a PNG of the usual size, for screens with fine dots; and points per pixel of a
// PDF.
static const double PNG_SCALE = 2.0;
static const double PDF_SCALE = 0.6;

typedef struct cairo_canvas {
    duet_canvas canvas;
    cairo_t *cr;
} cairo_canvas;

static cairo_t *use(duet_canvas *canvas, duet_colour colour, double opacity)
{
    cairo_t *cr = ((cairo_canvas *)canvas)->cr;
    cairo_set_source_rgba(cr, colour.r, colour.g, colour.b, opacity);
    return cr;
}

static void rectangle(duet_canvas *canvas, duet_colour fill, duet_rect place, const char *title)
{
    (void)title;
    cairo_t *cr = use(canvas, fill, 1);
    cairo_rectangle(cr, place.x, place.y, place.width, place.height);
    cairo_fill(cr);
}

static void begin(duet_canvas *canvas, duet_colour fill)
{
    use(canvas, fill, 1);
}

static void add(duet_canvas *canvas, duet_rect place)
{
    cairo_rectangle(((cairo_canvas *)canvas)->cr, place.x, place.y, place.width, place.height);
}

static void end(duet_canvas *canvas)
{
    cairo_fill(((cairo_canvas *)canvas)->cr);
}

static void hatch(duet_canvas *canvas, duet_colour colour, duet_rect place, const char *title)
{
    (void)title;
    cairo_t *cr = use(canvas, colour, 1);
    cairo_save(cr);
    cairo_rectangle(cr, place.x, place.y, place.width, place.height);
    cairo_clip(cr);
    cairo_set_line_width(cr, DUET_HATCH_WIDTH);
    int strokes = (int)((place.width + place.height) / DUET_HATCH_STEP) + 1;
    for (int i = 0; i < strokes; i++) {
        double at = place.x - place.height + DUET_HATCH_STEP * i;
        cairo_move_to(cr, at, place.y + place.height);
        cairo_line_to(cr, at + place.height, place.y);
    }
    cairo_stroke(cr);
    cairo_rectangle(cr, place.x, place.y, place.width, place.height);
    cairo_set_line_width(cr, 2); // half of it is clipped
    cairo_stroke(cr);
    cairo_restore(cr);
}

static void line(duet_canvas *canvas, const duet_stroke *stroke, double x0, double y0, double x1,
                 double y1)
{
    cairo_t *cr = use(canvas, stroke->colour, stroke->opacity);
    cairo_set_line_width(cr, stroke->width);
    cairo_set_dash(cr, DUET_DASHES[stroke->dash], stroke->dash == DUET_DASH_NONE ? 0 : 2, 0);
    cairo_move_to(cr, x0, y0);
    cairo_line_to(cr, x1, y1);
    cairo_stroke(cr);
}

static void text(duet_canvas *canvas, const duet_letters *letters, double x, double y,
                 duet_gantt_align align, const char *words)
{
    cairo_t *cr = use(canvas, letters->colour, 1);
    cairo_select_font_face(cr, "sans-serif", CAIRO_FONT_SLANT_NORMAL,
                           letters->bold ? CAIRO_FONT_WEIGHT_BOLD : CAIRO_FONT_WEIGHT_NORMAL);
    cairo_set_font_size(cr, letters->size);
    if (align != DUET_ALIGN_LEFT) {
        cairo_text_extents_t extents;
        cairo_text_extents(cr, words, &extents);
        x -= align == DUET_ALIGN_RIGHT ? extents.x_advance : extents.x_advance / 2;
    }
    cairo_move_to(cr, x, y);
    cairo_show_text(cr, words);
}

static const duet_canvas_methods methods = {rectangle, begin, add, end, hatch, line, text};

static cairo_status_t write_bytes(void *stream, const unsigned char *data, unsigned int length)
{
    return fwrite(data, 1, length, stream) == length ? CAIRO_STATUS_SUCCESS
                                                     : CAIRO_STATUS_WRITE_ERROR;
}

static duet_code cairo_failed(const char *path, cairo_status_t status, duet_error *error)
{
    if (status == CAIRO_STATUS_NO_MEMORY) {
        return duet_error_set(error, DUET_E_MEMORY, "out of memory while drawing");
    }
    return duet_error_set_at(error, DUET_E_OUTPUT, path, 0, 0, "cannot write: %s",
                             cairo_status_to_string(status));
}

static cairo_t *context_on(cairo_surface_t *surface, double scale)
{
    cairo_t *cr = cairo_create(surface);
    cairo_font_options_t *options = cairo_font_options_create();
    // Letters are placed alike whatever the surface.
    cairo_font_options_set_hint_style(options, CAIRO_HINT_STYLE_NONE);
    cairo_font_options_set_hint_metrics(options, CAIRO_HINT_METRICS_OFF);
    cairo_set_font_options(cr, options);
    cairo_font_options_destroy(options);
    cairo_scale(cr, scale, scale);
    return cr;
}

static cairo_surface_t *surface_for(const duet_gantt *gantt, bool png, double scale, FILE *stream)
{
    if (png) {
        return cairo_image_surface_create(
            gantt->transparent ? CAIRO_FORMAT_ARGB32 : CAIRO_FORMAT_RGB24,
            (int)lround(gantt->width * scale), (int)lround(gantt->height * scale));
    }
    cairo_surface_t *surface = cairo_pdf_surface_create_for_stream(
        write_bytes, stream, gantt->width * scale, gantt->height * scale);
    cairo_pdf_surface_set_metadata(surface, CAIRO_PDF_METADATA_CREATOR, "duet");
    cairo_pdf_surface_set_metadata(surface, CAIRO_PDF_METADATA_TITLE, gantt->title);
    return surface;
}

bool duet_gantt_has_raster(void)
{
    return true;
}

duet_code duet_gantt_raster(const duet_gantt *gantt, const char *path, FILE *stream,
                            duet_error *error)
{
    bool png = duet_path_ends(path, ".png");
    double scale = png ? (gantt->sized ? gantt->scale : PNG_SCALE) : PDF_SCALE * gantt->scale;
    cairo_surface_t *surface = surface_for(gantt, png, scale, stream);
    cairo_canvas own = {{&methods}, context_on(surface, scale)};
    if (!gantt->transparent) {
        use(&own.canvas, gantt->theme->page, 1);
        cairo_paint(own.cr);
    }
    duet_gantt_draw(&own.canvas, gantt);
    cairo_status_t status = cairo_status(own.cr);
    cairo_destroy(own.cr);
    if (png && status == CAIRO_STATUS_SUCCESS) {
        status = cairo_surface_write_to_png_stream(surface, write_bytes, stream);
    }
    cairo_surface_finish(surface);
    if (status == CAIRO_STATUS_SUCCESS) {
        status = cairo_surface_status(surface);
    }
    cairo_surface_destroy(surface);
    return status == CAIRO_STATUS_SUCCESS ? DUET_OK : cairo_failed(path, status, error);
}
