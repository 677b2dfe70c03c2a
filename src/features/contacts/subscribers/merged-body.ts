/** Completes a partial body and checks it like the body of a create. */
import type { Static } from 'typebox';
import { mergeWritten, selectWritten } from '../../../db/written-json.ts';
import { compileBodyCheck } from '../../../http/validation.ts';
import { localPartOf, sendableAddress } from '../../../mail/address.ts';
import { INVALID_SUBSCRIBER } from './errors.ts';
import { MERGED_FIELDS, type StoredSubscriber } from './locked-subscribers.ts';
import { subscribers } from './resource.ts';
import { SUBSCRIBER_CHECKS } from './service.ts';

/** Unchecked fields of a subscriber. Null removes an additional field. */
export interface BodyFields {
  readonly [field: string]: unknown;
  readonly additional_fields_data?: unknown;
}

/** A validated body. */
export type SubscriberBody = Static<typeof subscribers.createBody>;

/** First name of a body that will fail for another reason; never stored. */
const NO_NAME = '-';
/** Defaults of a new subscriber. */
const DEFAULTS = { active: true, lists: [], audiences: [] };

const check = compileBodyCheck(subscribers.createBody, INVALID_SUBSCRIBER, SUBSCRIBER_CHECKS);

/**
 * Completes fields with the stored subscriber, or with defaults, and merges additional fields. A new subscriber
 * without a first name gets the local part of the address.
 * @throws AppError INVALID_SUBSCRIBER.
 */
export function mergedBody(fields: BodyFields, current: StoredSubscriber | null, now: Date): SubscriberBody {
  const base =
    current === null
      ? defaultName(fields)
      : Object.fromEntries(MERGED_FIELDS.map((field) => [field, current[field]]));
  const data = mergeData(current?.additional_fields_data ?? {}, fields.additional_fields_data);
  return check({ ...DEFAULTS, ...base, ...fields, additional_fields_data: data }, now);
}

function defaultName({ email }: BodyFields): { readonly first_name: string } {
  const name = typeof email === 'string' ? localPartOf(sendableAddress(email)) : '';
  // An address without a local part is invalid: a missing name would be a second error for the same cell.
  return { first_name: name || NO_NAME };
}

/** Merges new values into stored ones; null removes a value. */
function mergeData(base: object, fields: unknown): unknown {
  if (fields === undefined) return base;
  if (typeof fields !== 'object' || fields === null || Array.isArray(fields)) return fields;
  return selectWritten(mergeWritten(base, fields), (_name, value) => value !== null);
}
