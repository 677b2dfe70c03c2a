/** Completion of a partial body by the rules of a create. */
import type { Static } from 'typebox';
import { mergeWritten, selectWritten } from '../../../db/written-json.ts';
import { compileBodyCheck } from '../../../http/validation.ts';
import { localPartOf, sendableAddress } from '../../../mail/address.ts';
import { INVALID_SUBSCRIBER } from './errors.ts';
import { MERGED_FIELDS, type StoredSubscriber } from './locked-subscribers.ts';
import { subscribers } from './resource.ts';
import { SUBSCRIBER_CHECKS } from './service.ts';

/** Given fields of a subscriber, unchecked. Null removes an additional field. */
export interface BodyFields {
  readonly [field: string]: unknown;
  readonly additional_fields_data?: unknown;
}

/** A validated body. */
export type SubscriberBody = Static<typeof subscribers.createBody>;

/** Never stored. */
const NO_NAME = '-';
/** Defaults of a new subscriber. */
const DEFAULTS = { active: true, lists: [], audiences: [] };

const check = compileBodyCheck(subscribers.createBody, INVALID_SUBSCRIBER, SUBSCRIBER_CHECKS);

/**
 * Completes the given fields with the stored subscriber, or with defaults, and merges additional fields. A new subscriber
 * without a first name gets the local part of the address.
 * @throws AppError INVALID_SUBSCRIBER.
 */
export function mergedBody(given: BodyFields, current: StoredSubscriber | null, now: Date): SubscriberBody {
  const stored =
    current === null
      ? nameFrom(given)
      : Object.fromEntries(MERGED_FIELDS.map((field) => [field, current[field]]));
  const data = mergeData(current?.additional_fields_data ?? {}, given.additional_fields_data);
  return check({ ...DEFAULTS, ...stored, ...given, additional_fields_data: data }, now);
}

function nameFrom({ email }: BodyFields): { readonly first_name: string } {
  const name = typeof email === 'string' ? localPartOf(sendableAddress(email)) : '';
  // Without a local part the address is refused: the missing name would be a second fault of the same cell.
  return { first_name: name || NO_NAME };
}

/** Merges given values into stored ones; null removes a value. */
function mergeData(stored: object, given: unknown): unknown {
  if (given === undefined) return stored;
  if (typeof given !== 'object' || given === null || Array.isArray(given)) return given;
  return selectWritten(mergeWritten(stored, given), (_name, value) => value !== null);
}
