"""A project file that another has prepared: planted triggers and views, changed tables, values of every kind and size.

Every command ends well, nothing that is planted runs or is believed, and `check` names what is foreign or broken.
"""

import sqlite3
import struct
import zlib

import database
import state
from program import Failed

TRAP = "trap"
EXTREMES = [
    0, 1, -1, 127, 128, 255, 256, 1 << 31, -(1 << 31), (1 << 32) + 1, (1 << 53) + 1, (1 << 62), (1 << 63) - 1, -(1 << 63),
    10**10, 705_600_000 * 10**10, 0.5, 1e308, -1e308, 5e-324, float("inf"), float("-inf"), float("nan"), None, "", " ",
    "0", "9" * 400, "\x1b]0;title\x07\x1b[2J", "a\nb\r\tc", "‮gpj", "e\u0301" * 200, "../../../etc/passwd",
    "/etc/passwd", "/dev/zero", "/dev/stdin", "Cache/../../x", "%s%n", "'; DROP TABLE track; --", b"", b"\x00",
    b"\xff\xfe\xc0", b"\x78\x9c" + bytes(40), "a\x00b", "master", "midi", "~",
]


def attack(audit, rng, number):
    audit.once("schemas", lambda: Reference(audit))
    kind = rng.choice(ATTACKS)
    with audit.scratch("bounced") as daw:
        with database.opened(daw.folder) as connection:
            connection.execute("PRAGMA foreign_keys = OFF")
            connection.execute("PRAGMA ignore_check_constraints = ON")
            try:
                connection.execute("BEGIN")
                what = kind(connection, rng)
                connection.execute("COMMIT")
            except (sqlite3.Error, OverflowError, ValueError):
                # What SQLite itself refuses is no attack.
                return "refused by SQLite"
            finally:
                if connection.in_transaction:
                    connection.execute("ROLLBACK")
        return _judge(daw, rng, kind, what, audit)


class Reference:
    def __init__(self, audit):
        with audit.scratch("bounced") as daw:
            self.shown = daw.done("-p", "Song", "show", "--json", "--notes").output


COMMANDS = [
    ("show", "--json", "--notes"), ("show",), ("history", "--all"), ("list-notes",), ("list-tracks", "--json"),
    ("bounce", "-o", "again.wav", "--overwrite", "--to", "4s"), ("verify", "mix.wav"), ("undo",), ("redo",), ("undo", "--mine"),
    ("add-note", "Piano/Tune", "C5"), ("set-track", "Drums", "--volume", "-9"), ("remove-track", "Strings"),
    ("add-region", "Drums", "--file", "take.wav", "--at", "2s"), ("backup",), ("clean", "--dry-run"), ("clean", "--cache"),
    ("export", "-o", "out.mid", "--overwrite"), ("upgrade",), ("check", "--record"), ("set-history", "--count", "3"),
    ("quantize", "--grid", "1/16"), ("list-soundfonts",),
]


def _judge(daw, rng, kind, what, audit):
    checked = daw.survives("-p", "Song", "check")
    done = []
    for command in rng.sample(COMMANDS, 4):
        outcome = daw.survives("-p", "Song", *command)
        done.append(outcome)
        outside = [name for name in state.all_names(daw.folder) if name in ("stolen", "Song.daw/stolen")]
        if outside:
            raise Failed(f"{what}: a planted path was written: {outside}; {outcome}")
        _require_no_trap(daw, what, outcome)
    if checked.status == 0 and kind in FOREIGN and "planted" not in (checked.output + checked.error).lower():
        raise Failed(f"{what}: check finds nothing")
    shown = audit.once("schemas", None).shown
    if checked.status == 0 and kind in HARMLESS_IF_WELL:
        fresh = [outcome for outcome in done[:1] if outcome.command.endswith("show --json --notes")]
        if fresh and fresh[0].output != shown:
            raise Failed(f"{what}: check finds nothing, and show says something else")
    return "found" if checked.status != 0 else "well"


