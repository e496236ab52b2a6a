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

/// Lets a connection leave the write-ahead log as it is when it closes. Returns SQLite's result code.
static inline int daw_keep_log(sqlite3 *database) {
  return sqlite3_db_config(database, SQLITE_DBCONFIG_NO_CKPT_ON_CLOSE, 1, (int *)0);
}
