"""The project file from outside, by Python's own SQLite."""

import contextlib
import sqlite3


@contextlib.contextmanager
def opened(folder, project="Song"):
    """The project file for writing, with no rule in force."""
    connection = sqlite3.connect(folder / f"{project}.daw/project.sqlite", isolation_level=None)
    # Texts that are no UTF-8 come as they are.
    connection.text_factory = bytes
    try:
        yield connection
    finally:
        connection.close()


def tables(connection):
    return [
        name.decode() for name, in connection.execute(
            "SELECT name FROM sqlite_schema WHERE type = 'table' AND name NOT LIKE 'sqlite_%' ORDER BY name")
    ]


def columns(connection, table):
    return [row[1].decode() for row in connection.execute(f'PRAGMA table_info("{table}")')]


def rows(folder):
    """Every row of every table, by table and rowid, and the schema. Raises `sqlite3.Error` where SQLite cannot read it."""
    with opened(folder) as connection:
        found = {("schema", row[1]): row for row in connection.execute("SELECT * FROM sqlite_schema ORDER BY name")}
        for table in tables(connection):
            for row in connection.execute(f'SELECT rowid, * FROM "{table}"'):
                found[table, row[0]] = row[1:]
        return found


def differing_cells(one, other):
    """How many values differ between two results of `rows`; a row that only one has counts as two."""
    count = 0
    for key in one.keys() | other.keys():
        if key not in one or key not in other:
            count += 2
        else:
            # `is` no more than `==`: a NaN is not equal to itself, and SQLite stores none.
            count += sum(left != right for left, right in zip(one[key], other[key]))
    return count
