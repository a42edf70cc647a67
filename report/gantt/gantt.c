// SPDX-License-Identifier: Apache-2.0
// Pictures of a schedule: prepares what is drawn and writes it as SVG, PNG or PDF.
#include <cairo-pdf.h>
#include <cairo-svg.h>
#include <cairo.h>
#include <math.h>

#include <duet/report.h>

#include "core/output.h"
#include "report/gantt/draw.h"

typedef enum picture { PICTURE_NONE, PICTURE_SVG, PICTURE_PNG, PICTURE_PDF } picture;

// Dots per unit of a PNG, for screens with fine dots; and points per unit of a PDF.
static const double PNG_SCALE = 2.0;
static const double PDF_SCALE = 0.6;

static picture picture_of(const char *path)
{
    return duet_path_ends(path, ".svg")   ? PICTURE_SVG
           : duet_path_ends(path, ".png") ? PICTURE_PNG
           : duet_path_ends(path, ".pdf") ? PICTURE_PDF
                                          : PICTURE_NONE;
}

// Writes an SVG without the number cairo puts into the id of its outermost group: it counts all
// surfaces of the process, and the same schedule should give the same bytes. Nothing refers to it.
typedef struct svg_filter {
    FILE *stream;
    size_t matched; // characters of the id seen so far
} svg_filter;

static cairo_status_t write_svg(void *closure, const unsigned char *data, unsigned int length)
{
    static const char id[] = "id=\"surface";
    svg_filter *filter = closure;
    for (unsigned int i = 0; i < length; i++) {
        int c = data[i];
        if (id[filter->matched] == '\0') {
            if (c >= '0' && c <= '9') {
                continue;
            }
            filter->matched = 0;
        }
        filter->matched = c == id[filter->matched] ? filter->matched + 1 : c == id[0] ? 1 : 0;
        if (putc(c, filter->stream) == EOF) {
            return CAIRO_STATUS_WRITE_ERROR;
        }
    }
    return CAIRO_STATUS_SUCCESS;
}

static cairo_status_t write_bytes(void *stream, const unsigned char *data, unsigned int length)
{
    return fwrite(data, 1, length, stream) == length ? CAIRO_STATUS_SUCCESS
                                                     : CAIRO_STATUS_WRITE_ERROR;
}

static duet_code cairo_failed(const duet_output *output, cairo_status_t status, duet_error *error)
{
    if (status == CAIRO_STATUS_NO_MEMORY) {
        return duet_error_set(error, DUET_E_MEMORY, "out of memory while drawing");
    }
    return duet_error_set_at(error, DUET_E_OUTPUT, output->target, 0, 0, "cannot write: %s",
                             cairo_status_to_string(status));
}

static cairo_t *context_on(cairo_surface_t *surface, double scale)
{
    cairo_t *cr = cairo_create(surface);
    cairo_font_options_t *options = cairo_font_options_create();
    // Letters are placed alike whatever the surface, so that a page measures as it prints.
    cairo_font_options_set_hint_style(options, CAIRO_HINT_STYLE_NONE);
    cairo_font_options_set_hint_metrics(options, CAIRO_HINT_METRICS_OFF);
    cairo_set_font_options(cr, options);
    cairo_font_options_destroy(options);
    cairo_scale(cr, scale, scale);
    return cr;
}

// The height of the page, found by drawing it on a surface that keeps nothing.
static double page_height(const duet_gantt *gantt)
{
    cairo_surface_t *surface = cairo_image_surface_create(CAIRO_FORMAT_A8, 1, 1);
    cairo_t *cr = context_on(surface, 1);
    double height = duet_gantt_draw(cr, gantt);
    cairo_destroy(cr);
    cairo_surface_destroy(surface);
    return ceil(height);
}

