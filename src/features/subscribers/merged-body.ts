/** The body of a subscriber of whom only some is given, by the rules of a create. */
import type { Static } from 'typebox';
import { compileBodyCheck } from '../../http/validation.ts';
import { localPartOf, sendableAddress } from '../../mail/address.ts';
import { INVALID_SUBSCRIBER } from './errors.ts';
import { type Found, KEPT } from './found.ts';
import { subscribers } from './resource.ts';
import { SUBSCRIBER_CHECKS } from './service.ts';

/** What is given of a subscriber; not checked. Additional fields that are null are to be removed. */
export interface Given {
  readonly [field: string]: unknown;
  readonly additional_fields_data?: unknown;
}

/** A checked body. */
export type SubscriberBody = Static<typeof subscribers.createBody>;

/** What a new subscriber is where nothing is given. */
const USUAL = { active: true, lists: [], audiences: [] };

const check = compileBodyCheck(subscribers.createBody, INVALID_SUBSCRIBER, SUBSCRIBER_CHECKS);

/**
 * The body that comes of what is given and of the subscriber who is there, if one is: additional fields are merged. A new subscriber
 * without a first name has the local part of the address.
 * @throws AppError INVALID_SUBSCRIBER.
 */
export function mergedBody(given: Given, current: Found | null, now: Date): SubscriberBody {
  const kept =
    current === null ? nameFrom(given) : Object.fromEntries(KEPT.map((field) => [field, current[field]]));
  const data = mergeData(current?.additional_fields_data ?? {}, given.additional_fields_data);
  return check({ ...USUAL, ...kept, ...given, additional_fields_data: data }, now);
}

function nameFrom({ email }: Given): { readonly first_name?: string } {
  const name = typeof email === 'string' ? localPartOf(sendableAddress(email)) : '';
  return name === '' ? {} : { first_name: name };
}

/** What is kept, with what is given: each value by itself, a null takes one away. */
function mergeData(kept: object, given: unknown): unknown {
  if (given === undefined) return kept;
  if (typeof given !== 'object' || given === null || Array.isArray(given)) return given;
  const merged = new Map([...Object.entries(kept), ...Object.entries(given)]);
  return Object.fromEntries([...merged].filter(([, value]) => value !== null));
}
