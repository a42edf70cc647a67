// SPDX-License-Identifier: Apache-2.0
// SVG 1.1. Shapes and texts that look alike and follow each other share a group with their
// attributes, which keeps files small.
#include "report/canvas/drawers.h"

#include <math.h>
#include <string.h>

enum { STYLE = 160 };

typedef struct svg_canvas {
    duet_canvas canvas;
    FILE *stream;
    char style[STYLE]; // attributes of the group that is open; "": none is
    bool titled;       // a group with a title is open around it
} svg_canvas;

// Two digits behind the point, whatever the locale.
static void put_number(FILE *stream, double value)
{
    long long hundredths = llround(value * 100);
    long long size = hundredths < 0 ? -hundredths : hundredths;
    fprintf(stream, "%s%lld", hundredths < 0 ? "-" : "", size / 100);
    if (size % 10 != 0) {
        fprintf(stream, ".%02lld", size % 100);
    } else if (size % 100 != 0) {
        fprintf(stream, ".%lld", size % 100 / 10);
    }
}

static void put_attribute(FILE *stream, const char *name, double value)
{
    fprintf(stream, " %s=\"", name);
    put_number(stream, value);
    fputc('"', stream);
}

static void put_text(FILE *stream, const char *text)
{
    for (const char *at = text; *at != '\0'; at++) {
        switch (*at) {
        case '<':
            fputs("&lt;", stream);
            break;
        case '>':
            fputs("&gt;", stream);
            break;
        case '&':
            fputs("&amp;", stream);
            break;
        case '"':
            fputs("&quot;", stream);
            break;
        default:
            fputc(*at, stream);
        }
    }
}

// Opens a group with these attributes, unless it is open.
static void use_style(svg_canvas *svg, const char *style)
{
    if (strcmp(style, svg->style) == 0) {
        return;
    }
    if (svg->style[0] != '\0') {
        fputs("</g>\n", svg->stream);
    }
    if (style[0] != '\0') {
        fprintf(svg->stream, "<g %s>\n", style);
    }
    snprintf(svg->style, sizeof svg->style, "%s", style);
}

static void use_fill(svg_canvas *svg, duet_colour fill)
{
    char style[STYLE];
    char hex[8];
    snprintf(style, sizeof style, "fill=\"%s\"", duet_colour_hex(fill, hex));
    use_style(svg, style);
}

static void put_rect(FILE *stream, duet_rect place, const char *title)
{
    fputs("<rect", stream);
    put_attribute(stream, "x", place.x);
    put_attribute(stream, "y", place.y);
    put_attribute(stream, "width", place.width);
    put_attribute(stream, "height", place.height);
    if (title == NULL) {
        fputs("/>\n", stream);
        return;
    }
    fputs("><title>", stream);
    put_text(stream, title);
    fputs("</title></rect>\n", stream);
}

static void rectangle(duet_canvas *canvas, duet_colour fill, duet_rect place, const char *title)
{
    svg_canvas *svg = (svg_canvas *)canvas;
    use_fill(svg, fill);
    put_rect(svg->stream, place, title);
}

static void begin(duet_canvas *canvas, duet_colour fill)
{
    svg_canvas *svg = (svg_canvas *)canvas;
    use_fill(svg, fill);
    fputs("<path d=\"", svg->stream);
}

static void add(duet_canvas *canvas, duet_rect place)
{
    FILE *stream = ((svg_canvas *)canvas)->stream;
    fputc('M', stream);
    put_number(stream, place.x);
    fputc(' ', stream);
    put_number(stream, place.y);
    fputc('h', stream);
    put_number(stream, place.width);
    fputc('v', stream);
    put_number(stream, place.height);
    fputc('H', stream);
    put_number(stream, place.x);
    fputc('z', stream);
}

static void end(duet_canvas *canvas)
{
    fputs("\"/>\n", ((svg_canvas *)canvas)->stream);
}

