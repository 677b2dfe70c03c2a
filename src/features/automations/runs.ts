/** Runs as they are shown. */
import { type Expression, sql } from 'kysely';
import Type from 'typebox';
import { NOT_FOUND } from '../../errors/platform-errors.ts';
import { hidden, integer, json, moment, text, time, uuid } from '../../resources/fields.ts';
import { uuidKey, within } from '../../resources/keys.ts';
import { defineResource } from '../../resources/resource.ts';
import { ActionEntry, RunStatus, TriggerType } from './schema.ts';

const byPlatform = { writes: 'platform' } as const;
const momentOrNull = time(Type.String(), { nullable: true, ...byPlatform });

/** One that nobody has claimed is due when it was asked for; one that was given back, since then. */
function statusOf(table: string): Expression<string> {
  const column = (name: string) => sql.ref(`${table}.${name}`);
  return sql<string>`case when ${column('is_skipped')} then 'skipped' when ${column('state')} = 'success' then 'succeeded'
    when ${column('state')} = 'failed' then 'failed'
    when ${column('started_at')} is null and (${column('due_at')} = ${column('created_at')} or ${column('due_at')} <= now())
      then 'queued' else 'running' end`;
}

const fields = {
  target_id: hidden(uuid(Type.String(), byPlatform)),
  run_id: uuid(Type.String(), { column: 'id', ...byPlatform }),
  status: text(RunStatus, { computed: statusOf, ...byPlatform }),
  trigger_type: text(TriggerType, byPlatform),
  started_at: momentOrNull,
  finished_at: momentOrNull,
  error: text(Type.String(), { column: 'last_error', nullable: true, ...byPlatform }),
  actions: json(Type.Array(ActionEntry), byPlatform),
  created_at: moment,
  automation_version: integer(
    Type.Integer({ description: 'The version of the automation with which it began.' }),
    byPlatform,
  ),
  attempts: integer(Type.Integer({ description: 'Tries that have ended.' }), byPlatform),
};

/** The runs of an automation (`target_id`), newest first. */
export const runs = defineResource({
  title: 'AutomationRun',
  table: 'automation_runs',
  key: within(uuidKey('target_id'), uuidKey('id')),
  notFound: NOT_FOUND,
  fields,
  filters: {
    status: { type: 'text', sql: (compare) => compare(statusOf('automation_runs')) },
  },
});
