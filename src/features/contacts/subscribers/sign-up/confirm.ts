/** Confirmation of a subscription by the link of a mail. */

import { brandOf } from '../../../../http/brand.ts';
import type { RequestContext } from '../../../../http/context.ts';
import { replaceRecord } from '../../../../resources/records.ts';
import type { Actor } from '../../../../tenancy/actor.ts';
import { getTenant } from '../../../../tenancy/find-tenant.ts';
import { wholeTenant } from '../../../../tenancy/scope.ts';
import type { ScopedDb } from '../../../../tenancy/scoped-db.ts';
import { findDefaultSender, liftUnsubscribe } from '../../../email-settings/api.ts';
import { joinGroups } from '../../subscriber-groups/index.ts';
import { subscribers } from '../resource.ts';
import { senderNameOf } from './confirmation-mail.ts';
import type { ConfirmationSubject } from './confirmation-pages.ts';
import { type ConfirmationClaims, isForAddress, readConfirmationToken } from './confirmation-tokens.ts';
import { findSubscriber, listSubscribedTypes, lockSubscriber, type SignUpSubscriber } from './queries.ts';
import { UNCONFIRMED } from './sign-up.ts';

/** Finds the subscriber of a link, without any change; null for an invalid link. */
export async function findConfirmation(
  { platform, now }: RequestContext,
  token: string,
): Promise<ConfirmationSubject | null> {
  const claims = readConfirmationToken(platform, token, now);
  if (claims === null) return null;
  const db = platform.scoped(wholeTenant(claims.tenantId));
  const subscriber = await findSubscriber(db, claims.subscriberId);
  return subscriber !== null && mayConfirm(subscriber, claims) ? subjectOf(db, subscriber) : null;
}

/** Activates an unconfirmed subscriber; a confirmed one does not change. Null for an invalid link. */
export async function confirm(
  { platform, now }: RequestContext,
  token: string,
): Promise<ConfirmationSubject | null> {
  const claims = readConfirmationToken(platform, token, now);
  if (claims === null) return null;
  const db = platform.scoped(wholeTenant(claims.tenantId));
  const subscriber = await db.transaction(async (tx) => {
    const found = await lockSubscriber(tx, claims.subscriberId);
    if (found === null || !mayConfirm(found, claims)) return null;
    if (found.active) return found;
    const { id: subscriberId, email } = found;
    const groups = { lists: [], audiences: [] };
    await joinGroups(tx, { subscriberId, groups, wasActive: false, isActive: true }, now);
    const actor: Actor = { kind: 'visitor', formCode: claims.formCode };
    const active = { active: true, inactive_reason: null };
    await replaceRecord({ actor, db: tx, now }, subscribers, subscriberId, active);
    await liftUnsubscribe(platform, tx, email, await listSubscribedTypes(tx, subscriberId));
    return { ...found, ...active };
  });
  return subscriber && subjectOf(db, subscriber);
}

/** False for a subscriber who became inactive for another reason, or has another address now. */
function mayConfirm(subscriber: SignUpSubscriber, claims: ConfirmationClaims): boolean {
  return (
    isForAddress(claims, subscriber) && (subscriber.active || subscriber.inactive_reason === UNCONFIRMED)
  );
}

async function subjectOf(db: ScopedDb, { email, active }: SignUpSubscriber): Promise<ConfirmationSubject> {
  const senderName = await senderNameOf(db, await findDefaultSender(db));
  const tenant = await getTenant(db);
  const { locale } = tenant.brand_settings;
  return { address: email, senderName, isConfirmed: active, brand: brandOf(tenant), locale };
}
