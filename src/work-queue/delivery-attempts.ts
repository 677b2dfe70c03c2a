/** The attempts of webhook deliveries: what each receiver answered, kept with the delivery for 30 days at most. */
import { type RawBuilder, sql } from 'kysely';
import type { EveryTenantDb } from '../db/every-tenant.ts';
import { storable } from '../db/storable.ts';
import { firstIdOf } from '../db/time-ordered-id.ts';
import { defineRetention } from '../jobs/retention.ts';
import type { OutboundResult } from '../outbound/outbound-client.ts';
import { redactSecrets } from '../secrets/redact.ts';
import type { ScopedDb } from '../tenancy/scoped-db.ts';
import type { Claim } from './claim.ts';

/** Most bytes of a body that is shown. The client reads no more of a response. */
export const MAX_SHOWN_BYTES = 64 * 1024;
/** Headers of a response that are kept; most characters of each value. */
const MAX_HEADERS = 100;
const MAX_HEADER_CHARACTERS = 1000;
/** Response headers that are credentials for a later request. */
const CREDENTIALS = new Set(['set-cookie', 'authorization', 'www-authenticate', 'proxy-authenticate']);
const REDACTED = '[secret]';

/** The rule that prevented a request: `outbound_policy` refuses addresses inside the operator's network. */
export type BlockedBy = 'outbound_policy';

/** One attempt of a delivery. */
export interface DeliveryAttempt {
  readonly started_at: string;
  readonly duration_ms: number;
  /** Null without a response. */
  readonly status_code: number | null;
  readonly error: string | null;
  readonly blocked_by: BlockedBy | null;
  readonly response_headers: Readonly<Record<string, string>> | null;
  readonly response_body: string | null;
}

declare module '../db/tables.ts' {
  interface Tables {
    delivery_attempts: {
      tenant_id: string;
      delivery_id: string;
      started_at: Time;
      duration_ms: number;
      status_code: number | null;
      error: string | null;
      blocked_by: BlockedBy | null;
      response_headers: Readonly<Record<string, string>> | null;
      response_body: string | null;
    };
  }
}

/** Attempts of deliveries that no list shows any more. */
export const attemptRetention = defineRetention({
  description: 'attempts of deliveries',
  keptHours: 30 * 24,
  table: 'delivery_attempts',
  key: ['delivery_id', 'started_at'],
  isOld: (before) => sql`r.delivery_id < ${firstIdOf(before)}`,
  byTenant: true,
});

/** The table with the attempts of deleted deliveries, for deletions of deliveries. */
export const ATTEMPTS_OF_DELETED = { table: 'delivery_attempts', column: 'delivery_id' } as const;

/** Describes an attempt by the result of its request, without these secrets. */
export function toAttempt(
  startedAt: Date,
  response: OutboundResult,
  error: string | null,
  secrets: readonly string[],
): DeliveryAttempt {
  const common = { started_at: startedAt.toISOString(), duration_ms: response.durationMs, error };
  if (!response.ok)
    return {
      ...common,
      status_code: null,
      blocked_by: response.reason === 'blocked' ? 'outbound_policy' : null,
      response_headers: null,
      response_body: null,
    };
  return {
    ...common,
    status_code: response.status,
    blocked_by: null,
    response_headers: shownHeaders(response.headers, secrets),
    response_body: cutText(redactSecrets(response.body, secrets)),
  };
}

/** Describes an attempt that ended before its request. */
export function unsentAttempt(startedAt: Date, error: string): DeliveryAttempt {
  return {
    started_at: startedAt.toISOString(),
    duration_ms: 0,
    status_code: null,
    error,
    blocked_by: null,
    response_headers: null,
    response_body: null,
  };
}

/** Returns headers without credentials and secrets, and not more than can be shown. */
export function shownHeaders(
  headers: Readonly<Record<string, string>>,
  secrets: readonly string[],
): Record<string, string> {
  const shown = Object.entries(headers)
    .slice(0, MAX_HEADERS)
    .map(([name, value]): [string, string] => {
      const text = CREDENTIALS.has(name.toLowerCase()) ? REDACTED : redactSecrets(value, secrets);
      return [name, storable(text.slice(0, MAX_HEADER_CHARACTERS))];
    });
  return Object.fromEntries(shown);
}

/** Returns the beginning of a text, at most `MAX_SHOWN_BYTES` long. A character at the limit is left out. */
export function cutText(text: string): string {
  // Most texts are short; a character has at most three bytes per unit.
  if (text.length * 3 <= MAX_SHOWN_BYTES) return storable(text);
  const bytes = Buffer.from(storable(text)).subarray(0, MAX_SHOWN_BYTES);
  return new TextDecoder().decode(bytes, { stream: true });
}

/** An attempt with the claim under which it was made. */
export interface ClaimedAttempt {
  readonly claim: Pick<Claim, 'tenantId' | 'id'>;
  readonly attempt: DeliveryAttempt;
}

/** Builds the SQL call that records attempts; a delivery that was deleted meanwhile gets none. */
export function recordAttemptsCall(
  { tenantId }: EveryTenantDb,
  table: string,
  attempts: readonly ClaimedAttempt[],
): RawBuilder<unknown> {
  const rows = attempts.map(({ claim, attempt }) => ({
    tenant_id: claim.tenantId,
    id: claim.id,
    ...attempt,
  }));
  return sql`tessera_record_delivery_attempts(${tenantId}, ${table}, ${JSON.stringify(rows)})`;
}

/** Builds the SQL call that deletes the attempts of dropped deliveries. */
export function deleteAttemptsCall(
  { tenantId }: EveryTenantDb,
  dropped: readonly Pick<Claim, 'tenantId' | 'id'>[],
): RawBuilder<unknown> {
  const tenants = dropped.map((claim) => claim.tenantId);
  return sql`tessera_delete_delivery_attempts(${tenantId}, ${tenants}, ${dropped.map(({ id }) => id)})`;
}

/** Returns the attempts of a delivery, in their order. */
export function listAttempts(db: ScopedDb, deliveryId: string): Promise<DeliveryAttempt[]> {
  return db.query
    .selectFrom('delivery_attempts')
    .select([
      'started_at',
      'duration_ms',
      'status_code',
      'error',
      'blocked_by',
      'response_headers',
      'response_body',
    ])
    .where('delivery_id', '=', deliveryId)
    .orderBy('started_at')
    .execute();
}
