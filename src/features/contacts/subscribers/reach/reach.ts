/**
 * Reach of a subscriber: which mail may be sent to them, by the checks that sending makes
 * (docs/specification/subscribers.md#reach).
 */

import type { MemberContext } from '../../../../http/context.ts';
import { normalizeAddress } from '../../../../mail/address.ts';
import { readsShared } from '../../../../resources/ownership.ts';
import { getRecord } from '../../../../resources/records.ts';
import type { ScopedDb } from '../../../../tenancy/scoped-db.ts';
import { type CheckedMail, findAddressRules, getEmailSettings } from '../../../email-settings/api.ts';
import { type SubscriberRow, subscribers } from '../resource.ts';
import { findAuthors } from './queries.ts';
import { inactiveReason, SANDBOX_REASON, suppressedReason, unsubscribedReason } from './reasons.ts';
import type { Reach, ReachReason } from './schema.ts';

const TRANSACTIONAL: CheckedMail = { isTransactional: true, subscriptionTypeId: null };
const WITHOUT_TYPE: CheckedMail = { isTransactional: false, subscriptionTypeId: null };

/** Reads which mail a subscriber may get, with all reasons against the rest. @throws AppError NOT_FOUND. */
export async function readReach({ platform, db, caller }: MemberContext, id: string): Promise<Reach> {
  const subscriber = await getRecord(db, subscribers, id);
  const settings = await getEmailSettings(db);
  const rules = await findAddressRules(platform, db, settings, normalizeAddress(subscriber.email));
  const unsubscribes = await findUnsubscribes(db, subscriber);
  const { suppression, isSuppressedFor, isOutsideSandbox } = rules;
  // Descriptions quote mail servers, and are shown to those who may list the suppressions.
  const suppressed = suppression === null ? [] : [suppressedReason(suppression, readsShared(caller))];
  const sandbox = isOutsideSandbox ? [SANDBOX_REASON] : [];
  const inactive = subscriber.active ? [] : [inactiveReason(subscriber)];
  const ofAddress = (mail: CheckedMail) => [...(isSuppressedFor(mail) ? suppressed : []), ...sandbox];
  const ofMarketing = (mail: CheckedMail, unsubscribed: readonly ReachReason[] = []) =>
    reachability([...inactive, ...unsubscribed, ...ofAddress(mail)]);
  const types = settings.subscription_types.filter(({ active }) => active);
  return {
    email: subscriber.email,
    transactional: reachability(ofAddress(TRANSACTIONAL)),
    without_type: ofMarketing(WITHOUT_TYPE),
    types: types.map(({ id: typeId, name }) => ({
      id: typeId,
      name,
      ...ofMarketing({ isTransactional: false, subscriptionTypeId: typeId }, unsubscribes.get(typeId)),
    })),
  };
}

function reachability(reasons: ReachReason[]) {
  return { ok: reasons.length === 0, reasons };
}

/** Finds the types that the subscriber has unsubscribed from, each with its reason. */
async function findUnsubscribes(
  db: ScopedDb,
  { id, subscription_preferences: choices }: SubscriberRow,
): Promise<ReadonlyMap<string, readonly ReachReason[]>> {
  const left = choices.filter(({ subscribed }) => !subscribed);
  const times = left.flatMap(({ unsubscribed_date: since }) => since ?? []);
  const authors = await findAuthors(db, id, times);
  return new Map(
    left.map(({ subscription_type_id: typeId, unsubscribed_date: since }) => [
      typeId,
      [unsubscribedReason(since, authors.get(since ?? '') ?? null)],
    ]),
  );
}