def _require_no_trap(daw, what, outcome):
    """What the planted triggers write to: whoever runs one leaves a row there."""
    try:
        with database.opened(daw.folder) as connection:
            connection.execute("PRAGMA trusted_schema = OFF")
            rows = connection.execute(f"SELECT count(*) FROM {TRAP}").fetchone()[0]
    except (sqlite3.Error, ValueError):
        return
    if rows:
        raise Failed(f"{what}: a planted trigger ran in {outcome}")


# MARK: Attacks. Each changes the file, and says how.

def _one(rng, connection):
    return rng.choice(database.tables(connection))


def trigger(connection, rng):
    connection.execute(f"CREATE TABLE {TRAP}(text)")
    table = rng.choice([name for name in database.tables(connection) if name != TRAP])
    when = rng.choice(["BEFORE", "AFTER"])
    event = rng.choice(["INSERT", "UPDATE", "DELETE"])
    action = rng.choice([
        f"INSERT INTO {TRAP} VALUES ('ran');",
        f"INSERT INTO {TRAP} VALUES ('ran'); UPDATE track SET volume = 0;",
        f"INSERT INTO {TRAP} VALUES ('ran'); DELETE FROM journalEntry;",
        f"INSERT INTO {TRAP} VALUES ('ran'); DELETE FROM midiNote;",
    ])
    name = rng.choice(["planted", "outside_track_insert", "sqlite3_x", "nameIsValid", "Planted "])
    connection.execute(f'CREATE TRIGGER "{name}" {when} {event} ON "{table}" BEGIN {action} END')
    return f"a trigger {when} {event} ON {table}"


def view(connection, rng):
    """A view in place of a table; some of them never end."""
    table = _one(rng, connection)
    names = ", ".join(f'"{name}"' for name in database.columns(connection, table))
    body = rng.choice([
        f'SELECT * FROM "{TRAP}_{table}"',
        f'SELECT * FROM "{TRAP}_{table}", (WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n) '
        f'SELECT count(*) FROM n)',
        f'SELECT * FROM "{TRAP}_{table}" UNION ALL SELECT * FROM "{TRAP}_{table}"',
        f'WITH RECURSIVE n({names}) AS (SELECT * FROM "{TRAP}_{table}" UNION ALL SELECT * FROM n) SELECT * FROM n',
        "SELECT " + ", ".join("hex(zeroblob(100000000))" for _ in database.columns(connection, table)),
    ])
    connection.execute("PRAGMA legacy_alter_table = ON")
    connection.execute(f'ALTER TABLE "{table}" RENAME TO "{TRAP}_{table}"')
    connection.execute(f'CREATE VIEW "{table}" AS {body}')
    return f"a view in place of {table}: {body[:60]}"


def foreign_view(connection, rng):
    connection.execute("CREATE VIEW planted AS WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n) SELECT i FROM n")
    return "a view of its own that never ends"


def dropped_trigger(connection, rng):
    name = rng.choice([row[0].decode() for row in connection.execute("SELECT name FROM sqlite_schema WHERE type = 'trigger'")])
    connection.execute(f'DROP TRIGGER "{name}"')
    return f"without the trigger {name}"


def dropped_index(connection, rng):
    name = rng.choice([
        row[0].decode() for row in connection.execute("SELECT name FROM sqlite_schema WHERE type = 'index' AND sql IS NOT NULL")])
    connection.execute(f'DROP INDEX "{name}"')
    return f"without the index {name}"


def dropped_table(connection, rng):
    table = _one(rng, connection)
    connection.execute(f'DROP TABLE "{table}"')
    return f"without the table {table}"


