// What `daw` does with 10,000 transcripts, by SQLite alone and with the same rows.
//
//   words page PROJECT.sqlite            prints the first 50 transcripts, as `daw list-transcripts` does
//   words search INDEX.sqlite WORD       prints the ids of the 50 best of an index of FTS5
//   words found INDEX.sqlite WORD PROJECT.sqlite
//                                        prints of the same 50 what a result is made of: text, words, place of the recording
//   words index PROJECT.sqlite INDEX     makes such an index of all transcripts
#include <sqlite3.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

static sqlite3 *opened(const char *path, int flags) {
  sqlite3 *file;
  return sqlite3_open_v2(path, &file, flags, NULL) == SQLITE_OK ? file : NULL;
}

/// Prints the rows of a query, whose parameter 1 is a text or nothing.
///
/// `other`: a second file, whose tables are called `other.NAME`; or nothing.
static int print(const char *path, const char *sql, const char *text, const char *other) {
  sqlite3_stmt *rows;
  sqlite3 *file = opened(path, SQLITE_OPEN_READWRITE);
  if (!file) return 66;
  if (other) {
    sqlite3_prepare_v2(file, "ATTACH ? AS other", -1, &rows, NULL);
    sqlite3_bind_text(rows, 1, other, -1, SQLITE_STATIC);
    if (sqlite3_step(rows) != SQLITE_DONE) return 66;
    sqlite3_finalize(rows);
  }
  if (sqlite3_prepare_v2(file, sql, -1, &rows, NULL) != SQLITE_OK) return 66;
  if (text) sqlite3_bind_text(rows, 1, text, -1, SQLITE_STATIC);
  int status;
  while ((status = sqlite3_step(rows)) == SQLITE_ROW) {
    for (int column = 0; column < sqlite3_column_count(rows); column++)
      printf("%s  ", (const char *)sqlite3_column_text(rows, column));
    putchar('\n');
  }
  sqlite3_finalize(rows);
  sqlite3_close(file);
  return status == SQLITE_DONE ? 0 : 65;
}

static int make_index(const char *project, const char *path) {
  unlink(path);
  sqlite3 *file = opened(path, SQLITE_OPEN_READWRITE | SQLITE_OPEN_CREATE);
  sqlite3 *source = opened(project, SQLITE_OPEN_READWRITE);
  sqlite3_stmt *rows, *insert;
  const char *schema = "PRAGMA journal_mode = WAL; PRAGMA synchronous = NORMAL;"
                       "CREATE VIRTUAL TABLE entryText USING fts5 (text, tokenize = 'ascii'); BEGIN";
  const char *sql = "SELECT id, text FROM transcript WHERE isCurrent = 1 ORDER BY id";
  if (!file || !source || sqlite3_exec(file, schema, NULL, NULL, NULL) != SQLITE_OK ||
      sqlite3_prepare_v2(source, sql, -1, &rows, NULL) != SQLITE_OK ||
      sqlite3_prepare_v2(file, "INSERT INTO entryText (rowid, text) VALUES (?, ?)", -1, &insert, NULL) != SQLITE_OK)
    return 66;
  while (sqlite3_step(rows) == SQLITE_ROW) {
    sqlite3_bind_int64(insert, 1, sqlite3_column_int64(rows, 0));
    sqlite3_bind_text(insert, 2, (const char *)sqlite3_column_text(rows, 1), -1, SQLITE_TRANSIENT);
    if (sqlite3_step(insert) != SQLITE_DONE) return 65;
    sqlite3_reset(insert);
  }
  sqlite3_finalize(rows);
  sqlite3_finalize(insert);
  int status = sqlite3_exec(file, "COMMIT", NULL, NULL, NULL);
  sqlite3_close(source);
  sqlite3_close(file);
  return status == SQLITE_OK ? 0 : 65;
}

int main(int count, char **words) {
  if (count == 3 && !strcmp(words[1], "page"))
    return print(words[2],
                 "SELECT t.id, track.name, p.number, t.segmentIndex, t.startFrame, t.frames, t.text, t.confidence, t.words,"
                 " own.text FROM transcript t JOIN pass p ON p.id = t.pass LEFT JOIN track ON track.id = p.track"
                 " LEFT JOIN transcriptText own ON own.id = t.id WHERE t.isCurrent = 1 AND t.pass IS NOT NULL"
                 " ORDER BY t.pass, t.segmentIndex LIMIT 51",
                 NULL, NULL);
  if (count == 4 && !strcmp(words[1], "search"))
    return print(words[2], "SELECT rowid FROM entryText WHERE entryText MATCH ? ORDER BY rank LIMIT 50", words[3], NULL);
  if (count == 5 && !strcmp(words[1], "found"))
    return print(words[2],
                 "SELECT e.kind, t.text, t.words, t.startFrame, t.frames, p.track, p.pieces, r.sampleRate, r.folder"
                 " FROM (SELECT rowid AS id FROM entryText WHERE entryText MATCH ? ORDER BY rank LIMIT 50) AS best"
                 " JOIN entry e ON e.id = best.id JOIN other.transcript t ON t.id = e.row JOIN other.pass p ON p.id = t.pass"
                 " JOIN other.recording r ON r.id = p.recording",
                 words[3], words[4]);
  if (count == 4 && !strcmp(words[1], "index")) return make_index(words[2], words[3]);
  return 64;
}
