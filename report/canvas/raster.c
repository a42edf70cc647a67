// SPDX-License-Identifier: Apache-2.0
// PNG and PDF through cairo; a build without it (DUET_WITH_CAIRO=OFF) draws SVG alone.
#include "report/canvas/drawers.h"

#ifndef DUET_WITH_CAIRO

duet_code duet_raster_can_draw(const char *path, duet_error *error)
{
    return duet_error_set_at(error, DUET_E_UNSUPPORTED, path, 0, 0,
                             "this build draws SVG alone, it was configured with "
                             "-DDUET_WITH_CAIRO=OFF: expected a name ending in .svg");
}

duet_code duet_raster_draw(const duet_canvas_page *page, const char *path, FILE *stream,
                           duet_error *error)
{
    (void)page;
    (void)stream;
    return duet_raster_can_draw(path, error);
}

#else

#include <math.h>

#include "core/system/path.h"
#include "core/system/try.h"
#include "report/canvas/cairo.h"

// Dots per unit of a PNG of the usual size, for screens with fine dots; and points per pixel of a
// PDF.
static const double PNG_SCALE = 2.0;
static const double PDF_SCALE = 0.6;

static const double TURN = 6.283185307179586;

typedef struct cairo_canvas {
    duet_canvas canvas;
    const duet_cairo *cairo;
    cairo_t *cr;
} cairo_canvas;

static cairo_canvas *use(duet_canvas *canvas, duet_colour colour, double opacity)
{
    cairo_canvas *c = (cairo_canvas *)canvas;
    c->cairo->set_source_rgba(c->cr, colour.r, colour.g, colour.b, opacity);
    return c;
}

static void rectangle(duet_canvas *canvas, duet_colour fill, duet_rect place, const char *title)
{
    (void)title;
    cairo_canvas *c = use(canvas, fill, 1);
    c->cairo->rectangle(c->cr, place.x, place.y, place.width, place.height);
    c->cairo->fill(c->cr);
}

static void begin(duet_canvas *canvas, duet_colour fill)
{
    use(canvas, fill, 1);
}

static void add(duet_canvas *canvas, duet_rect place)
{
    cairo_canvas *c = (cairo_canvas *)canvas;
    c->cairo->rectangle(c->cr, place.x, place.y, place.width, place.height);
}

static void end(duet_canvas *canvas)
{
    cairo_canvas *c = (cairo_canvas *)canvas;
    c->cairo->fill(c->cr);
}

static void hatch(duet_canvas *canvas, duet_colour colour, duet_rect place, const char *title)
{
    (void)title;
    cairo_canvas *c = use(canvas, colour, 1);
    const duet_cairo *cairo = c->cairo;
    cairo->save(c->cr);
    cairo->rectangle(c->cr, place.x, place.y, place.width, place.height);
    cairo->clip(c->cr);
    cairo->set_line_width(c->cr, DUET_HATCH_WIDTH);
    int strokes = (int)((place.width + place.height) / DUET_HATCH_STEP) + 1;
    for (int i = 0; i < strokes; i++) {
        double at = place.x - place.height + DUET_HATCH_STEP * i;
        cairo->move_to(c->cr, at, place.y + place.height);
        cairo->line_to(c->cr, at + place.height, place.y);
    }
    cairo->stroke(c->cr);
    cairo->rectangle(c->cr, place.x, place.y, place.width, place.height);
    cairo->set_line_width(c->cr, 2); // half of it is clipped
    cairo->stroke(c->cr);
    cairo->restore(c->cr);
}

static void add_points(const cairo_canvas *c, const duet_point *points, size_t count)
{
    c->cairo->move_to(c->cr, points[0].x, points[0].y);
    for (size_t i = 1; i < count; i++) {
        c->cairo->line_to(c->cr, points[i].x, points[i].y);
    }
}

static void draw_path(duet_canvas *canvas, const duet_stroke *stroke, const duet_point *points,
                      size_t count, int join)
{
    cairo_canvas *c = use(canvas, stroke->colour, stroke->opacity);
    const duet_dash_lengths *dash = &duet_dashes[stroke->dash];
    c->cairo->set_line_width(c->cr, stroke->width);
    c->cairo->set_line_join(c->cr, join);
    c->cairo->set_dash(c->cr, dash->length, (int)dash->count, 0);
    add_points(c, points, count);
    c->cairo->stroke(c->cr);
}

static void line(duet_canvas *canvas, const duet_stroke *stroke, double x0, double y0, double x1,
                 double y1)
{
    draw_path(canvas, stroke, (const duet_point[]){{x0, y0}, {x1, y1}}, 2, CAIRO_LINE_JOIN_MITER);
}

static void path(duet_canvas *canvas, const duet_stroke *stroke, const duet_point *points,
                 size_t count)
{
    draw_path(canvas, stroke, points, count, CAIRO_LINE_JOIN_ROUND);
}

static void polygon(duet_canvas *canvas, duet_colour fill, const duet_point *points, size_t count)
{
    cairo_canvas *c = use(canvas, fill, 1);
    add_points(c, points, count);
    c->cairo->close_path(c->cr);
    c->cairo->fill(c->cr);
}

static void circle(duet_canvas *canvas, duet_colour fill, duet_point centre, double radius)
{
    cairo_canvas *c = use(canvas, fill, 1);
    c->cairo->new_path(c->cr);
    c->cairo->arc(c->cr, centre.x, centre.y, radius, 0, TURN);
    c->cairo->fill(c->cr);
}

