/** Whom a simulation is of: somebody of the unit, or somebody who is made up. */
import { v5 as uuidv5 } from 'uuid';
import { AppError } from '../../../errors/app-error.ts';
import { NOT_FOUND } from '../../../errors/platform-errors.ts';
import { normalizeAddress } from '../../../mail/address.ts';
import { isUuid } from '../../../resources/keys.ts';
import type { ScopedDb } from '../../../tenancy/scoped-db.ts';
import { type Person, SAMPLE_PERSON } from '../../campaigns/index.ts';
import { getSubscriber } from '../../subscribers/index.ts';
import type { SimulateBody } from '../schema.ts';

/** Somebody as a simulation goes on with them. */
export interface VirtualPerson extends Person {
  readonly isInvented: boolean;
  readonly owner_bu_id: string;
  readonly address_key: string;
  readonly created_at: string;
  readonly updated_at: string;
  readonly lists: readonly string[];
  readonly audiences: readonly string[];
  /** Types that they have left. */
  readonly left: ReadonlySet<string>;
}

/** The person that a body names or describes. @throws AppError NOT_FOUND for one that the unit does not have. */
export async function findVirtualPerson(
  db: ScopedDb,
  ownerBuId: string,
  { subscriber_id: id, subscriber }: SimulateBody,
  now: Date,
): Promise<VirtualPerson> {
  if (id === undefined) return invent(ownerBuId, subscriber ?? {}, now);
  const row = isUuid(id) ? await getSubscriber(db, id) : null;
  if (row?.owner_bu_id !== ownerBuId)
    throw new AppError(NOT_FOUND, { message: 'The unit of the journey has no such subscriber.' });
  const { first_name, last_name, email, active, additional_fields_data, address_key } = row;
  const left = row.subscription_preferences.filter(({ subscribed }) => !subscribed);
  return {
    ...{ id: row.id, first_name, last_name, email, active, additional_fields_data, address_key },
    ...{ created_at: row.created_at, updated_at: row.updated_at },
    ...{ isInvented: false, owner_bu_id: ownerBuId, has_left: false },
    ...{ lists: row.lists, audiences: row.audiences },
    left: new Set(left.map(({ subscription_type_id }) => subscription_type_id)),
  };
}

function invent(
  ownerBuId: string,
  {
    subscription_updates = [],
    lists = [],
    audiences = [],
    ...given
  }: NonNullable<SimulateBody['subscriber']>,
  now: Date,
): VirtualPerson {
  const person = { ...SAMPLE_PERSON, ...given };
  const addressKey = normalizeAddress(person.email);
  const left = subscription_updates.filter(({ subscribe }) => !subscribe);
  return {
    ...person,
    // The same person goes the same way at a split, however often they are tried.
    id: uuidv5(addressKey, SAMPLE_PERSON.id),
    additional_fields_data: person.additional_fields_data ?? {},
    ...{ isInvented: true, owner_bu_id: ownerBuId, address_key: addressKey },
    ...{ created_at: now.toISOString(), updated_at: now.toISOString() },
    ...{ lists: lists.filter(isUuid), audiences: audiences.filter(isUuid) },
    left: new Set(left.map(({ subscription_type_id }) => subscription_type_id)),
  };
}