def changed_sql(connection, rng):
    """The text of a table, index or trigger, changed in place."""
    kind, name, sql = rng.choice(list(connection.execute(
        "SELECT type, name, sql FROM sqlite_schema WHERE sql IS NOT NULL")))
    sql = sql.decode()
    old, new = rng.choice([
        ("CHECK", "CHECK (1) --"), ("STRICT", ""), ("NOT NULL", ""), ("REFERENCES", "-- REFERENCES"), ("INTEGER", "TEXT"),
        ("RAISE", "NULLIF"), ("(", "(extra DEFAULT 1, "), ("CASCADE", "SET NULL"), ("BEFORE", "AFTER"), ("TEXT", "ANY"),
        ("WHEN", "WHEN 0 AND"), ("DEFAULT 0", "DEFAULT 7"),
    ])
    if old not in sql:
        return trigger(connection, rng)
    connection.execute("PRAGMA writable_schema = ON")
    connection.execute("UPDATE sqlite_schema SET sql = ? WHERE name = ?", (sql.replace(old, new, 1), name.decode()))
    connection.execute("PRAGMA writable_schema = RESET")
    return f"{kind.decode()} {name.decode()} with {new!r} for {old!r}"


def nonsense_sql(connection, rng):
    connection.execute("PRAGMA writable_schema = ON")
    name = rng.choice([row[0].decode() for row in connection.execute("SELECT name FROM sqlite_schema")])
    column, value = rng.choice([
        ("sql", "nonsense"), ("sql", "CREATE VIRTUAL TABLE x USING fts5(y)"), ("sql", "(" * 5_000), ("sql", ""),
        ("rootpage", 1), ("rootpage", 1 << 40), ("rootpage", -1), ("rootpage", 2), ("type", "view"), ("name", "\x1b[31m"),
        ("tbl_name", "track"),
    ])
    changed = connection.execute(f"UPDATE sqlite_schema SET {column} = ? WHERE name = ? AND {column} IS NOT ?", (value, name, value))
    if not changed.rowcount:
        return trigger(connection, rng)
    return f"{name} with {column} = {value!r:.40}"


def foreign_table(connection, rng):
    connection.execute(rng.choice([
        "CREATE TABLE planted(a INTEGER PRIMARY KEY, b)", "CREATE VIRTUAL TABLE planted USING fts5(body)",
        "CREATE TABLE planted(a AS (1 + 1), b)", "CREATE TABLE planted(a REFERENCES track(id) ON DELETE RESTRICT)",
        "CREATE TABLE planted_sequence(name, seq)", "CREATE INDEX planted ON midiNote(abs(pitch))",
        "CREATE TABLE trackPlanted AS SELECT * FROM track",
    ]))
    return "a foreign table"


def changed_columns(connection, rng):
    table = _one(rng, connection)
    column = rng.choice(database.columns(connection, table))
    statement = rng.choice([
        f'ALTER TABLE "{table}" ADD COLUMN planted DEFAULT 1', f'ALTER TABLE "{table}" RENAME COLUMN "{column}" TO planted',
        f'ALTER TABLE "{table}" ADD COLUMN planted AS (abs(-9223372036854775808))',
        f'ALTER TABLE "{table}" RENAME TO planted',
    ])
    connection.execute(statement)
    return statement


def value(connection, rng):
    """A value that breaks every rule, some of them in all rows."""
    table = _one(rng, connection)
    column = rng.choice(database.columns(connection, table))
    new = rng.choice(EXTREMES)
    where = "" if rng.random() < 0.3 else f' WHERE rowid IN (SELECT rowid FROM "{table}" ORDER BY random() LIMIT 1)'
    where = where.replace("random()", f"rowid % {rng.randrange(2, 99)}")
    _without_triggers(connection, f'UPDATE "{table}" SET "{column}" = ?{where}', new)
    return f"{table}.{column} = {new!r:.60}{' in one row' if where else ''}"