static cairo_surface_t *surface_for(picture kind, svg_filter *filter, double width, double height)
{
    cairo_surface_t *surface;
    if (kind == PICTURE_PNG) {
        return cairo_image_surface_create(CAIRO_FORMAT_RGB24, (int)(width * PNG_SCALE),
                                          (int)(height * PNG_SCALE));
    }
    if (kind == PICTURE_SVG) {
        surface = cairo_svg_surface_create_for_stream(write_svg, filter, width, height);
        cairo_svg_surface_set_document_unit(surface, CAIRO_SVG_UNIT_PX);
        return surface;
    }
    surface = cairo_pdf_surface_create_for_stream(write_bytes, filter->stream, width * PDF_SCALE,
                                                  height * PDF_SCALE);
    cairo_pdf_surface_set_metadata(surface, CAIRO_PDF_METADATA_CREATOR, "duet");
    return surface;
}

static duet_code draw_to(const duet_gantt *gantt, picture kind, duet_output *output,
                         duet_error *error)
{
    double scale = kind == PICTURE_PNG ? PNG_SCALE : kind == PICTURE_PDF ? PDF_SCALE : 1;
    double height = page_height(gantt);
    svg_filter filter = {output->stream, 0};
    cairo_surface_t *surface = surface_for(kind, &filter, gantt->layout.width, height);
    cairo_t *cr = context_on(surface, scale);
    duet_gantt_draw(cr, gantt);
    cairo_status_t status = cairo_status(cr);
    cairo_destroy(cr);
    if (kind == PICTURE_PNG && status == CAIRO_STATUS_SUCCESS) {
        status = cairo_surface_write_to_png_stream(surface, write_bytes, output->stream);
    }
    cairo_surface_finish(surface);
    if (status == CAIRO_STATUS_SUCCESS) {
        status = cairo_surface_status(surface);
    }
    cairo_surface_destroy(surface);
    return status == CAIRO_STATUS_SUCCESS ? DUET_OK : cairo_failed(output, status, error);
}

static void release(duet_gantt *gantt)
{
    duet_gantt_marks_free(&gantt->marks);
    duet_gantt_layout_free(&gantt->layout);
    duet_gantt_classes_free(&gantt->classes);
    duet_intervals_free(&gantt->intervals);
}

static duet_code prepare(duet_gantt *gantt, duet_error *error)
{
    duet_code code =
        duet_intervals_collect(gantt->instance, gantt->solution, &gantt->intervals, error);
    int64_t horizon = gantt->intervals.end;
    horizon = gantt->solution->makespan > horizon ? gantt->solution->makespan : horizon;
    if (code == DUET_OK) {
        code = duet_gantt_layout_create(gantt->instance, &gantt->intervals, horizon, &gantt->layout,
                                        error);
    }
    if (code == DUET_OK) {
        code =
            duet_gantt_classes_create(gantt->instance, &gantt->intervals, &gantt->classes, error);
    }
    if (code == DUET_OK) {
        code = duet_gantt_marks_create(&gantt->layout, &gantt->classes, &gantt->intervals,
                                       &gantt->marks, error);
    }
    return code;
}

duet_code duet_write_gantt(const char *path, const duet_instance *instance,
                           const duet_solution *solution, duet_error *error)
{
    picture kind = picture_of(path);
    if (kind == PICTURE_NONE) {
        return duet_error_set(error, DUET_E_USAGE,
                              "'%s': unknown kind of picture; expected a name ending in .svg, .png "
                              "or .pdf",
                              path);
    }
    duet_gantt gantt = {.instance = instance, .solution = solution};
    duet_output output;
    duet_code code = prepare(&gantt, error);
    if (code == DUET_OK) {
        code = duet_output_open(&output, path, error);
    }
    if (code == DUET_OK) {
        code = draw_to(&gantt, kind, &output, error);
        if (code == DUET_OK) {
            code = duet_output_commit(&output, error);
        } else {
            duet_output_abandon(&output);
        }
    }
    release(&gantt);
    return code;
}
