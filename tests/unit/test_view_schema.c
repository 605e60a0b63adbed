/* SPDX-License-Identifier: MIT */
#include <ctype.h>

#include "viewfile.h"

/* The tables of a database are compared with a list of nvprof's own, made from its files. */
enum { TABLES = 49, LINE = 4096 };

static const char *type_of(const char *table, const char *column, bool blob)
{
	if (!strcmp(column, "_id_"))
		return "INTEGER|0|1";
	if (!strcmp(table, "Version"))
		return "INTEGER|0|0";
	if (!strcmp(table, "StringTable"))
		return "TEXT|1|0";
	return blob ? "BLOB|1|0" : "INT|1|0";
}

/* Writes the columns of a line in the form of pragma_table_info. */
static void put_expected(struct strbuf *to, const char *table, char *list)
{
	to->length = 0;
	for (char *word = strtok(list, " \n"); word; word = strtok(NULL, " \n")) {
		char *colon = strchr(word, ':');

		if (colon)
			*colon = '\0';
		strbuf_printf(to, "%s|%s\n", word, type_of(table, word, colon && colon[1] == 'B'));
	}
}

static void check_columns(sqlite3 *database, const char *table, char *list)
{
	struct strbuf expected = STRBUF_INIT, text = STRBUF_INIT;
	char sql[512];

	put_expected(&expected, table, list);
	snprintf(sql, sizeof(sql),
		 "SELECT name, type, \"notnull\", pk FROM pragma_table_info('%s')", table);
	assert_string_equal(ask(database, sql, &text), strbuf_text(&expected));
	strbuf_free(&expected);
	strbuf_free(&text);
}

static void check_index(sqlite3 *database, const char *table, const char *column)
{
	struct strbuf text = STRBUF_INIT;
	char sql[1024], expected[512] = "";

	if (strcmp(column, "-") != 0)
		snprintf(expected, sizeof(expected), "INDEX_%s|%s\n", table, column);
	snprintf(sql, sizeof(sql),
		 "SELECT l.name, i.name FROM pragma_index_list('%s') l, pragma_index_info(l.name) "
		 "i WHERE l.origin = 'c'",
		 table);
	assert_string_equal(ask(database, sql, &text), expected);
	strbuf_free(&text);
}

/* Checks a line "TABLE [index or -]: columns". Returns false for a comment. */
static bool check_line(sqlite3 *database, char *line)
{
	char table[128], index[128];
	char *list = strchr(line, ':');

	if (*line == '#' || !list || sscanf(line, "%127s [%127[^]]", table, index) != 2)
		return false;
	check_columns(database, table, list + 1);
	check_index(database, table, index);
	return true;
}

static sqlite3 *make_database(void)
{
	struct strbuf error = STRBUF_INIT;

	make_trace("run.cptrace");
	if (view_trace("run.cptrace", "run.sqlite", &error))
		fail_msg("%s", strbuf_text(&error));
	return open_view("run.sqlite");
}

static void test_as_nvprof(void **state)
{
	const char *folder = getenv("COMPUTEPROF_SHARED_DATA");
	char path[4096], line[LINE];
	sqlite3 *database;
	int tables = 0;
	FILE *file;

	(void)state;
	snprintf(path, sizeof(path), "%s/schema_nvprof_cuda10.txt", folder ? folder : ".");
	file = fopen(path, "r");
	if (!file)
		skip();
	database = make_database();
	while (fgets(line, sizeof(line), file))
		tables += check_line(database, line);
	fclose(file);
	assert_int_equal(tables, TABLES);
	sqlite3_close(database);
}

/* All other tables are computeprof's, and have its prefix. */
static void test_tables(void **state)
{
	sqlite3 *database = make_database();
	struct strbuf text = STRBUF_INIT;

	(void)state;
	assert_string_equal(ask(database,
				"SELECT count(*) FROM sqlite_master WHERE type = 'table' AND name "
				"NOT GLOB 'CP_*' AND name != 'sqlite_sequence'",
				&text),
			    "49\n");
	assert_string_equal(ask(database,
				"SELECT name FROM sqlite_master WHERE type = 'table' AND name "
				"GLOB 'CP_*' ORDER BY 1",
				&text),
			    "CP_API_NAME\nCP_CONTEXT\nCP_COUNTER\nCP_DEVICE\nCP_KNOWN\n"
			    "CP_PROCESS\nCP_UNTIMED\n");
	assert_string_equal(
		ask(database, "SELECT DISTINCT type FROM sqlite_master ORDER BY 1", &text),
		"index\ntable\n");
	assert_string_equal(ask(database, "SELECT * FROM Version", &text), "11\n");
	assert_string_equal(ask(database, "PRAGMA integrity_check", &text), "ok\n");
	strbuf_free(&text);
	sqlite3_close(database);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test_setup_teardown(test_as_nvprof, set_up, tear_down),
		cmocka_unit_test_setup_teardown(test_tables, set_up, tear_down),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
