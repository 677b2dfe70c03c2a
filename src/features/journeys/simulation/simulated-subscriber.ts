/** The subscriber of a simulation: a copy of an existing one, or one that the request describes. */
import { v5 as uuidv5 } from 'uuid';
import { AppError } from '../../../errors/app-error.ts';
import { NOT_FOUND } from '../../../errors/platform-errors.ts';
import { normalizeAddress } from '../../../mail/address.ts';
import { isUuid } from '../../../resources/keys.ts';
import type { ScopedDb } from '../../../tenancy/scoped-db.ts';
import { getSubscriber } from '../../contacts/api.ts';
import { type MailSubscriber, SAMPLE_SUBSCRIBER } from '../../marketing/api.ts';
import type { SimulateBody } from './schema.ts';

/** The current data of a simulation's subscriber. */
export interface SimulatedSubscriber extends MailSubscriber {
  /** True if the subscriber does not exist. */
  readonly isVirtual: boolean;
  readonly owner_bu_id: string;
  readonly address_key: string;
  readonly created_at: string;
  readonly updated_at: string;
  readonly lists: readonly string[];
  readonly audiences: readonly string[];
  /** Ids of the subscription types from which the subscriber has unsubscribed. */
  readonly unsubscribedTypeIds: ReadonlySet<string>;
}

/** Returns the subscriber that a body references or describes. @throws AppError NOT_FOUND for one of another unit. */
export async function findSimulatedSubscriber(
  db: ScopedDb,
  ownerBuId: string,
  { subscriber_id: id, subscriber }: SimulateBody,
  now: Date,
): Promise<SimulatedSubscriber> {
  if (id === undefined) return createVirtual(ownerBuId, subscriber ?? {}, now);
  const row = isUuid(id) ? await getSubscriber(db, id) : null;
  if (row?.owner_bu_id !== ownerBuId)
    throw new AppError(NOT_FOUND, { message: 'The business unit of the journey has no such subscriber.' });
  const { first_name, last_name, email, active, additional_fields_data, address_key } = row;
  const unsubscribed = row.subscription_preferences.filter(({ subscribed }) => !subscribed);
  return {
    id: row.id,
    first_name,
    last_name,
    email,
    active,
    additional_fields_data,
    address_key,
    created_at: row.created_at,
    updated_at: row.updated_at,
    isVirtual: false,
    owner_bu_id: ownerBuId,
    is_unsubscribed: false,
    lists: row.lists,
    audiences: row.audiences,
    unsubscribedTypeIds: new Set(unsubscribed.map(({ subscription_type_id }) => subscription_type_id)),
  };
}

function createVirtual(
  ownerBuId: string,
  {
    subscription_updates = [],
    lists = [],
    audiences = [],
    ...fields
  }: NonNullable<SimulateBody['subscriber']>,
  now: Date,
): SimulatedSubscriber {
  const subscriber = { ...SAMPLE_SUBSCRIBER, ...fields };
  const addressKey = normalizeAddress(subscriber.email);
  const unsubscribed = subscription_updates.filter(({ subscribe }) => !subscribe);
  return {
    ...subscriber,
    // A stable id: splits lead the same address to the same branch in every simulation.
    id: uuidv5(addressKey, SAMPLE_SUBSCRIBER.id),
    additional_fields_data: subscriber.additional_fields_data ?? {},
    isVirtual: true,
    owner_bu_id: ownerBuId,
    address_key: addressKey,
    created_at: now.toISOString(),
    updated_at: now.toISOString(),
    lists: lists.filter(isUuid),
    audiences: audiences.filter(isUuid),
    unsubscribedTypeIds: new Set(unsubscribed.map(({ subscription_type_id }) => subscription_type_id)),
  };
}
