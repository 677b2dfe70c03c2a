/** The subscriber that an action of an automation changes. */
import Type, { type Static } from 'typebox';
import { AppError, type Issue } from '../../../../errors/app-error.ts';
import { NOT_FOUND } from '../../../../errors/platform-errors.ts';
import { normalizeAddress } from '../../../../mail/address.ts';
import type { ScopedDb } from '../../../../tenancy/scoped-db.ts';
import { defaultUnitOf } from '../../../../tenancy/tenant-row.ts';
import {
  lockSubscriber,
  lockSubscriberOfUnitOrOldest,
  type StoredSubscriber,
} from '../locked-subscribers.ts';

/** Params that reference an existing subscriber; exactly one of them is required. */
export const subscriberParams = {
  email: Type.Optional(
    Type.String({
      description:
        'The email address of the subscriber. If several units have this address, the subscriber of the Default unit is used, otherwise the oldest one.',
    }),
  ),
  subscriber_id: Type.Optional(
    Type.String({ description: 'The id of the subscriber. Give either `email` or `subscriber_id`.' }),
  ),
};
const SubscriberReference = Type.Object(subscriberParams);
type SubscriberReference = Static<typeof SubscriberReference>;

/** Checks that params reference the subscriber exactly once. */
export function subscriberReferenceIssues({ email, subscriber_id: id }: SubscriberReference): Issue[] {
  const isExactlyOne = (email === undefined) !== (id === undefined);
  return isExactlyOne ? [] : [{ field: 'email', message: 'or subscriber_id is required, but not both' }];
}

/** Locks the referenced subscriber until the transaction ends. @throws AppError NOT_FOUND. */
export async function lockReferencedSubscriber(
  db: ScopedDb,
  { email, subscriber_id: id = '' }: SubscriberReference,
): Promise<StoredSubscriber> {
  const found = email === undefined ? await lockSubscriber(db, id) : (await lockByEmail(db, email)).found;
  if (found === null)
    throw new AppError(NOT_FOUND, { message: `The subscriber ${email ?? id} does not exist.` });
  return found;
}

/** Locks the subscriber with an address, null if there is none. Also returns its unit, or that of a new subscriber. */
export async function lockByEmail(
  db: ScopedDb,
  email: string,
): Promise<{
  readonly found: StoredSubscriber | null;
  readonly addressKey: string;
  readonly ownerId: string;
}> {
  const addressKey = normalizeAddress(email);
  const unitId = await defaultUnitOf(db);
  const found = await lockSubscriberOfUnitOrOldest(db, addressKey, unitId);
  return { found, addressKey, ownerId: found?.owner_bu_id ?? unitId };
}
