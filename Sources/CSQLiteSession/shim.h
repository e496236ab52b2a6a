// SQLite with its session extension, which its header shows only on request, and the variadic calls that Swift
// cannot make. No logic.
#ifndef SQLITE_ENABLE_SESSION
#define SQLITE_ENABLE_SESSION 1
#endif
#ifndef SQLITE_ENABLE_PREUPDATE_HOOK
#define SQLITE_ENABLE_PREUPDATE_HOOK 1
#endif
#include <sqlite3.h>
#include <sys/vfs.h>  // statfs, which tells network file systems from local ones

/// Turns a connection's triggers on or off. Returns SQLite's result code.
static inline int daw_enable_triggers(sqlite3 *database, int isOn) {
  return sqlite3_db_config(database, SQLITE_DBCONFIG_ENABLE_TRIGGER, isOn, (int *)0);
}

/// Turns a connection's foreign keys, their checks and their actions, on (1) or off (0), within a transaction too, where
/// `PRAGMA foreign_keys` does nothing; -1 leaves them. Returns whether they are on afterwards.
static inline int daw_enable_foreign_keys(sqlite3 *database, int isOn) {
  int result = 0;
  sqlite3_db_config(database, SQLITE_DBCONFIG_ENABLE_FKEY, isOn, &result);
  return result;
}

/// Sets one of a connection's switches, SQLITE_DBCONFIG_…, that is on or off. Returns SQLite's result code.
static inline int daw_set_switch(sqlite3 *database, int which, int isOn) {
  return sqlite3_db_config(database, which, isOn, (int *)0);
}