def large_value(connection, rng):
    table, column = rng.choice([
        ("project", "name"), ("track", "name"), ("track", "color"), ("region", "name"), ("journalEntry", "summary"),
        ("journalEntry", "commandLine"), ("journalEntry", "author"), ("midiEvent", "bytes"), ("audioFile", "path"),
        ("journalEntry", "changeset"), ("audioFile", "sha256"), ("marker", "name"),
    ])
    size = rng.choice([100_000, 5_000_000, 150_000_000])
    text = "CAST(zeroblob(?) AS TEXT)" if rng.random() < 0.2 else "replace(hex(zeroblob(? / 2)), '0', 'x')"
    if column in ("bytes", "changeset"):
        text = "zeroblob(?)"
    _without_triggers(connection, f'UPDATE "{table}" SET "{column}" = {text}', size)
    return f"{table}.{column} of {size} bytes"


def typed_wrongly(connection, rng):
    """Values of a type that a STRICT table cannot hold: written while its text says otherwise."""
    table = _one(rng, connection)
    column = rng.choice(database.columns(connection, table))
    old = connection.execute("SELECT sql FROM sqlite_schema WHERE name = ?", (table,)).fetchone()[0].decode()
    loose = old.replace("STRICT", "").replace("INTEGER", "ANY").replace("ANY PRIMARY", "INTEGER PRIMARY")
    new = rng.choice(EXTREMES)
    connection.execute("PRAGMA writable_schema = ON")
    connection.execute("UPDATE sqlite_schema SET sql = ? WHERE name = ?", (loose, table))
    connection.execute("PRAGMA writable_schema = RESET")
    try:
        _without_triggers(connection, f'UPDATE "{table}" SET "{column}" = ?', new)
    finally:
        connection.execute("PRAGMA writable_schema = ON")
        connection.execute("UPDATE sqlite_schema SET sql = ? WHERE name = ?", (old, table))
    return f"{table}.{column} = {new!r:.60} against its type"


def changeset(connection, rng):
    """A changeset of the journal that is nonsense, a bomb, or another entry's."""
    revisions = [row[0] for row in connection.execute("SELECT revision FROM journalEntry")]
    revision = rng.choice(revisions)
    old = connection.execute("SELECT changeset FROM journalEntry WHERE revision = ?", (revision,)).fetchone()[0] or b""
    kind = rng.choice(["bytes", "bomb", "length", "cut", "swap", "garbage"])
    is_compressed = 0
    if kind == "bytes" and old:
        new = bytearray(old)
        for _ in range(rng.randrange(1, 9)):
            new[rng.randrange(len(new))] = rng.choice([0, 1, 0x7F, 0x80, 0xFF, rng.randrange(256)])
        new = bytes(new)
    elif kind == "bomb":
        new, is_compressed = struct.pack(">Q", 4 << 30) + zlib.compress(bytes(200_000_000), 9), 1
    elif kind == "length":
        new = struct.pack(">Q", rng.choice([0, 1, 1 << 40, (1 << 63) - 1, 1 << 63, (1 << 64) - 1])) + zlib.compress(old)
        is_compressed = 1
    elif kind == "cut":
        new = old[:rng.randrange(len(old) + 1)]
    elif kind == "swap":
        new = connection.execute(
            "SELECT changeset FROM journalEntry WHERE revision = ?", (rng.choice(revisions),)).fetchone()[0]
    else:
        new = b"T" + rng.randbytes(rng.randrange(1, 400))
    _without_triggers(
        connection, "UPDATE journalEntry SET changeset = ?, isCompressed = ? WHERE revision = ?", new, is_compressed, revision)
    return f"the changeset of revision {revision}: {kind}"


