#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# The tables of files in docs/code-tour.md are what scripts/code_tour.py makes of the heads of the files; and it tells
# what it cannot make of some. $1: the duet command (unused), $2: the source folder.
set -u
. "$2/tests/support/checks.sh"
source=$(realpath "$2")
command -v python3 >/dev/null || { echo "skipped: no python3"; exit 77; }
export PYTHONDONTWRITEBYTECODE=1
tmp=$(mktemp -d)
trap 'rm -rf "$tmp"' EXIT
cd "$tmp" || exit 1
tour() {
    python3 "$source/scripts/code_tour.py" "$@"
}
exits 0 "the page is up to date" tour --check "$source"

# ---- a source of a few files

mkdir -p docs small/inner
printf '// SPDX-License-Identifier: Apache-2.0\n// Sums a | b, after Horowitz et al. 1974, in\n// a table. More of it.\n' >small/sums.c
printf '// Not asked, as the .c has a head.\n' >small/sums.h
printf '// Algorithm: eft (Earliest Finish Time).\n// Method:    each task.\n' >small/inner/eft.c
printf '\n// What `all_of` share\n// Cost: none.\n' >small/inner/state.h
printf '"""A module of duet_x. It is small."""\n' >small/module.py
cat >docs/code-tour.md <<'END'
# Tour

Before.

<!-- files of small -->
what stood here
<!-- end of files -->

After.
END
cp docs/code-tour.md before.md
exits 1 "an old page" tour --check .
check "an old page stays" cmp before.md docs/code-tour.md
exits 0 "a page is made" tour .
cat >expected.md <<'END'
# Tour

Before.

<!-- files of small -->
<details>
<summary>Files of <code>small/</code></summary>

| file | what it is |
|---|---|
| `module.py` | A module of duet\_x |
| `sums.c` | Sums a \| b, after Horowitz et al. 1974, in a table |
| `inner/eft.c` | eft (Earliest Finish Time) |
| `inner/state.h` | What `all_of` share |

</details>
<!-- end of files -->

After.
END
check "heads become rows" diff expected.md docs/code-tour.md
exits 0 "it is up to date" tour --check .
printf 'int x;\n' >small/bare.c
exits 1 "a file without a head" tour --check .
check "it is named" grep -q '^FAIL small/bare.c: no comment' exits.out
rm small/bare.c
mkdir other
printf '// A head.\n' >other/file.c
exits 1 "a folder without a table" tour --check .
check "it is named, too" grep -q 'no table has the files of other' exits.out
printf '\n<!-- files of other -->\n<!-- end of files -->\n<!-- files of gone -->\n<!-- end of files -->\n' >>docs/code-tour.md
exits 1 "a table of a folder that is gone" tour .
check "that is named" grep -q 'no files in gone' exits.out
sed -i '/gone/,$d' docs/code-tour.md
printf '<!-- files of small/inner -->\n<!-- end of files -->\n' >>docs/code-tour.md
exits 0 "a table of an inner folder" tour .
check "its files are there alone" test "$(grep -c 'eft (Earliest' docs/code-tour.md)" -eq 1
sed -i '$d' docs/code-tour.md
exits 1 "a table that does not end" tour .
exit $failed
