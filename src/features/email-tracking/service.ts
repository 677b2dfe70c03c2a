import { sql } from 'kysely';
import { brandOf } from '../../http/brand.ts';
import type { RequestContext } from '../../http/context.ts';
import type { MessageRef } from '../../mail/message-token.ts';
import type { BrandSettings } from '../../tenancy/identity-tables.ts';
import { wholeTenant } from '../../tenancy/scope.ts';
import { findSuppressions, liftUnsubscribe } from '../email-settings/index.ts';
import { eventBuffer } from './event-buffer.ts';
import { comeBack, hasLeft } from './leaving.ts';
import { hideTokens } from './link-address.ts';
import { machineReasonOf } from './machine-agents.ts';
import { recordMessageEvents } from './message-events.ts';
import type { UnsubscribeSubject } from './tracking-pages.ts';
import type { TrackingClaims } from './tracking-tokens.ts';

/**
 * Notes an open or a click; it is recorded with others in a moment. There is something to wait for only while more
 * comes than the database can take.
 */
export function noteVisit(
  { platform, method, client, headers, now }: RequestContext,
  kind: 'open' | 'click',
  { tenantId, messageId, written }: TrackingClaims,
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
    ...(kind === 'click' ? { url: hideTokens(written, platform.publicUrl()) } : {}),
  });
}

interface SubjectRow {
  readonly address: string;
  readonly recipient: string;
  readonly has_unsubscribed: boolean;
  readonly tenant: string;
  readonly brand_settings: BrandSettings;
  readonly from_address: string | null;
  readonly from_name: string | null;
}

/** Whom an unsubscribe link is about; null when the message is gone. Changes nothing. */
export async function findUnsubscribeSubject(
  { platform }: RequestContext,
  { tenantId, messageId }: MessageRef,
): Promise<UnsubscribeSubject | null> {
  const db = platform.scoped(wholeTenant(tenantId));
  const { rows } = await db.raw(
    (tenant) => sql<SubjectRow>`
    select m.address, m.recipient, m.unsubscribed_at is not null as has_unsubscribed, t.name as tenant, t.brand_settings,
      x.content -> 'from' ->> 'address' as from_address, x.content -> 'from' ->> 'name' as from_name
    from email_messages m
    join tenants t on t.tenant_id = m.tenant_id
    join transmissions x on x.tenant_id = m.tenant_id and x.id = m.transmission_id
    where m.tenant_id = ${tenant} and m.id = ${messageId}`,
  );
  const [row] = rows;
  if (row === undefined) return null;
  const suppression = (await findSuppressions(platform, db, [row.recipient], false)).get(row.recipient);
  const hasLeftType = await hasLeft(platform, { tenantId, messageId });
  const isOff = suppression?.type === 'unsubscribe';
  return {
    brand: brandOf({ name: row.tenant, brand_settings: row.brand_settings }),
    locale: row.brand_settings.locale,
    address: row.address,
    // A name that is a template was different for every recipient.
    senderName: row.from_name === null || row.from_name.includes('{{') ? row.tenant : row.from_name,
    senderAddress: row.from_address,
    isUnsubscribed: hasLeftType ?? (isOff || (suppression !== undefined && row.has_unsubscribed)),
    canReturn: hasLeftType ?? isOff,
  };
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

/**
 * Takes back that the recipient of a message unsubscribed, by whichever message; tells how things stand then. Bounces
 * and complaints stay.
 */
export async function resubscribe(
  ctx: RequestContext,
  claims: MessageRef,
): Promise<UnsubscribeSubject | null> {
  const subject = await findUnsubscribeSubject(ctx, claims);
  if (!subject?.canReturn) return subject;
  const { platform } = ctx;
  await comeBack(platform, claims);
  // Mail of a type comes again by the choice: who comes back to one has not come back to what is of none.
  if ((await hasLeft(platform, claims)) === null)
    await liftUnsubscribe(platform, platform.scoped(wholeTenant(claims.tenantId)), subject.address, null);
  return findUnsubscribeSubject(ctx, claims);
}
