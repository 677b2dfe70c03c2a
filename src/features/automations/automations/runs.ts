/** Runs as the API shows them. */

import { type Expression, expressionBuilder, sql } from 'kysely';
import Type from 'typebox';
import type { Tables } from '../../../db/tables.ts';
import { NOT_FOUND } from '../../../errors/platform-errors.ts';
import { hidden, integer, json, moment, text, time, uuid } from '../../../resources/fields.ts';
import type { FilterField } from '../../../resources/filter-field.ts';
import { uuidKey, within } from '../../../resources/keys.ts';
import { defineResource } from '../../../resources/resource.ts';
import { ActionEntry, RunStatus, TriggerType } from './schema.ts';

const byPlatform = { writes: 'platform' } as const;
const momentOrNull = time(Type.String(), { nullable: true, ...byPlatform });

/**
 * A new run is due at the time of its request. If a worker claims it, its due time is the end of the lease. If the
 * worker returns it without an attempt, it is due at once.
 */
function statusOf(table: string): Expression<string> {
  const column = (name: string) => sql.ref(`${table}.${name}`);
  return sql<string>`case when ${column('is_skipped')} then 'skipped' when ${column('state')} = 'success' then 'succeeded'
    when ${column('state')} = 'failed' then 'failed'
    when ${column('started_at')} is null and (${column('due_at')} = ${column('created_at')} or ${column('due_at')} <= now())
      then 'queued' else 'running' end`;
}

/** Key of the automation in the run's version. Versions are kept longer than runs. */
function keyOf(table: string) {
  return versionOf(table).select(KEY.as('key'));
}

const KEY = sql<string>`v.definition ->> 'key'`;

function versionOf(table: string) {
  const column = <T>(name: string) => sql<T>`${sql.ref(`${table}.${name}`)}`;
  return expressionBuilder<Tables, never>()
    .selectFrom('automation_versions as v')
    .where('v.automation_id', '=', column<string>('target_id'))
    .where('v.version', '=', column<number>('automation_version'));
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
  automation_key: text(Type.String(), { nullable: true, computed: keyOf, ...byPlatform }),
  automation_version: integer(
    Type.Integer({ description: 'Version of the automation that the run executes.' }),
    byPlatform,
  ),
  attempts: integer(Type.Integer({ description: 'Finished attempts.' }), byPlatform),
};

const statusFilter: FilterField = {
  values: RunStatus.enum,
  type: 'text',
  sql: (compare) => compare(statusOf('automation_runs')),
};

const common = { title: 'AutomationRun', table: 'automation_runs', notFound: NOT_FOUND, fields } as const;

/** The runs of an automation (`target_id`), newest first. */
export const runs = defineResource({
  ...common,
  key: within(uuidKey('target_id'), uuidKey('id')),
  filters: { status: statusFilter },
});

/** The runs of all automations, newest first. */
export const allRuns = defineResource({
  ...common,
  key: uuidKey('id'),
  filters: {
    status: statusFilter,
    key: {
      type: 'text',
      sql: (compare) => {
        const { exists } = expressionBuilder<Tables, never>();
        return exists(versionOf('automation_runs').where(compare(KEY)).select(KEY.as('key')));
      },
    },
  },
});
