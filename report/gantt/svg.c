// SPDX-License-Identifier: Apache-2.0
// SVG 1.1. Shapes and texts that look alike and follow each other share a group with their
// attributes, which keeps files small.
#include "report/gantt/svg.h"

#include <math.h>
#include <string.h>

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
static void use_style(duet_svg *svg, const char *style)
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

static void use_fill(duet_svg *svg, duet_colour fill)
{
    char style[DUET_SVG_STYLE];
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
    duet_svg *svg = (duet_svg *)canvas;
    use_fill(svg, fill);
    put_rect(svg->stream, place, title);
}

static void begin(duet_canvas *canvas, duet_colour fill)
{
    duet_svg *svg = (duet_svg *)canvas;
    use_fill(svg, fill);
    fputs("<path d=\"", svg->stream);
}

static void add(duet_canvas *canvas, duet_rect place)
{
    FILE *stream = ((duet_svg *)canvas)->stream;
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
    fputs("\"/>\n", ((duet_svg *)canvas)->stream);
}

static void hatch(duet_canvas *canvas, duet_colour colour, duet_rect place, const char *title)
{
    duet_svg *svg = (duet_svg *)canvas;
    char style[DUET_SVG_STYLE];
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

static void line(duet_canvas *canvas, const duet_stroke *stroke, double x0, double y0, double x1,
                 double y1)
{
    duet_svg *svg = (duet_svg *)canvas;
    char style[DUET_SVG_STYLE];
    char hex[8];
    char dashes[48] = "";
    char opacity[32] = "";
    if (stroke->dash != DUET_DASH_NONE) {
        snprintf(dashes, sizeof dashes, " stroke-dasharray=\"%d %d\"",
                 (int)DUET_DASHES[stroke->dash][0], (int)DUET_DASHES[stroke->dash][1]);
    }
    if (stroke->opacity < 1) {
        snprintf(opacity, sizeof opacity, " stroke-opacity=\".%02d\"",
                 (int)lround(stroke->opacity * 100));
    }
    int tenths = (int)lround(stroke->width * 10);
    snprintf(style, sizeof style, "stroke=\"%s\" stroke-width=\"%d.%d\"%s%s",
             duet_colour_hex(stroke->colour, hex), tenths / 10, tenths % 10, dashes, opacity);
    use_style(svg, style);
    fputs("<path d=\"M", svg->stream);
    put_number(svg->stream, x0);
    fputc(' ', svg->stream);
    put_number(svg->stream, y0);
    fputc('L', svg->stream);
    put_number(svg->stream, x1);
    fputc(' ', svg->stream);
    put_number(svg->stream, y1);
    fputs("\"/>\n", svg->stream);
}

static void text(duet_canvas *canvas, const duet_letters *letters, double x, double y,
                 duet_gantt_align align, const char *words)
{
    static const char *const anchors[] = {"start", "middle", "end"};
    duet_svg *svg = (duet_svg *)canvas;
    char style[DUET_SVG_STYLE];
    char hex[8];
    int hundredths = (int)lround(letters->size * 100);
    snprintf(style, sizeof style, "fill=\"%s\" font-size=\"%d.%02d\" text-anchor=\"%s\"%s",
             duet_colour_hex(letters->colour, hex), hundredths / 100, hundredths % 100,
             anchors[align], letters->bold ? " font-weight=\"bold\"" : "");
    use_style(svg, style);
    fputs("<text", svg->stream);
    put_attribute(svg->stream, "x", x);
    put_attribute(svg->stream, "y", y);
    fputc('>', svg->stream);
    put_text(svg->stream, words);
    fputs("</text>\n", svg->stream);
}

static const duet_canvas_methods methods = {rectangle, begin, add, end, hatch, line, text};

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

void duet_svg_open(duet_svg *svg, FILE *stream, const duet_svg_page *page)
{
    svg->canvas.does = &methods;
    svg->stream = stream;
    svg->style[0] = '\0';
    fputs("<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n"
          "<svg xmlns=\"http://www.w3.org/2000/svg\"",
          stream);
    put_attribute(stream, "width", page->width);
    put_attribute(stream, "height", page->height);
    fputs(" viewBox=\"0 0 ", stream);
    put_number(stream, page->width / page->scale);
    fputc(' ', stream);
    put_number(stream, page->height / page->scale);
    fputs("\" role=\"graphics-document\" font-family=\"Arial, 'Liberation Sans', Helvetica, "
          "'DejaVu Sans', sans-serif\">\n<title>",
          stream);
    put_text(stream, page->title);
    fputs("</title>\n<desc>", stream);
    put_text(stream, page->text);
    fputs("</desc>\n", stream);
    put_hatch(stream, page->hatch);
    if (page->ground != NULL) {
        fprintf(stream, "<rect width=\"100%%\" height=\"100%%\" fill=\"%s\"/>\n", page->ground);
    }
}

void duet_svg_close(duet_svg *svg)
{
    use_style(svg, "");
    fputs("</svg>\n", svg->stream);
}