static void hatch(duet_canvas *canvas, duet_colour colour, duet_rect place, const char *title)
{
    svg_canvas *svg = (svg_canvas *)canvas;
    char style[STYLE];
    char hex[8];
    snprintf(style, sizeof style, "fill=\"url(#hatch)\" stroke=\"%s\" stroke-width=\"1\"",
             duet_colour_hex(colour, hex));
    use_style(svg, style);
    // The outline is within the rectangle.
    double inset = fmin(0.5, fmin(place.width, place.height) / 2);
    put_rect(svg->stream,
             (duet_rect){place.x + inset, place.y + inset, place.width - 2 * inset,
                         place.height - 2 * inset},
             title);
}

static void use_stroke(svg_canvas *svg, const duet_stroke *stroke, const char *more)
{
    char style[STYLE];
    char hex[8];
    int tenths = (int)lround(stroke->width * 10);
    int used = snprintf(style, sizeof style, "stroke=\"%s\" stroke-width=\"%d.%d\"%s",
                        duet_colour_hex(stroke->colour, hex), tenths / 10, tenths % 10, more);
    const duet_dash_lengths *dash = &duet_dashes[stroke->dash];
    for (size_t i = 0; i < dash->count; i++) {
        used += snprintf(style + used, sizeof style - (size_t)used, "%s%d%s",
                         i == 0 ? " stroke-dasharray=\"" : " ", (int)dash->length[i],
                         i + 1 == dash->count ? "\"" : "");
    }
    if (stroke->opacity < 1) {
        snprintf(style + used, sizeof style - (size_t)used, " stroke-opacity=\".%02d\"",
                 (int)lround(stroke->opacity * 100));
    }
    use_style(svg, style);
}

static void put_points(FILE *stream, const duet_point *points, size_t count)
{
    for (size_t i = 0; i < count; i++) {
        fputc(i == 0 ? 'M' : 'L', stream);
        put_number(stream, points[i].x);
        fputc(' ', stream);
        put_number(stream, points[i].y);
    }
}

static void line(duet_canvas *canvas, const duet_stroke *stroke, double x0, double y0, double x1,
                 double y1)
{
    svg_canvas *svg = (svg_canvas *)canvas;
    use_stroke(svg, stroke, "");
    fputs("<path d=\"", svg->stream);
    put_points(svg->stream, (const duet_point[]){{x0, y0}, {x1, y1}}, 2);
    fputs("\"/>\n", svg->stream);
}

static void path(duet_canvas *canvas, const duet_stroke *stroke, const duet_point *points,
                 size_t count)
{
    svg_canvas *svg = (svg_canvas *)canvas;
    use_stroke(svg, stroke, " fill=\"none\" stroke-linejoin=\"round\"");
    fputs("<path d=\"", svg->stream);
    put_points(svg->stream, points, count);
    fputs("\"/>\n", svg->stream);
}

static void polygon(duet_canvas *canvas, duet_colour fill, const duet_point *points, size_t count)
{
    svg_canvas *svg = (svg_canvas *)canvas;
    use_fill(svg, fill);
    fputs("<path d=\"", svg->stream);
    put_points(svg->stream, points, count);
    fputs("z\"/>\n", svg->stream);
}

static void circle(duet_canvas *canvas, duet_colour fill, duet_point centre, double radius)
{
    svg_canvas *svg = (svg_canvas *)canvas;
    use_fill(svg, fill);
    fputs("<circle", svg->stream);
    put_attribute(svg->stream, "cx", centre.x);
    put_attribute(svg->stream, "cy", centre.y);
    put_attribute(svg->stream, "r", radius);
    fputs("/>\n", svg->stream);
}

static void group(duet_canvas *canvas, const char *title)
{
    svg_canvas *svg = (svg_canvas *)canvas;
    use_style(svg, "");
    if (svg->titled) {
        fputs("</g>\n", svg->stream);
    }
    svg->titled = title != NULL;
    if (svg->titled) {
        fputs("<g><title>", svg->stream);
        put_text(svg->stream, title);
        fputs("</title>\n", svg->stream);
    }
}

