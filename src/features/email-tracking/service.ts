import { sql } from 'kysely';
import type { RequestContext } from '../../http/context.ts';
import { wholeTenant } from '../../tenancy/scope.ts';
import { eventBuffer } from './event-buffer.ts';
import { machineReasonOf } from './machine-agents.ts';
import { recordMessageEvents } from './message-events.ts';
import type { TrackingClaims } from './tracking-tokens.ts';
import type { UnsubscribeSubject } from './unsubscribe-page.ts';

/**
 * Notes an open or a click; it is recorded with others in a moment. There is something to wait for only while more
 * comes than the database can take.
 */
export function noteVisit(
  { platform, method, client, headers, now }: RequestContext,
  kind: 'open' | 'click',
  { tenantId, messageId, url }: TrackingClaims,
): Promise<void> | undefined {
  const { userAgent } = client;
  return eventBuffer(platform).add({
    tenantId,
    messageId,
    type: kind,
    occurredAt: now,
    ipAddress: client.address,
    userAgent,
    machineReason: machineReasonOf({ kind, method, userAgent, headers }),
    ...(kind === 'click' ? { url } : {}),
  });
}

/** Whom an unsubscribe link is about; null when the message is gone. Changes nothing. */
export async function findUnsubscribeSubject(
  { platform }: RequestContext,
  { tenantId, messageId }: TrackingClaims,
): Promise<UnsubscribeSubject | null> {
  const db = platform.scoped(wholeTenant(tenantId));
  const { rows } = await db.raw(
    (tenant) => sql<UnsubscribeSubject>`
    select m.address, t.name as sender from email_messages m join tenants t on t.tenant_id = m.tenant_id
    where m.tenant_id = ${tenant} and m.id = ${messageId}`,
  );
  return rows[0] ?? null;
}

/** Unsubscribes the recipient of a message, at once and however often it is asked for. */
export async function unsubscribe(
  { platform, client, now }: RequestContext,
  { tenantId, messageId }: TrackingClaims,
): Promise<void> {
  await recordMessageEvents(platform, [
    {
      tenantId,
      messageId,
      type: 'unsubscribe',
      occurredAt: now,
      ipAddress: client.address,
      userAgent: client.userAgent,
      detail: 'Unsubscribed by the link of a message.',
    },
  ]);
}
