/* SPDX-License-Identifier: MIT */
#include "view/sqlite/database.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>

#include "output/escape.h"
#include "view/newfile.h"
#include "view/sqlite/libsqlite.h"

/* Limits for an untrusted database. */
static const struct {
	int limit;
	int value;
} limits[] = {
	{SQLITE_LIMIT_LENGTH, 1 << 24},
	{SQLITE_LIMIT_SQL_LENGTH, 1 << 20},
	{SQLITE_LIMIT_EXPR_DEPTH, 20},
	{SQLITE_LIMIT_COLUMN, 200},
};

/* SQLite does not keep the errno of a write that fails in a commit, so the last errno is used.
 * Returns true if it can be that of a write. */
static bool is_of_write(int error)
{
	return error == EFBIG || error == ENOSPC || error == EDQUOT || error == EIO;
}

/* Returns the system's reason for an error of input or output, or SQLite's. */
static const char *reason_of(sqlite3 *database, int last)
{
	int code = sqlite.errcode(database) & 0xff;
	int error = sqlite.system_errno(database);

	if (!error && code == SQLITE_IOERR && is_of_write(last))
		error = last;
	if (code == SQLITE_INTERRUPT)
		return "reading takes too long for its size";
	if (error && (code == SQLITE_IOERR || code == SQLITE_CANTOPEN))
		return strerror(error);
	return sqlite.errmsg(database);
}

/* SQLite's messages may contain names of the database. */
static int refuse(sqlite3 *database, bool reading, struct strbuf *error)
{
	const char *why = reason_of(database, errno), *path = newfile_name();

	if (!*path)
		path = sqlite.db_filename(database, "main");
	strbuf_printf(error, "cannot %s %s: ", reading ? "read" : "write",
		      !reading && path ? path : "the database");
	escape_put(error, why, strlen(why), ESCAPE_TEXT);
	return -1;
}

int database_refused(sqlite3 *database, struct strbuf *error)
{
	return refuse(database, sqlite.db_readonly(database, "main") == 1, error);
}

/* Work is counted in instructions of SQLite's virtual machine. The most work per byte is for rows
 * with one or two bytes per column that are read, sorted and looked up; that takes half of this
 * limit. */
enum { PART = 10000 /* steps */, STEPS_OF_BYTE = 32, PARTS_OF_ANY = 1000 };

static int do_part(void *at)
{
	struct database_work *work = at;

	if (!work->left)
		return 1;
	work->left--;
	return 0;
}

static int limit_work(sqlite3 *database, struct database_work *work, struct strbuf *error)
{
	static const char sql[] = "SELECT page_count * page_size FROM pragma_page_count, "
				  "pragma_page_size";
	sqlite3_stmt *statement = NULL;
	uint64_t bytes = 0;

	if (sqlite.prepare_v2(database, sql, -1, &statement, NULL) == SQLITE_OK &&
	    sqlite.step(statement) == SQLITE_ROW)
		bytes = (uint64_t)sqlite.column_int64(statement, 0);
	if (sqlite.finalize(statement) != SQLITE_OK)
		return database_refused(database, error);
	work->left = bytes / (PART / STEPS_OF_BYTE) + PARTS_OF_ANY;
	sqlite.progress_handler(database, PART, do_part, work);
	return 0;
}

/* Views and functions in the database could run without end. A damaged page is reported at once. */
static int set_untrusted(sqlite3 *database, struct database_work *work, struct strbuf *error)
{
	for (size_t i = 0; i < sizeof(limits) / sizeof(limits[0]); i++)
		sqlite.limit(database, limits[i].limit, limits[i].value);
	sqlite.db_config(database, SQLITE_DBCONFIG_DEFENSIVE, 1, NULL);
	sqlite.db_config(database, SQLITE_DBCONFIG_TRUSTED_SCHEMA, 0, NULL);
	sqlite.db_config(database, SQLITE_DBCONFIG_ENABLE_TRIGGER, 0, NULL);
	sqlite.db_config(database, SQLITE_DBCONFIG_ENABLE_VIEW, 0, NULL);
	return database_run(database, "PRAGMA cell_size_check = ON", error) ||
			       limit_work(database, work, error)
		       ? -1
		       : 0;
}

/* Returns true if the database uses a write-ahead log that is empty or missing. */
static bool has_idle_log(const char *path)
{
	enum { READ_VERSION = 19, LOGGED = 2 }; /* of the file's header */
	struct strbuf log = STRBUF_INIT;
	FILE *file = fopen(path, "re");
	struct stat status;
	bool idle = file && !fseek(file, READ_VERSION, SEEK_SET) && getc(file) == LOGGED;

	strbuf_printf(&log, "%s-wal", path);
	idle = idle && !log.failed && (stat(strbuf_text(&log), &status) || !status.st_size);
	strbuf_free(&log);
	if (file)
		fclose(file);
	return idle;
}