static void text(duet_canvas *canvas, const duet_letters *letters, double x, double y,
                 duet_align align, const char *words)
{
    static const char *const anchors[] = {"start", "middle", "end", "middle"};
    svg_canvas *svg = (svg_canvas *)canvas;
    char style[STYLE];
    char hex[8];
    int hundredths = (int)lround(letters->size * 100);
    snprintf(style, sizeof style, "fill=\"%s\" font-size=\"%d.%02d\" text-anchor=\"%s\"%s",
             duet_colour_hex(letters->colour, hex), hundredths / 100, hundredths % 100,
             anchors[align], letters->bold ? " font-weight=\"bold\"" : "");
    use_style(svg, style);
    fputs("<text", svg->stream);
    put_attribute(svg->stream, "x", x);
    put_attribute(svg->stream, "y", y);
    if (align == DUET_ALIGN_UPWARDS) {
        fputs(" transform=\"rotate(-90 ", svg->stream);
        put_number(svg->stream, x);
        fputc(' ', svg->stream);
        put_number(svg->stream, y);
        fputs(")\"", svg->stream);
    }
    fputc('>', svg->stream);
    put_text(svg->stream, words);
    fputs("</text>\n", svg->stream);
}

static const duet_canvas_methods methods = {rectangle, begin,   add,    end,   hatch, line,
                                            path,      polygon, circle, group, text};

// The pattern that hatched rectangles are filled with.
static void put_hatch(FILE *stream, duet_colour colour)
{
    char hex[8];
    fputs("<defs><pattern id=\"hatch\" patternUnits=\"userSpaceOnUse\"", stream);
    put_attribute(stream, "width", DUET_HATCH_STEP);
    put_attribute(stream, "height", DUET_HATCH_STEP);
    fprintf(stream, "><path d=\"M-1 1L1 -1M0 %d L%d 0M%d %d L%d %d\" stroke=\"%s\"",
            (int)DUET_HATCH_STEP, (int)DUET_HATCH_STEP, (int)DUET_HATCH_STEP - 1,
            (int)DUET_HATCH_STEP + 1, (int)DUET_HATCH_STEP + 1, (int)DUET_HATCH_STEP - 1,
            duet_colour_hex(colour, hex));
    put_attribute(stream, "stroke-width", DUET_HATCH_WIDTH);
    fputs("/></pattern></defs>\n", stream);
}

static void put_head(FILE *stream, const duet_canvas_page *page)
{
    fputs("<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n"
          "<svg xmlns=\"http://www.w3.org/2000/svg\"",
          stream);
    put_attribute(stream, "width", page->width * page->scale);
    put_attribute(stream, "height", page->height * page->scale);
    fputs(" viewBox=\"0 0 ", stream);
    put_number(stream, page->width);
    fputc(' ', stream);
    put_number(stream, page->height);
    fputs("\" role=\"graphics-document\" font-family=\"Arial, 'Liberation Sans', Helvetica, "
          "'DejaVu Sans', sans-serif\">\n<title>",
          stream);
    put_text(stream, page->title);
    fputs("</title>\n<desc>", stream);
    put_text(stream, page->text);
    fputs("</desc>\n", stream);
    if (page->hatch != NULL) {
        put_hatch(stream, *page->hatch);
    }
    if (page->ground != NULL) {
        char hex[8];
        fprintf(stream, "<rect width=\"100%%\" height=\"100%%\" fill=\"%s\"/>\n",
                duet_colour_hex(*page->ground, hex));
    }
}

void duet_svg_draw(const duet_canvas_page *page, FILE *stream)
{
    svg_canvas svg = {.canvas = {&methods}, .stream = stream};
    put_head(stream, page);
    page->draw(&svg.canvas, page->picture);
    group(&svg.canvas, NULL);
    fputs("</svg>\n", stream);
}
