/** The subscriber that an action of an automation changes. */
import Type, { type Static } from 'typebox';
import { AppError, type Issue } from '../../../../errors/app-error.ts';
import { NOT_FOUND } from '../../../../errors/platform-errors.ts';
import { normalizeAddress } from '../../../../mail/address.ts';
import type { ScopedDb } from '../../../../tenancy/scoped-db.ts';
import { defaultUnitOf } from '../../../../tenancy/tenant-home.ts';
import { lockSubscriber, lockSubscriberAt, type StoredSubscriber } from '../locked-subscribers.ts';

/** Params that name an existing subscriber; exactly one is given. */
export const personParams = {
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
const Person = Type.Object(personParams);
type Person = Static<typeof Person>;

/** Checks that params name the subscriber exactly once. */
export function subscriberReferenceIssues({ email, subscriber_id: id }: Person): Issue[] {
  const isOne = (email === undefined) !== (id === undefined);
  return isOne ? [] : [{ field: 'email', message: 'or subscriber_id must be given, and not both' }];
}

/** Locks the subscriber that params name until the transaction ends. @throws AppError NOT_FOUND. */
export async function lockReferencedSubscriber(
  db: ScopedDb,
  { email, subscriber_id: id = '' }: Person,
): Promise<StoredSubscriber> {
  const found = email === undefined ? await lockSubscriber(db, id) : (await lockAt(db, email)).found;
  if (found === null) throw new AppError(NOT_FOUND, { message: `There is no subscriber ${email ?? id}.` });
  return found;
}

/** Locks the subscriber with an address, null for none. Also returns its unit, or that of a new subscriber. */
export async function lockAt(
  db: ScopedDb,
  email: string,
): Promise<{
  readonly found: StoredSubscriber | null;
  readonly addressKey: string;
  readonly ownerId: string;
}> {
  const addressKey = normalizeAddress(email);
  const unitId = await defaultUnitOf(db);
  const found = await lockSubscriberAt(db, addressKey, unitId);
  return { found, addressKey, ownerId: found?.owner_bu_id ?? unitId };
}
