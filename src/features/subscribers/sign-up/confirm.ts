/** What the links of mails that ask to confirm do. */
import { brandOf } from '../../../http/brand.ts';
import type { RequestContext } from '../../../http/context.ts';
import { replaceRecord } from '../../../resources/records.ts';
import type { Actor } from '../../../tenancy/actor.ts';
import { getTenant } from '../../../tenancy/find-tenant.ts';
import { wholeTenant } from '../../../tenancy/scope.ts';
import type { ScopedDb } from '../../../tenancy/scoped-db.ts';
import { findDefaultSender, liftUnsubscribe } from '../../email-settings/index.ts';
import { joinGroups } from '../../subscriber-groups/index.ts';
import { subscribers } from '../resource.ts';
import { senderNameOf } from './confirmation-mail.ts';
import type { ConfirmationSubject } from './confirmation-pages.ts';
import { type ConfirmationClaims, isFor, readConfirmationToken } from './confirmation-tokens.ts';
import { findPerson, listSubscribed, lockPerson, type Person } from './queries.ts';
import { UNCONFIRMED } from './sign-up.ts';

/** Whom a link is about; null for one that is not valid. Changes nothing. */
export async function findConfirmation(
  { platform, now }: RequestContext,
  token: string,
): Promise<ConfirmationSubject | null> {
  const claims = readConfirmationToken(platform, token, now);
  if (claims === null) return null;
  const db = platform.scoped(wholeTenant(claims.tenantId));
  const person = await findPerson(db, claims.subscriberId);
  return person !== null && mayConfirm(person, claims) ? subjectOf(db, person) : null;
}

/** Activates whoever had only to confirm; whoever did before stays as it is. Null for a link that is not valid. */
export async function confirm(
  { platform, now }: RequestContext,
  token: string,
): Promise<ConfirmationSubject | null> {
  const claims = readConfirmationToken(platform, token, now);
  if (claims === null) return null;
  const whole = platform.scoped(wholeTenant(claims.tenantId));
  const person = await whole.transaction(async (db) => {
    const found = await lockPerson(db, claims.subscriberId);
    if (found === null || !mayConfirm(found, claims)) return null;
    if (found.active) return found;
    const { id: subscriberId, email } = found;
    await joinGroups(db, { subscriberId, groups: { lists: [], audiences: [] }, was: false, is: true }, now);
    const actor: Actor = { kind: 'visitor', formCode: claims.formCode };
    const active = { active: true, inactive_reason: null };
    await replaceRecord({ actor, db, now }, subscribers, subscriberId, active);
    await liftUnsubscribe(platform, db, email, await listSubscribed(db, subscriberId));
    return { ...found, ...active };
  });
  return person && subjectOf(whole, person);
}

/** Not whoever was made inactive since, or has another address. */
function mayConfirm(person: Person, claims: ConfirmationClaims): boolean {
  return isFor(claims, person) && (person.active || person.inactive_reason === UNCONFIRMED);
}

async function subjectOf(db: ScopedDb, { email, active }: Person): Promise<ConfirmationSubject> {
  const senderName = await senderNameOf(db, await findDefaultSender(db));
  const tenant = await getTenant(db);
  const { locale } = tenant.brand_settings;
  return { address: email, senderName, isConfirmed: active, brand: brandOf(tenant), locale };
}
