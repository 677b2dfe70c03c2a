/** Runs are asked for in the transaction of what sets them off, so that neither is there without the other. */
import { sql } from 'kysely';
import { v7 as uuidv7 } from 'uuid';
import type { Platform } from '../../platform.ts';
import type { Actor } from '../../tenancy/actor.ts';
import type { ScopedDb } from '../../tenancy/scoped-db.ts';
import { homeIn } from '../../tenancy/tenant-home.ts';
import type { TriggerType } from './schema.ts';

/** Runs that one leads to, one after the other, at most (docs/specification/automations.md#chains). */
export const MAX_CHAIN = 10;
/** The ledger of runs. */
export const AUTOMATION_RUNS = { name: 'automation-runs', table: 'automation_runs' } as const;

/** A run to be made. */
export interface RunRequest {
  /** The automation's id, and its version, with which the run stays. */
  readonly automationId: string;
  readonly version: number;
  readonly triggerType: TriggerType;
  /** JSON text of what expressions read as `trigger`. */
  readonly trigger: string;
  /** The record that has changed, where runs keep to the order of its changes. */
  readonly recordId?: string;
  /** What may come twice and is to set off one run. */
  readonly sourceKey?: string;
  /** The keys of the automations whose runs led to this one, the first one first. */
  readonly chain?: readonly string[];
}

/** The chain of what an actor sets off. */
export function chainOf(actor: Actor): readonly string[] {
  return actor.kind === 'automation' ? [...actor.chain, actor.key] : [];
}

/**
 * Asks for runs; those of a source that has set off its run already are left out. A run beyond `MAX_CHAIN` is there, and has
 * failed. The changes of a record are held by the transaction until it ends, so its runs get their places in the order of commits.
 * @returns the id of each request's run; null for one that was left out.
 */
export async function requestRuns(
  tx: ScopedDb,
  { platform, now }: { readonly platform: Pick<Platform, 'ledgers'>; readonly now: Date },
  requests: readonly RunRequest[],
): Promise<readonly (string | null)[]> {
  if (requests.length === 0) return [];
  const ids = requests.map(() => uuidv7());
  const { rows } = await tx.raw(
    (tenantId) => sql<{ id: string }>`
      with asked as materialized (
        select * from json_to_recordset(${toJsonRows(requests, ids)}::json) as asked (nth int, id uuid, target_id uuid,
          automation_version int, trigger_type text, trigger json, record_id uuid, source_key text, chain json, error text)
      )
      insert into automation_runs (tenant_id, id, target_id, state, due_at, attempts, last_error, automation_version,
        trigger_type, trigger, record_id, place, source_key, chain, created_at, started_at, finished_at)
      select home.tenant_id, a.id, a.target_id, case when a.error is null then 'pending' else 'failed' end, moment.now, 0,
        a.error, a.automation_version, a.trigger_type, a.trigger, a.record_id,
        coalesce((select max(r.place) from automation_runs r where r.tenant_id = ${tenantId}::uuid
          and r.target_id = a.target_id and r.record_id = a.record_id and r.state = 'pending'), 0) + a.nth,
        a.source_key, a.chain, moment.now, case when a.error is not null then moment.now end,
        case when a.error is not null then moment.now end
      from asked a cross join ${homeIn(tenantId)} cross join (select ${now}::timestamptz as now) moment
      on conflict (tenant_id, target_id, source_key) where source_key is not null do nothing
      returning id`,
  );
  const made = new Set(rows.map(({ id }) => id));
  if (made.size > 0) tx.afterCommit(() => platform.ledgers.wake(AUTOMATION_RUNS));
  return ids.map((id) => (made.has(id) ? id : null));
}

/** The records and what happened to them keep the text that they have. */
function toJsonRows(requests: readonly RunRequest[], ids: readonly string[]): string {
  const rows = requests.map(({ trigger, chain = [], ...request }, index) => {
    const facts = JSON.stringify({
      nth: index + 1,
      id: ids[index],
      target_id: request.automationId,
      automation_version: request.version,
      trigger_type: request.triggerType,
      record_id: request.recordId ?? null,
      source_key: request.sourceKey ?? null,
      chain,
      error: chain.length < MAX_CHAIN ? null : overlongChain(chain),
    });
    return `${facts.slice(0, -1)},"trigger":${trigger}}`;
  });
  return `[${rows.join(',')}]`;
}

function overlongChain(chain: readonly string[]): string {
  return `Automations have set each other off more than ${MAX_CHAIN} times in a row: ${chain.join(' > ')}.`;
}
