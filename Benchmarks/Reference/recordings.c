// Prints the newest 50 recordings of a project, with what `daw list-recordings` says of each: what opening the file and
// reading the same rows takes at least.
//
//   recordings PROJECT.sqlite
#include <sqlite3.h>
#include <stdio.h>

int main(int count, char **words) {
  sqlite3 *file;
  sqlite3_stmt *rows;
  if (count != 2 || sqlite3_open_v2(words[1], &file, SQLITE_OPEN_READWRITE, NULL) != SQLITE_OK) return 66;
  const char *sql =
      "WITH page AS (SELECT * FROM recording WHERE trashedAt IS NULL ORDER BY createdAt DESC, id DESC LIMIT 50) "
      "SELECT hex(page.id), page.startTime, page.duration, page.sampleRate, page.bitDepth, page.folder, "
      "count(DISTINCT pass.track), count(DISTINCT pass.id), count(gap.id), total(gap.frames) "
      "FROM page LEFT JOIN pass ON pass.recording = page.id LEFT JOIN gap ON gap.pass = pass.id "
      "GROUP BY page.id ORDER BY page.createdAt DESC, page.id DESC";
  if (sqlite3_prepare_v2(file, sql, -1, &rows, NULL) != SQLITE_OK) return 65;
  while (sqlite3_step(rows) == SQLITE_ROW) {
    for (int column = 0; column < sqlite3_column_count(rows); column++)
      printf("%s  ", (const char *)sqlite3_column_text(rows, column));
    printf("\n");
  }
  sqlite3_finalize(rows);
  sqlite3_close(file);
  return 0;
}
