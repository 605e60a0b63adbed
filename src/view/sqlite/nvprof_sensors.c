/* SPDX-License-Identifier: MIT */
/* The table ENVIRONMENT: samples of the run that the tool has just made (view/sensors.h). */
#include "view/sqlite/nvprof.h"

#include "view/sensors.h"
#include "view/sqlite/database.h"
#include "view/sqlite/libsqlite.h"

/* Devices are found by their UUID. Each process of the run has a database of its own, with the
 * samples from 1 s before its start to 1 s after its end, since there is one sample per second. */
static const char sql[] =
	"INSERT INTO CUPTI_ACTIVITY_KIND_ENVIRONMENT(deviceId, timestamp, environmentKind, data) "
	"SELECT id, ?1, ?2, ?3 FROM CUPTI_ACTIVITY_KIND_DEVICE, "
	"(SELECT min(start) AS start, max(end) AS end FROM CP_PROCESS) "
	"WHERE uuid = ?4 AND ?1 BETWEEN start - 1000000000 AND end + 1000000000 ORDER BY id LIMIT "
	"1";

static int put_sample(struct nvprof *nvprof, sqlite3_stmt *statement,
		      const struct sensor_sample *sample, struct strbuf *error)
{
	sqlite.bind_int64(statement, 1, (int64_t)sample->moment);
	sqlite.bind_int64(statement, 2, sample->kind);
	sqlite.bind_blob(statement, 3, sample->values, sizeof(sample->values), SQLITE_TRANSIENT);
	sqlite.bind_blob(statement, 4, sample->uuid, sizeof(sample->uuid), SQLITE_TRANSIENT);
	sqlite.step(statement);
	return sqlite.reset(statement) == SQLITE_OK ? 0 : database_refused(nvprof->database, error);
}

int nvprof_put_sensors(struct nvprof *nvprof, struct strbuf *error)
{
	size_t count;
	const struct sensor_sample *samples = sensors_all(&count);
	sqlite3_stmt *statement = NULL;
	int result = 0;

	if (!count || nvprof->form != &form_nvprof)
		return 0;
	result = database_prepare(nvprof->database, sql, &statement, error);
	for (size_t i = 0; i < count && !result; i++)
		result = put_sample(nvprof, statement, &samples[i], error);
	sqlite.finalize(statement);
	return result;
}
