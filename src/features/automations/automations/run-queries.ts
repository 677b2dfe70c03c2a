/** Queries of the work queue of runs. */

import { sql } from 'kysely';
import type { EveryTenantDb } from '../../../db/every-tenant.ts';
import { groupsBySize } from '../../../db/groups-by-size.ts';
import type { Time } from '../../../db/tables.ts';
import { momentOfId } from '../../../db/time-ordered-id.ts';
import { type CountedEvent, countHoursCall } from '../../../overview/hourly-counts.ts';
import type { Platform } from '../../../platform.ts';
import type { JsonColumn } from '../../../resources/field-types.ts';
import type { FollowUp } from '../../../resources/follow-up.ts';
import { AUTOMATION_INPUTS } from '../../../stored-bytes/kinds.ts';
import { storedBytes } from '../../../stored-bytes/stored-bytes.ts';
import type { ScopedDb } from '../../../tenancy/scoped-db.ts';
import type { Claim } from '../../../work-queue/claim.ts';
import type { Ack, QueueItem } from '../../../work-queue/work-queue.ts';
import { toRow } from '../../../work-queue/work-queue-queries.ts';
import { keptParts, SMALL_INPUT_BYTES } from './kept-inputs.ts';
import type { AutomationDefinition, TriggerType } from './schema.ts';
import type { Entry } from './visitor.ts';

/** The trigger of a run, as expressions read it. */
export type Trigger = Readonly<Record<string, unknown>>;

/** The final failure of a run with `on_failure` actions. */
export interface RunFailure {
  readonly error: string;
  /** Key of the failed action, or null if none had begun. */
  readonly action: string | null;
  readonly at: string;
}

interface AutomationRunRow extends QueueItem {
  automation_version: number;
  trigger_type: TriggerType;
  trigger: JsonColumn<Trigger>;
  input_bytes: number;
  is_input_kept: boolean;
  record_id: string | null;
  place: number;
  source_key: string | null;
  chain: JsonColumn<readonly string[]>;
  root_id: string | null;
  actions: JsonColumn<readonly Entry[]>;
  is_skipped: boolean;
  failure: JsonColumn<RunFailure> | null;
  created_at: Time;
  started_at: Time | null;
  finished_at: Time | null;
}

declare module '../../../db/tables.ts' {
  interface Tables {
    automation_runs: AutomationRunRow;
    automation_versions: {
      tenant_id: string;
      automation_id: string;
      version: number;
      definition: JsonColumn<AutomationDefinition>;
      /** Time at which the version was replaced, or null if it is current. */
      replaced_at: Time | null;
    };
  }
}

/** Columns that claims of runs return. */
export const RUN_COLUMNS = [
  'automation_version',
  'trigger',
  'actions',
  'chain',
  'root_id',
  'started_at',
  'failure',
] as const;
/** Columns that may be large. */
export const LARGE_COLUMNS = ['trigger', 'actions'] as const;

/** A claimed run. The large columns of a large run are null, and `left_out` is their size in bytes. */
export interface ClaimedRun {
  readonly automation_version: number;
  readonly trigger: Trigger | null;
  readonly actions: readonly Entry[] | null;
  readonly chain: readonly string[];
  readonly root_id: string | null;
  readonly started_at: string | null;
  /** Not null if the `on_failure` actions are to run. */
  readonly failure: RunFailure | null;
  readonly left_out: number;
  /**
   * True if the automation was active when the run was created, just before its first attempt. If absent, check again.
   */
  readonly isActive?: boolean;
}

/** The progress of a run after an attempt, and the reason if it was skipped or failed. */
export interface RunProgress {
  /** Completed actions; null if they are already stored. */
  readonly actions: readonly Entry[] | null;
  /** Time at which this attempt began the run. Null if it is already stored or the run has not begun. */
  readonly startedAt: Date | null;
  /** Reason why the run was skipped. */
  readonly skipped?: string;
  /** Set if the run has finally failed and its failure actions still have to run. */
  readonly failure?: RunFailure;
}

/** An automation of claimed runs. */
export interface LoadedAutomation {
  readonly automation_id: string;
  readonly version: number;
  readonly is_active: boolean;
  /** Null if it was not requested or is no longer stored. */
  readonly definition: AutomationDefinition | null;
}

/** A version of an automation, and whether its definition is needed. */
export interface VersionRequest {
  readonly tenantId: string;
  readonly automationId: string;
  readonly version: number;
  readonly needsDefinition: boolean;
}

