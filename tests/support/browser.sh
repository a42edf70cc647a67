# SPDX-License-Identifier: Apache-2.0
# A headless browser for shell tests, which are skipped (77) where there is none. Sourced in the folder of the pages.
browser=$(command -v chromium || command -v chromium-browser || command -v google-chrome) ||
    { echo "skipped: no chromium"; exit 77; }

# What is looked for is in UTF-8, in which a `.` is one letter, whatever the system speaks.
export LC_ALL=C.UTF-8

# view PAGE: the page as it is after its scripts, which may look into frames.
view() {
    HOME=$PWD timeout 240 "$browser" --headless --no-sandbox --disable-gpu --disable-dev-shm-usage --hide-scrollbars \
        --allow-file-access-from-files --user-data-dir="$PWD/profile" --window-size=1300,1000 --dump-dom "file://$PWD/$1" 2>/dev/null
}
echo '<p id="x">no</p><script>document.getElementById("x").textContent = "runs " + (1 + 1)</script>' >try.html
view try.html | grep -q "runs 2" || { echo "skipped: $browser does not run here"; exit 77; }

# frame WIDTH HEIGHT PAGE#STATE: the page in a frame of that size. To start the browser takes longer than to view a page, so that many
# pages are viewed in frames of one.
frame() {
    printf '<iframe src="%s" style="width: %spx; height: %spx; border: 0"></iframe>\n' "${3//&/&amp;}" "$1" "$2"
}

# view_each PAGE#STATE...: each page as it is after its scripts, in view-1.html, view-2.html, ...
view_each() {
    local page
    {
        echo '<!doctype html>'
        for page in "$@"; do frame 1280 1000 "$page"; done
        echo '<script>addEventListener("load", () => { for (const frame of document.querySelectorAll("iframe")) {
            const page = document.createElement("pre");
            page.textContent = frame.contentDocument.documentElement.outerHTML;
            document.body.append(page); } });</script>'
    } >outer.html
    view outer.html >outer.out
    python3 - <<'END'
import html, re
for number, page in enumerate(re.findall(r"<pre>(.*?)</pre>", open("outer.out").read(), re.S), 1):
    open(f"view-{number}.html", "w").write(html.unescape(page))
END
}
