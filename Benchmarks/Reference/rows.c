// Prints the tracks of a project, as `daw list-tracks` does: what opening the file and reading the same rows takes at least.
//
//   rows PROJECT.sqlite
#include <sqlite3.h>
#include <stdio.h>

int main(int count, char **words) {
  sqlite3 *file;
  sqlite3_stmt *rows;
  if (count != 2 || sqlite3_open_v2(words[1], &file, SQLITE_OPEN_READWRITE, NULL) != SQLITE_OK) return 66;
  const char *sql = "SELECT name, trackType, channelCount, volume, pan, hex(id) FROM track ORDER BY orderKey, id";
  if (sqlite3_prepare_v2(file, sql, -1, &rows, NULL) != SQLITE_OK) return 65;
  while (sqlite3_step(rows) == SQLITE_ROW)
    printf("%s  %s, %s channels, %s dB, pan %s  %s\n", sqlite3_column_text(rows, 0), sqlite3_column_text(rows, 1),
           sqlite3_column_text(rows, 2), sqlite3_column_text(rows, 3), sqlite3_column_text(rows, 4),
           sqlite3_column_text(rows, 5));
  sqlite3_finalize(rows);
  sqlite3_close(file);
  return 0;
}
