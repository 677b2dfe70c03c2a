/**
 * Outcomes of the attempts of each webhook. Its row has the failures since its last success, by which the overview
 * decides whether it needs attention; counts per hour say how many deliveries succeeded and failed.
 */
import { type RawBuilder, type SqlBool, sql } from 'kysely';
import type { EveryTenantDb } from '../db/every-tenant.ts';
import type { Time } from '../db/tables.ts';
import { countHoursCall } from '../overview/hourly-counts.ts';
import type { Ack } from './work-queue.ts';

/** Failed attempts in a row from which a webhook needs attention, although its deliveries are still retried. */
export const MANY_FAILED_ATTEMPTS = 3;

/** Columns of a webhook: its failures since its last success. */
export interface FailureColumns {
  /** Null while the last attempt was a success, and before the first. */
  failing_since: Time | null;
  failed_attempts: number;
  /** Deliveries that are not retried any more. */
  failed_deliveries: number;
}

/** The condition of webhooks that need attention (docs/specification/overview.md#webhooks). */
export const IS_FAILING = sql<SqlBool>`failing_since is not null
  and (failed_deliveries > 0 or failed_attempts >= ${sql.lit(MANY_FAILED_ATTEMPTS)})`;

/**
 * The place that records the outcomes of targets: a table with `last_successful`, `last_failure` and `FailureColumns`,
 * or an SQL function with the JSON of `tessera_record_target_outcomes`.
 */
export type OutcomePlace = { readonly table: string } | { readonly function: string };

/** The outcomes of a target in a batch. */
interface TargetOutcomes {
  readonly tenant_id: string;
  readonly id: string;
  success: Date | null;
  failure: Date | null;
  failing_since: Date | null;
  attempts: number;
  deliveries: number;
}

/** Builds the SQL calls that record the outcomes of a batch. */
export function outcomeCalls(
  all: EveryTenantDb,
  place: OutcomePlace,
  acks: readonly Ack<unknown>[],
): RawBuilder<unknown>[] {
  const attempted = acks.filter(({ outcome }) => outcome.kind !== 'drop');
  if (attempted.length === 0) return [];
  const json = JSON.stringify(sumOutcomes(attempted));
  const record =
    'table' in place
      ? sql`tessera_record_target_outcomes(${place.table}::regclass, ${json}::json)`
      : sql`${sql.raw(place.function)}(${json}::json)`;
  return [record, ...countCalls(all, attempted)];
}

function sumOutcomes(acks: readonly Ack<unknown>[]): TargetOutcomes[] {
  const byTarget = new Map<string, TargetOutcomes>();
  for (const { claim, outcome, at } of acks.toSorted((a, b) => a.at.getTime() - b.at.getTime())) {
    const key = `${claim.tenantId} ${claim.targetId}`;
    const noFailure = { failing_since: null, attempts: 0, deliveries: 0 };
    const none = {
      tenant_id: claim.tenantId,
      id: claim.targetId,
      success: null,
      failure: null,
      ...noFailure,
    };
    const target: TargetOutcomes = byTarget.get(key) ?? none;
    byTarget.set(key, target);
    if (outcome.kind === 'success') {
      Object.assign(target, noFailure, { success: at });
      continue;
    }
    target.failure = at;
    target.failing_since ??= at;
    target.attempts += 1;
    target.deliveries += outcome.kind === 'failed' ? 1 : 0;
  }
  return [...byTarget.values()];
}

/** Counts finished deliveries: of each webhook, and of all webhooks of the tenant. */
function countCalls(all: EveryTenantDb, acks: readonly Ack<unknown>[]): RawBuilder<unknown>[] {
  const counts = acks.flatMap(({ claim: { tenantId, targetId }, outcome: { kind }, at }) => {
    if (kind !== 'success' && kind !== 'failed') return [];
    const isSuccess = kind === 'success';
    return [
      { tenantId, name: isSuccess ? 'webhook_succeeded' : 'webhook_failed', subjectId: targetId, at },
      { tenantId, name: isSuccess ? 'deliveries' : 'failed_deliveries', subjectId: tenantId, at },
    ] as const;
  });
  return counts.length === 0 ? [] : [countHoursCall(all, counts)];
}
