/** Runs are asked for in the transaction of what sets them off, so that neither is there without the other. */
import { type RawBuilder, sql } from 'kysely';
import type { Platform } from '../../platform.ts';
import type { FollowUp, WrittenSql, WrittenTexts } from '../../resources/follow-up.ts';
import type { Actor } from '../../tenancy/actor.ts';
import type { ScopedDb } from '../../tenancy/scoped-db.ts';
import { askedRuns, begunOnceMade, type MadeRun, type RunFacts, toJsonRows } from './making-runs.ts';

/** What sets runs off, in characters of JSON, that may be kept until the next statement is sent. */
const MAX_WAITING_CHARS = 65_536;

/** A run to be made. */
export interface RunRequest extends RunFacts {
  /** JSON text of what expressions read as `trigger`. */
  readonly trigger: string;
}

interface Asking {
  readonly platform: Pick<Platform, 'ledgers'>;
  readonly now: Date;
}

/** The chain of what an actor sets off. */
export function chainOf(actor: Actor): readonly string[] {
  return actor.kind === 'automation' ? [...actor.chain, actor.key] : [];
}

/**
 * Asks for runs; those of a source that has set off its run already are left out. A run beyond `MAX_CHAIN` is there, and has
 * failed. The changes of a record are held by the transaction until it ends, so its runs get their places in the order of commits.
 * A run that waits for no other one is begun by this process as soon as it has committed, if there is room for it.
 * @returns the id of each request's run; null for one that was left out.
 */
export async function requestRuns(
  tx: ScopedDb,
  { platform: { ledgers }, now }: Asking,
  requests: readonly RunRequest[],
): Promise<readonly (string | null)[]> {
  if (requests.length === 0) return [];
  const asked = askedRuns(ledgers, tx.tenantId, requests);
  const triggers = requests.map(({ trigger }) => trigger);
  const write = (tenantId: string) =>
    sql<{ made: readonly MadeRun[] }>`
      select tessera_make_runs(${tenantId}, ${now}, ${toJsonRows(asked, triggers)}) as made`;
  const made: MadeRun[] = [];
  const { told, begin } = begunOnceMade(ledgers, tx.tenantId, asked);
  const read = (rows: readonly { readonly made: readonly MadeRun[] }[]) => {
    made.push(...rows.flatMap((row) => row.made));
    told(made, (place) => triggers[place] ?? 'null');
  };
  // Only of a source that may come twice it is not known which runs there will be.
  const mayLeaveOut = requests.some(({ sourceKey }) => sourceKey !== undefined);
  const isSmall = triggers.reduce((sum, { length }) => sum + length, 0) <= MAX_WAITING_CHARS;
  if (!mayLeaveOut && isSmall) await tx.rawWithNext(write, read);
  else read((await tx.raw(write)).rows);
  tx.afterCommit(begin);
  const ids = new Set(made.map(({ id }) => id));
  return asked.map(({ id }) => (!mayLeaveOut || ids.has(id) ? id : null));
}

/** What a change of a record sets runs off by: JSON as SQL of the record that was written, and the same as text. */
export interface ChangeTrigger {
  readonly sql: (record: WrittenSql) => RawBuilder<unknown>;
  readonly text: (record: WrittenTexts) => string;
}

/** Asks for runs as `requestRuns`, but by the statement that changes or makes the one record that sets them off. */
export function followingRuns(
  { platform: { ledgers }, now, tenantId }: Asking & { readonly tenantId: string },
  runs: readonly Omit<RunFacts, 'sourceKey'>[],
  trigger: ChangeTrigger,
): FollowUp<readonly MadeRun[]> {
  const asked = askedRuns(ledgers, tenantId, runs);
  const { told, begin } = begunOnceMade(ledgers, tenantId, asked);
  return {
    shape: 'make runs',
    values: [tenantId, now, toJsonRows(asked)],
    call: (record, [tenant, at, rows]) =>
      sql`tessera_make_runs(${tenant}, ${at}, ${rows}, ${trigger.sql(record)})`,
    told: (db, made, record) => {
      told(made, () => trigger.text(record));
      db.afterCommit(begin);
    },
  };
}
