// SPDX-License-Identifier: Apache-2.0
#include "instances/formats/dot/drawing.h"

#include <stddef.h>
#include <string.h>

static bool is_any(const char *name, const char *const *names, size_t count)
{
    bool found = false;
    for (size_t i = 0; i < count && !found; i++) {
        found = strcmp(name, names[i]) == 0;
    }
    return found;
}

bool duet_dot_draws_nodes(const char *name)
{
    static const char *const names[] = {
        "_background", "area", "class", "color", "colorscheme", "comment", "distortion",
        "fillcolor", "fixedsize", "fontcolor", "fontname", "fontsize", "gradientangle", "group",
        "height", "href", "id", "image", "imagepos", "imagescale", "label", "labelloc", "layer",
        "margin", "nojustify", "ordering", "orientation", "penwidth", "peripheries", "pin",
        "pos", "rank", "rects", "regular", "root", "samplepoints", "shape", "shapefile",
        "showboxes", "sides", "skew", "sortv", "style", "target", "tooltip", "URL", "vertices",
        "width", "xlabel", "xlp", "z"};
    return is_any(name, names, sizeof names / sizeof *names);
}

bool duet_dot_draws(const char *name)
{
    static const char *const names[] = {
        "arrowhead", "arrowsize", "arrowtail", "bb", "beautify", "bgcolor", "center", "charset",
        "cluster", "clusterrank", "compound", "concentrate", "constraint", "Damping", "decorate",
        "defaultdist", "dim", "dimen", "dir", "diredgeconstraints", "dpi", "edgehref",
        "edgetarget", "edgetooltip", "edgeURL", "epsilon", "esep", "fontnames", "fontpath",
        "forcelabels", "head_lp", "headclip", "headhref", "headlabel", "headport", "headtarget",
        "headtooltip", "headURL", "imagepath", "inputscale", "K", "label_scheme", "labelangle",
        "labeldistance", "labelfloat", "labelfontcolor", "labelfontname", "labelfontsize",
        "labelhref", "labeljust", "labeltarget", "labeltooltip", "labelURL", "landscape",
        "layerlistsep", "layers", "layerselect", "layersep", "layout", "len", "levels",
        "levelsgap", "lhead", "lheight", "linelength", "lp", "ltail", "lwidth", "maxiter",
        "mclimit", "mindist", "minlen", "mode", "model", "newrank", "nodesep", "normalize",
        "notranslate", "nslimit", "nslimit1", "oneblock", "outputorder", "overlap",
        "overlap_scaling", "overlap_shrink", "pack", "packmode", "pad", "page", "pagedir",
        "pencolor", "quadtree", "quantum", "rankdir", "ranksep", "ratio", "remincross",
        "repulsiveforce", "resolution", "rotate", "rotation", "samehead", "sametail", "scale",
        "searchsize", "sep", "smoothing", "splines", "start", "stylesheet", "tail_lp",
        "tailclip", "tailhref", "taillabel", "tailport", "tailtarget", "tailtooltip", "tailURL",
        "truecolor", "viewport", "voro_margin", "xdotversion"};
    return duet_dot_draws_nodes(name) || is_any(name, names, sizeof names / sizeof *names);
}
