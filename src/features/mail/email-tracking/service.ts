import { brandOf } from '../../../http/brand.ts';
import type { RequestContext } from '../../../http/context.ts';
import type { MessageRef } from '../../../mail/message-token.ts';
import { wholeTenant } from '../../../tenancy/scope.ts';
import { findSuppressions, liftUnsubscribe } from '../../email-settings/api.ts';
import { eventBuffer } from './event-buffer.ts';
import { hideTokens } from './link-address.ts';
import { machineReasonOf } from './machine-agents.ts';
import { recordMessageEvents } from './message-events.ts';
import { findParties } from './queries.ts';
import type { UnsubscribeSubject } from './tracking-pages.ts';
import type { TrackingClaims } from './tracking-tokens.ts';
import { isUnsubscribed, revertUnsubscribe } from './unsubscribe-handlers.ts';

/** Records an open or a click together with others. Resolves within a second, even if the database does not answer. */
export function recordVisit(
  { platform, method, client, headers, now }: RequestContext,
  kind: 'open' | 'click',
  { tenantId, messageId, originalUrl }: TrackingClaims,
): Promise<void> {
  const { userAgent } = client;
  return eventBuffer(platform).add({
    tenantId,
    messageId,
    type: kind,
    occurredAt: now,
    ipAddress: client.address,
    userAgent,
    machineReason: machineReasonOf({ kind, method, userAgent, headers }),
    ...(kind === 'click' ? { url: hideTokens(originalUrl, platform.publicUrl()) } : {}),
  });
}

/** Returns the recipient and sender of a message with the unsubscribe status; null if the message is gone. */
export async function findUnsubscribeSubject(
  { platform }: RequestContext,
  { tenantId, messageId }: MessageRef,
): Promise<UnsubscribeSubject | null> {
  const db = platform.scoped(wholeTenant(tenantId));
  const row = await findParties(db, messageId);
  if (row === undefined) return null;
  const suppression = (await findSuppressions(platform, db, [row.recipient], false)).get(row.recipient);
  const isUnsubscribedFromType = await isUnsubscribed(platform, { tenantId, messageId });
  const isUnsubscribedFromAll = suppression?.type === 'unsubscribe';
  return {
    brand: brandOf({ name: row.tenant, brand_settings: row.brand_settings }),
    locale: row.brand_settings.locale,
    address: row.address,
    // A templated name may differ for each recipient.
    senderName: row.from_name === null || row.from_name.includes('{{') ? row.tenant : row.from_name,
    senderAddress: row.from_address,
    isUnsubscribed:
      isUnsubscribedFromType ??
      (isUnsubscribedFromAll || (suppression !== undefined && row.has_unsubscribed)),
    canResubscribe: isUnsubscribedFromType ?? isUnsubscribedFromAll,
  };
}

/** Unsubscribes the recipient of a message at once; idempotent. */
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
 * Reverts the unsubscription of a message's recipient, through whichever message it happened. Suppressions by bounces
 * and complaints stay. Returns the resulting status.
 */
export async function resubscribe(
  ctx: RequestContext,
  claims: MessageRef,
): Promise<UnsubscribeSubject | null> {
  const subject = await findUnsubscribeSubject(ctx, claims);
  if (!subject?.canResubscribe) return subject;
  const { platform } = ctx;
  await revertUnsubscribe(platform, claims);
  // A message of a type: resubscribing covers that type only, so a suppression of all mail stays.
  if ((await isUnsubscribed(platform, claims)) === null)
    await liftUnsubscribe(platform, platform.scoped(wholeTenant(claims.tenantId)), subject.address, null);
  return findUnsubscribeSubject(ctx, claims);
}
