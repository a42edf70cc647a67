# SPDX-License-Identifier: Apache-2.0
"""Tables as results: data frames of pandas, or plain ones with the same rows where it is not there."""
from __future__ import annotations

import html
from typing import TYPE_CHECKING, Any, Dict, Iterator, List, Optional, Sequence, Union, cast

from ._arguments import checked
from ._library import UsageError

if TYPE_CHECKING:
    import pandas


class Table:
    """Rows of named columns, for where pandas is not there: table["makespan"] is a column, a list;
    table[0] is a row, a dictionary; to_dict("records") gives all rows, as that of a data frame does."""

    @checked
    def __init__(self, rows: Sequence[Dict[str, Any]], columns: Optional[Sequence[str]] = None):
        self._rows = [dict(row) for row in rows]
        self.columns: List[str] = list(columns) if columns is not None else list(dict.fromkeys(
            name for row in self._rows for name in row))

    def __len__(self) -> int:
        return len(self._rows)

    def __iter__(self) -> Iterator[str]:
        return iter(self.columns)

    def __getitem__(self, which: Union[str, int]) -> Any:
        if isinstance(which, str):
            if which not in self.columns:
                raise UsageError(f"expected one of the columns {', '.join(self.columns)}, got {which!r}")
            return [row.get(which) for row in self._rows]
        return dict(self._rows[which])

    @checked
    def to_dict(self, orient: str = "records") -> List[Dict[str, Any]]:
        """All rows."""
        return [dict(row) for row in self._rows]

    def _texts(self) -> List[List[str]]:
        def text(value: Any) -> str:
            return "" if value is None else f"{value:.6g}" if isinstance(value, float) else str(value)
        return [self.columns] + [[text(row.get(name)) for name in self.columns] for row in self._rows]

    def __repr__(self) -> str:
        texts = self._texts()
        widths = [max(map(len, column)) for column in zip(*texts)]
        return "\n".join("  ".join(text.rjust(width) for text, width in zip(row, widths)).rstrip() for row in texts)

    def _repr_html_(self) -> str:
        """What a notebook shows."""
        head, *rows = [[html.escape(text) for text in row] for row in self._texts()]
        body = "".join("<tr><td>" + "</td><td>".join(row) + "</td></tr>" for row in rows)
        return f"<table><thead><tr><th>{'</th><th>'.join(head)}</th></tr></thead><tbody>{body}</tbody></table>"


def frame(rows: Sequence[Dict[str, Any]], columns: Optional[Sequence[str]] = None) -> "pandas.DataFrame":
    """The rows as a data frame, or as a Table."""
    try:
        import pandas
    except ImportError:
        return cast("pandas.DataFrame", Table(rows, columns))
    return pandas.DataFrame(list(rows), columns=None if columns is None else list(columns))