/** Reads automations of several tenants with as few statements as the database allows. */
export async function loadAutomations(
  all: EveryTenantDb,
  requests: readonly VersionRequest[],
): Promise<LoadedAutomation[]> {
  const loaded = await all.byTenant(
    requests,
    ({ tenantId }) => tenantId,
    async (db, own) => {
      const { rows } = await db.raw(sql<LoadedAutomation>`
        select * from tessera_load_automations(${db.tenantId}, ${own.map(({ tenantId }) => tenantId)},
          ${own.map(({ automationId }) => automationId)}, ${own.map(({ version }) => version)},
          ${own.map(({ needsDefinition }) => needsDefinition)})`);
      return rows;
    },
  );
  return loaded.flat();
}

/** Reads the large columns of a run. */
export async function findLargeColumns(
  db: ScopedDb,
  id: string,
): Promise<{ readonly trigger: Trigger; readonly actions: readonly Entry[] } | undefined> {
  return db.query
    .selectFrom('automation_runs')
    .select(['trigger', 'actions'])
    .where('id', '=', id)
    .executeTakeFirst();
}

/** SQLSTATE if another worker has claimed the run (sql/save-actions.sql). */
export const CLAIM_LOST = 'TL001';
/** SQLSTATE if the result may be too long to be stored by the statement that produces it (sql/save-actions.sql). */
export const RESULT_TOO_LONG = 'TL002';

/**
 * Stores the completed actions of a run. Fails with CLAIM_LOST if another worker has claimed the run, or if more
 * actions are stored. So a caller may repeat a call whose outcome it does not know.
 */
export async function saveActions(
  db: ScopedDb,
  { id, claimId }: Pick<Claim, 'id' | 'claimId'>,
  actions: readonly Entry[],
  startedAt: Date,
): Promise<void> {
  await db.raw(
    (tenantId) => sql`
      select tessera_save_actions(${tenantId}, ${id}, ${claimId}, ${startedAt}, ${actions.length},
        ${JSON.stringify(actions)})`,
  );
}

/**
 * Returns a follow-up that does the same as `saveActions`, but within the statement that writes a record. The record is
 * the result of the last action. Also fails with RESULT_TOO_LONG.
 */
export function saveActionsFollowUp(
  { tenantId, id, claimId }: Pick<Claim, 'tenantId' | 'id' | 'claimId'>,
  earlier: readonly Entry[],
  entry: Omit<Entry, 'result'>,
  startedAt: Date,
): FollowUp {
  const last = `${JSON.stringify(entry).slice(0, -1)},"result":`;
  const text = `[${[...earlier.map((each) => JSON.stringify(each)), last].join(',')}`;
  return {
    shape: 'save actions',
    values: [tenantId, id, claimId, startedAt, earlier.length + 1, text],
    call: ({ json }, [...progress]) => sql`tessera_save_actions(${sql.join([...progress, json])})`,
    onResult: () => {},
  };
}

/** Writes the outcomes of runs, in batches of limited size. */
export async function acknowledgeRuns(
  all: EveryTenantDb,
  acks: readonly Ack<RunProgress>[],
  platform: Platform,
): Promise<void> {
  const failed: CountedEvent[] = [];
  const rows = acks.map((ack) => {
    const row = toAckRow(platform, ack);
    const { tenantId, targetId: subjectId } = ack.claim;
    if (row.state === 'failed' && !row.is_skipped)
      failed.push({ tenantId, name: 'failed_runs', subjectId, at: ack.at });
    const text = JSON.stringify(row);
    return { text, bytes: text.length };
  });
  for (const group of groupsBySize(rows)) {
    const texts = group.map(({ text }) => text);
    const { rows: changed } = await all.raw(sql<{ tenant_id: string; id: string; bytes: number }>`
      select tenant_id, id, bytes::int
      from tessera_acknowledge_runs(${all.tenantId}, ${`[${texts.join(',')}]`}, ${SMALL_INPUT_BYTES})`);
    for (const { tenant_id, id, bytes } of changed)
      storedBytes(platform).add(tenant_id, AUTOMATION_INPUTS, bytes, momentOfId(id));
  }
  if (failed.length > 0) await all.raw(sql`select ${countHoursCall(all, failed)}`);
}

function toAckRow(platform: Platform, ack: Ack<RunProgress>) {
  const { outcome, at, claim } = ack;
  const result = 'result' in outcome ? outcome.result : undefined;
  const row = toRow(ack);
  // A failed run continues with its failure actions, with the full number of attempts.
  const continued = result?.failure === undefined ? {} : { state: 'pending', faults: 0 };
  const state = continued.state ?? row.state;
  return {
    ...{ ...row, ...continued },
    error: result?.skipped ?? row.error,
    actions: result?.actions ?? null,
    failure: result?.failure ?? null,
    started_at: result?.startedAt ?? null,
    finished_at: state === 'pending' ? null : at,
    is_skipped: result?.skipped !== undefined,
    ...keptParts(platform, claim.tenantId, state),
  };
}