/* Opens the file as immutable. Otherwise SQLite creates and leaves two files beside a database with
 * a write-ahead log, even for reading. */
static void put_unchanging(struct strbuf *uri, const char *path)
{
	strbuf_string(uri, *path == '/' ? "file://" : "file:");
	for (; *path; path++) {
		if (*path == '?' || *path == '#' || *path == '%')
			strbuf_printf(uri, "%%%02x", *path);
		else
			strbuf_char(uri, *path);
	}
	strbuf_string(uri, "?immutable=1");
}

/* SQLite takes "file:..." for a URI and ":memory:" for a database in memory. With a directory in
 * front each name is that of a file. */
static void put_file(struct strbuf *name, const char *path)
{
	strbuf_string(name, *path == '/' ? "" : "./");
	strbuf_string(name, path);
}

static int open_file(const char *path, bool hostile, sqlite3 **database)
{
	int flags = SQLITE_OPEN_NOMUTEX /* used by one thread */, result;
	struct strbuf name = STRBUF_INIT;

	flags |= hostile ? SQLITE_OPEN_READONLY : SQLITE_OPEN_READWRITE;
	if (hostile && has_idle_log(path)) {
		flags |= SQLITE_OPEN_URI;
		put_unchanging(&name, path);
	} else {
		put_file(&name, path);
	}
	result = name.failed ? SQLITE_NOMEM
			     : sqlite.open_v2(strbuf_text(&name), database, flags, NULL);
	strbuf_free(&name);
	return result;
}

sqlite3 *database_open(const char *path, struct database_work *work, struct strbuf *error)
{
	sqlite3 *database = NULL;

	if (open_file(path, work, &database) == SQLITE_OK) {
		if (!work || !set_untrusted(database, work, error))
			return database;
	} else {
		refuse(database, work, error);
	}
	sqlite.close(database);
	return NULL;
}

int database_own(sqlite3 *database, struct strbuf *error)
{
	return database_run(database,
			    "PRAGMA journal_mode = OFF;"
			    "PRAGMA synchronous = OFF;"
			    "PRAGMA locking_mode = EXCLUSIVE;"
			    "PRAGMA cache_size = -16384",
			    error);
}

int database_run(sqlite3 *database, const char *sql, struct strbuf *error)
{
	if (sqlite.exec(database, sql, NULL, NULL, NULL) == SQLITE_OK)
		return 0;
	return database_refused(database, error);
}

int database_prepare(sqlite3 *database, const char *sql, sqlite3_stmt **statement,
		     struct strbuf *error)
{
	if (sqlite.prepare_v3(database, sql, -1, SQLITE_PREPARE_PERSISTENT, statement, NULL) ==
	    SQLITE_OK)
		return 0;
	return database_refused(database, error);
}

void database_columns(sqlite3 *database, const char *table, struct strbuf *columns)
{
	/* Virtual tables have no root page. Generated columns are not in table_info. */
	static const char sql[] = "SELECT i.name FROM sqlite_master AS t, pragma_table_info(?1) AS "
				  "i WHERE t.type = 'table' AND t.name = ?1 AND t.rootpage > 0";
	sqlite3_stmt *row = NULL;

	columns->length = 0;
	if (sqlite.prepare_v2(database, sql, -1, &row, NULL) != SQLITE_OK)
		return;
	sqlite.bind_text(row, 1, table, -1, SQLITE_STATIC);
	while (sqlite.step(row) == SQLITE_ROW) {
		const char *name = (const char *)sqlite.column_text(row, 0);

		if (name)
			strbuf_append(columns, name, strlen(name) + 1);
	}
	sqlite.finalize(row);
}

bool database_lists(const struct strbuf *columns, const char *name, size_t length)
{
	const char *at = columns->data, *end = at + columns->length;

	for (size_t size; at < end; at += size + 1) {
		size = strlen(at);
		if (size == length && !memcmp(at, name, length))
			return true;
	}
	return false;
}

bool database_has(sqlite3 *database, const char *table, const char *column)
{
	struct strbuf columns = STRBUF_INIT;
	bool has;

	database_columns(database, table, &columns);
	has = columns.length && database_lists(&columns, column, strlen(column));
	strbuf_free(&columns);
	return has;
}