def journal(connection, rng):
    """A journal that leads round in circles, nowhere, or backwards."""
    statement = rng.choice([
        "UPDATE journalEntry SET parent = entryID", "UPDATE journalEntry SET target = entryID",
        "UPDATE journalEntry SET parent = (SELECT max(entryID) FROM journalEntry)", "UPDATE journalEntry SET parent = NULL",
        "UPDATE journalEntry SET kind = 'undo'", "UPDATE journalEntry SET kind = 'base'", "DELETE FROM journalState",
        "UPDATE journalEntry SET kind = 'redo', target = parent", "DELETE FROM journalEntry WHERE revision = 3",
        "DELETE FROM journalEntry", "UPDATE journalState SET node = 0", "UPDATE journalState SET revision = 9223372036854775807",
        "UPDATE journalState SET isWriting = 1", "UPDATE journalState SET entryCount = -1, byteCount = -1",
        "UPDATE journalState SET maximumCount = -1", "UPDATE journalState SET outsideChanges = 9223372036854775807",
        "UPDATE journalEntry SET revision = 9223372036854775807 WHERE revision = (SELECT max(revision) FROM journalEntry)",
        "UPDATE journalEntry SET date = 9223372036854775807", "UPDATE journalEntry SET date = -9223372036854775808",
        "UPDATE journalEntry SET schemaVersion = 1", "UPDATE journalEntry SET schemaVersion = 99",
        "UPDATE journalState SET modifiedDate = 9223372036854775807",
    ])
    _without_triggers(connection, statement)
    return statement


def relations(connection, rng):
    """Rows that contradict one another."""
    statement = rng.choice([
        "DELETE FROM track WHERE trackType = 'master'", "UPDATE track SET trackType = 'master'", "DELETE FROM audioFile",
        "UPDATE region SET track = id", "UPDATE midiNote SET region = 7", "UPDATE track SET orderKey = 'a'",
        "UPDATE track SET name = 'Same', nameKey = 'same'", "DELETE FROM project", "UPDATE region SET startTime = startTime - 1",
        "INSERT INTO project SELECT 2 + id, uuid, createdDate, name FROM project", "UPDATE region SET duration = 1 << 62",
        "UPDATE region SET audioOffset = 1 << 62 WHERE audioOffset IS NOT NULL", "UPDATE midiNote SET startTime = 1 << 62",
        "UPDATE tempoChange SET startTime = 1 << 62", "UPDATE region SET startTime = 9000000000000000000",
        "UPDATE audioFile SET path = '/etc/passwd'", "UPDATE audioFile SET path = '../stolen'", "UPDATE track SET id = -id",
        "UPDATE audioFile SET frames = 1 << 62, duration = 1 << 62", "UPDATE track SET orderKey = replace(hex(zeroblob(9999)), '0', 'z')",
        "UPDATE soundFont SET path = '/dev/zero'", "UPDATE track SET volume = 1e999", "UPDATE midiNote SET duration = -1",
    ])
    _without_triggers(connection, statement)
    return statement


def header(connection, rng):
    pragma, number = rng.choice([
        ("user_version", 3), ("user_version", 99), ("user_version", -1), ("user_version", 0), ("user_version", 1),
        ("application_id", 0), ("application_id", -1),
    ])
    connection.execute(f"PRAGMA {pragma} = {number}")
    return f"{pragma} = {number}"


def _without_triggers(connection, statement, *values):
    """Runs a statement with no trigger in force; they are there again afterwards."""
    kept = list(connection.execute("SELECT sql FROM sqlite_schema WHERE type = 'trigger'"))
    for name, in list(connection.execute("SELECT name FROM sqlite_schema WHERE type = 'trigger'")):
        connection.execute(f'DROP TRIGGER "{name.decode()}"')
    connection.execute(statement, values)
    for sql, in kept:
        connection.execute(sql.decode())


ATTACKS = [
    trigger, view, foreign_view, dropped_trigger, dropped_index, dropped_table, changed_sql, nonsense_sql, foreign_table,
    changed_columns, value, value, value, large_value, typed_wrongly, changeset, changeset, journal, relations, relations,
    header,
]
# What `check` must name.
FOREIGN = {trigger, view, foreign_view, dropped_trigger, dropped_table, changed_sql, nonsense_sql, foreign_table, changed_columns}
# What leaves the project as it was, where `check` finds nothing.
HARMLESS_IF_WELL = {dropped_index, changeset, header}
