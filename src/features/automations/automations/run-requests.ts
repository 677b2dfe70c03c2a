/** Runs are requested in the transaction of their source, so that neither exists without the other. */
import { type RawBuilder, sql } from 'kysely';
import { AppError } from '../../../errors/app-error.ts';
import type { Platform } from '../../../platform.ts';
import type { FollowUp, WrittenRecordSql, WrittenRecordTexts } from '../../../resources/follow-up.ts';
import type { ScopedDb } from '../../../tenancy/scoped-db.ts';
import type { WorkQueues } from '../../../work-queue/process-queues.ts';
import { TOO_MANY_RUNS } from './errors.ts';
import {
  type CreatedRuns,
  type NewRun,
  prepareRuns,
  type RequestedRun,
  runStarter,
  toJsonRows,
} from './run-creation.ts';
import { isKnownFull, MAX_CAUSED, MAX_WAITING, runBounds } from './run-limits.ts';

/** `Retry-After` of a refused call, in seconds. */
const RETRY_AFTER_SECONDS = 60;

/** A run to add. */
export interface RunRequest extends NewRun {
  /** JSON text that expressions read as `trigger`. */
  readonly trigger: string;
}

interface RequestContext {
  readonly platform: Platform;
  readonly now: Date;
}

/**
 * Requests runs, caused by the current work. A source that already has its run gets no second one.
 * Runs beyond `MAX_CHAIN` and `MAX_WAITING` are added as failed; beyond `MAX_CAUSED`, one failed run per automation.
 * The transaction locks the changes of a record until it ends, so runs follow the order of commits.
 * Right after the commit, free workers of this process begin runs that need not wait for another run of their record.
 * @returns the id of each request's run, or null for a duplicate or refused run.
 * @throws AppError TOO_MANY_RUNS if a run without record and source was refused: its caller needs the id.
 */
export async function requestRuns(
  tx: ScopedDb,
  { platform, now }: RequestContext,
  requests: readonly RunRequest[],
): Promise<readonly (string | null)[]> {
  if (requests.length === 0) return [];
  const requested = prepareRuns(platform.workQueues, tx.tenantId, requests);
  const bounds = boundsOf(platform.workQueues, tx.tenantId, requested);
  const triggers = requests.map(({ trigger }) => trigger);
  const { onCreated, begin } = runStarter(platform, tx.tenantId, requested);
  const { rows } = await tx.raw(
    (tenantId) => sql<{ made: CreatedRuns }>`
      select tessera_make_runs(${tenantId}, ${now}, ${toJsonRows(requested, triggers)}, null, ${bounds}::json) as made`,
  );
  for (const { made } of rows) onCreated(made, (index) => triggers[index] ?? 'null');
  tx.afterCommit(begin);
  const ids = new Set(rows.flatMap(({ made }) => made.runs.map(({ id }) => id)));
  const isCreated = ({ id }: RequestedRun) => ids.has(id);
  if (requested.some((run) => needsId(run) && !isCreated(run)))
    throw tooManyRuns(platform.workQueues, tx.tenantId);
  return requested.map((run) => (isCreated(run) ? run.id : null));
}

function needsId({ details: { recordId, sourceKey } }: RequestedRun): boolean {
  return recordId === undefined && sourceKey === undefined;
}

function tooManyRuns(workQueues: WorkQueues, tenantId: string): AppError {
  const message = isKnownFull(workQueues, tenantId)
    ? `${MAX_WAITING} runs of the tenant are already waiting. Try again later.`
    : `The event that caused this call has already caused ${MAX_CAUSED} runs.`;
  return new AppError(TOO_MANY_RUNS, { message, retryAfterSeconds: RETRY_AFTER_SECONDS });
}

function boundsOf(
  workQueues: WorkQueues,
  tenantId: string,
  requested: readonly RequestedRun[],
): string | null {
  return runBounds(workQueues, tenantId, { cause: requested[0]?.cause ?? null, runs: requested.length });
}

/** The trigger of a record change: as SQL over the written record, and as JSON text. */
export interface ChangeTrigger {
  readonly sql: (record: WrittenRecordSql) => RawBuilder<unknown>;
  readonly text: (record: WrittenRecordTexts) => string;
}

/** Returns a follow-up that requests runs as `requestRuns` does, in the statement that writes the triggering record. */
export function runRequestFollowUp(
  { platform, now, tenantId }: RequestContext & { readonly tenantId: string },
  runs: readonly Omit<NewRun, 'sourceKey'>[],
  trigger: ChangeTrigger,
): FollowUp<CreatedRuns> {
  const requested = prepareRuns(platform.workQueues, tenantId, runs);
  const { onCreated, begin } = runStarter(platform, tenantId, requested);
  return {
    shape: 'make runs',
    values: [tenantId, now, toJsonRows(requested), boundsOf(platform.workQueues, tenantId, requested)],
    call: (record, [tenant, at, rows, bounds]) =>
      sql`tessera_make_runs(${tenant}, ${at}, ${rows}, ${trigger.sql(record)}, ${bounds})`,
    onResult: (db, made, record) => {
      onCreated(made, () => trigger.text(record));
      db.afterCommit(begin);
    },
  };
}