// Neither format has titles of its parts.
static void group(duet_canvas *canvas, const char *title)
{
    (void)canvas;
    (void)title;
}

static void text(duet_canvas *canvas, const duet_letters *letters, double x, double y,
                 duet_align align, const char *words)
{
    cairo_canvas *c = use(canvas, letters->colour, 1);
    const duet_cairo *cairo = c->cairo;
    double back = 0;
    cairo->select_font_face(c->cr, "sans-serif", CAIRO_FONT_SLANT_NORMAL,
                            letters->bold ? CAIRO_FONT_WEIGHT_BOLD : CAIRO_FONT_WEIGHT_NORMAL);
    cairo->set_font_size(c->cr, letters->size);
    if (align != DUET_ALIGN_LEFT) {
        cairo_text_extents_t extents;
        cairo->text_extents(c->cr, words, &extents);
        back = align == DUET_ALIGN_RIGHT ? extents.x_advance : extents.x_advance / 2;
    }
    cairo->save(c->cr);
    cairo->translate(c->cr, x, y);
    if (align == DUET_ALIGN_UPWARDS) {
        cairo->rotate(c->cr, -TURN / 4);
    }
    cairo->move_to(c->cr, -back, 0);
    cairo->show_text(c->cr, words);
    cairo->restore(c->cr);
    cairo->new_path(c->cr);
}

static const duet_canvas_methods methods = {rectangle, begin,   add,    end,   hatch, line,
                                            path,      polygon, circle, group, text};

static int write_bytes(void *stream, const unsigned char *data, unsigned int length)
{
    return fwrite(data, 1, length, stream) == length ? CAIRO_STATUS_SUCCESS
                                                     : CAIRO_STATUS_WRITE_ERROR;
}

static cairo_t *context_on(const duet_cairo *cairo, cairo_surface_t *surface, double scale)
{
    cairo_t *cr = cairo->create(surface);
    cairo_font_options_t *options = cairo->font_options_create();
    // Letters are placed alike whatever the surface.
    cairo->font_options_set_hint_style(options, CAIRO_HINT_STYLE_NONE);
    cairo->font_options_set_hint_metrics(options, CAIRO_HINT_METRICS_OFF);
    cairo->set_font_options(cr, options);
    cairo->font_options_destroy(options);
    cairo->scale(cr, scale, scale);
    return cr;
}

// What a picture is drawn into.
typedef struct target {
    bool png;
    double scale;
    FILE *stream;
} target;

static cairo_surface_t *surface_for(const duet_cairo *cairo, const duet_canvas_page *page,
                                    const target *to)
{
    double width = page->width * to->scale;
    double height = page->height * to->scale;
    if (to->png) {
        return cairo->image_surface_create(page->ground == NULL ? CAIRO_FORMAT_ARGB32
                                                                : CAIRO_FORMAT_RGB24,
                                           (int)lround(width), (int)lround(height));
    }
    cairo_surface_t *surface =
        cairo->pdf_surface_create_for_stream(write_bytes, to->stream, width, height);
    cairo->pdf_surface_set_metadata(surface, CAIRO_PDF_METADATA_CREATOR, "duet");
    cairo->pdf_surface_set_metadata(surface, CAIRO_PDF_METADATA_TITLE, page->title);
    // No date: the same picture is the same file.
    cairo->pdf_surface_set_metadata(surface, CAIRO_PDF_METADATA_CREATE_DATE, "");
    return surface;
}

// Returns cairo's status.
static int draw(const duet_cairo *cairo, const duet_canvas_page *page, const target *to)
{
    cairo_surface_t *surface = surface_for(cairo, page, to);
    cairo_canvas own = {{&methods}, cairo, context_on(cairo, surface, to->scale)};
    if (page->ground != NULL) {
        use(&own.canvas, *page->ground, 1);
        cairo->paint(own.cr);
    }
    page->draw(&own.canvas, page->picture);
    int status = cairo->status(own.cr);
    cairo->destroy(own.cr);
    if (to->png && status == CAIRO_STATUS_SUCCESS) {
        status = cairo->surface_write_to_png_stream(surface, write_bytes, to->stream);
    }
    cairo->surface_finish(surface);
    if (status == CAIRO_STATUS_SUCCESS) {
        status = cairo->surface_status(surface);
    }
    cairo->surface_destroy(surface);
    return status;
}

duet_code duet_raster_can_draw(const char *path, duet_error *error)
{
    duet_cairo cairo;
    return duet_cairo_open(&cairo, path, error);
}

duet_code duet_raster_draw(const duet_canvas_page *page, const char *path, FILE *stream,
                           duet_error *error)
{
    duet_cairo cairo;
    DUET_TRY(duet_cairo_open(&cairo, path, error));
    bool png = duet_path_ends(path, ".png");
    double usual = png ? (page->sized ? 1 : PNG_SCALE) : PDF_SCALE;
    const target to = {png, usual * page->scale, stream};
    int status = draw(&cairo, page, &to);
    if (status == CAIRO_STATUS_NO_MEMORY) {
        return duet_error_set(error, DUET_E_MEMORY, "out of memory while drawing");
    }
    return status == CAIRO_STATUS_SUCCESS
               ? DUET_OK
               : duet_error_set_at(error, DUET_E_OUTPUT, path, 0, 0, "cannot write: %s",
                                   cairo.status_to_string(status));
}

#endif
