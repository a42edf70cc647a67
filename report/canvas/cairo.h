// SPDX-License-Identifier: Apache-2.0
// The functions of cairo that PNG and PDF take, opened when they are needed: so the library depends
// on none of what cairo brings (X11, fonts), and draws SVG where it is not.
//
// cairo's headers are not needed to build. What is declared here is the binary interface of
// libcairo.so.2: handles are pointers to what cairo alone looks into, enums are ints, and the
// values of enums never change. All of it is there since cairo 1.16 (2018).
#ifndef DUET_REPORT_CANVAS_CAIRO_H
#define DUET_REPORT_CANVAS_CAIRO_H

#include <duet/error.h>

typedef struct duet_cairo_context cairo_t;
typedef struct duet_cairo_surface cairo_surface_t;
typedef struct duet_cairo_font_options cairo_font_options_t;

// Values of cairo's enums.
enum { CAIRO_STATUS_SUCCESS = 0, CAIRO_STATUS_NO_MEMORY = 1, CAIRO_STATUS_WRITE_ERROR = 11 };
enum { CAIRO_FORMAT_ARGB32 = 0, CAIRO_FORMAT_RGB24 = 1 };
enum { CAIRO_FONT_SLANT_NORMAL = 0 };
enum { CAIRO_FONT_WEIGHT_NORMAL = 0, CAIRO_FONT_WEIGHT_BOLD = 1 };
enum { CAIRO_HINT_STYLE_NONE = 1, CAIRO_HINT_METRICS_OFF = 1 };
enum { CAIRO_LINE_JOIN_MITER = 0, CAIRO_LINE_JOIN_ROUND = 1 };
enum {
    CAIRO_PDF_METADATA_TITLE = 0,
    CAIRO_PDF_METADATA_CREATOR = 4,
    CAIRO_PDF_METADATA_CREATE_DATE = 5
};

typedef struct cairo_text_extents {
    double x_bearing, y_bearing, width, height, x_advance, y_advance;
} cairo_text_extents_t;

// Returns a status.
typedef int (*cairo_write_func_t)(void *closure, const unsigned char *data, unsigned int length);

// Each is cairo's function of that name with "cairo_" in front.
typedef struct duet_cairo {
    cairo_t *(*create)(cairo_surface_t *target);
    void (*destroy)(cairo_t *cr);
    int (*status)(cairo_t *cr);
    const char *(*status_to_string)(int status);
    void (*save)(cairo_t *cr);
    void (*restore)(cairo_t *cr);
    void (*scale)(cairo_t *cr, double x, double y);
    void (*translate)(cairo_t *cr, double x, double y);
    void (*rotate)(cairo_t *cr, double radians);
    void (*set_source_rgba)(cairo_t *cr, double red, double green, double blue, double alpha);
    void (*set_line_width)(cairo_t *cr, double width);
    void (*set_line_join)(cairo_t *cr, int join);
    void (*set_dash)(cairo_t *cr, const double *lengths, int count, double offset);
    void (*move_to)(cairo_t *cr, double x, double y);
    void (*line_to)(cairo_t *cr, double x, double y);
    void (*close_path)(cairo_t *cr);
    void (*new_path)(cairo_t *cr);
    void (*rectangle)(cairo_t *cr, double x, double y, double width, double height);
    void (*arc)(cairo_t *cr, double x, double y, double radius, double from, double to);
    void (*clip)(cairo_t *cr);
    void (*fill)(cairo_t *cr);
    void (*paint)(cairo_t *cr);
    void (*stroke)(cairo_t *cr);
    void (*select_font_face)(cairo_t *cr, const char *family, int slant, int weight);
    void (*set_font_size)(cairo_t *cr, double size);
    void (*text_extents)(cairo_t *cr, const char *text, cairo_text_extents_t *extents);
    void (*show_text)(cairo_t *cr, const char *text);
    cairo_font_options_t *(*font_options_create)(void);
    void (*font_options_destroy)(cairo_font_options_t *options);
    void (*font_options_set_hint_style)(cairo_font_options_t *options, int style);
    void (*font_options_set_hint_metrics)(cairo_font_options_t *options, int metrics);
    void (*set_font_options)(cairo_t *cr, const cairo_font_options_t *options);
    cairo_surface_t *(*image_surface_create)(int format, int width, int height);
    int (*surface_write_to_png_stream)(cairo_surface_t *surface, cairo_write_func_t write,
                                       void *closure);
    cairo_surface_t *(*pdf_surface_create_for_stream)(cairo_write_func_t write, void *closure,
                                                      double width, double height);
    void (*pdf_surface_set_metadata)(cairo_surface_t *surface, int metadata, const char *text);
    void (*surface_finish)(cairo_surface_t *surface);
    int (*surface_status)(cairo_surface_t *surface);
    void (*surface_destroy)(cairo_surface_t *surface);
} duet_cairo;

// Opens cairo for as long as the process runs. DUET_E_UNSUPPORTED where it is not there, in the
// words of the system's loader, with the package that brings it; the error names `path`.
// DUET_E_MEMORY where it does not fit.
duet_code duet_cairo_open(duet_cairo *cairo, const char *path, duet_error *error);

#endif
