/** The body of a subscriber that a row stands for, by the rules of a create. */
import type { Static } from 'typebox';
import { AppError, type Issue } from '../../../errors/app-error.ts';
import { compileBodyCheck } from '../../../http/validation.ts';
import { INVALID_SUBSCRIBER } from '../errors.ts';
import { subscribers } from '../resource.ts';
import { SUBSCRIBER_CHECKS } from '../service.ts';
import { type Found, KEPT } from './queries.ts';
import type { Given } from './rows.ts';

/** A checked body. */
export type SubscriberBody = Static<typeof subscribers.createBody>;

/** Faults of a row that are told: the first is mostly the cause of the others. */
const MOST_ISSUES = 5;
/** Characters of what is told of a row. */
const MAX_MESSAGE = 500;
/** What a new subscriber is that a row does not say. */
const USUAL = { active: true, lists: [], audiences: [] };

const check = compileBodyCheck(subscribers.createBody, INVALID_SUBSCRIBER, SUBSCRIBER_CHECKS);

/** The body that comes of a row and of the subscriber who is there, if one is; or what is wrong with it. */
export function bodyOf(given: Given, current: Found | null, now: Date): SubscriberBody | string {
  const kept = current === null ? {} : Object.fromEntries(KEPT.map((field) => [field, current[field]]));
  const data = mergeData(current?.additional_fields_data ?? {}, given.additional_fields_data);
  try {
    return check({ ...USUAL, ...kept, ...given, additional_fields_data: data }, now);
  } catch (error) {
    if (error instanceof AppError && error.issues !== undefined) return messageOf(error.issues);
    throw error;
  }
}

/** Faults as one text. */
export function messageOf(issues: readonly Issue[]): string {
  const texts = issues.map(({ field, message }) => (field === undefined ? message : `${field} ${message}`));
  return texts.slice(0, MOST_ISSUES).join('; ').slice(0, MAX_MESSAGE).toWellFormed();
}

/** What is kept, with what a row says: each value by itself, a null takes one away. */
function mergeData(kept: object, given: unknown): unknown {
  if (given === undefined) return kept;
  if (typeof given !== 'object' || given === null || Array.isArray(given)) return given;
  const merged = new Map([...Object.entries(kept), ...Object.entries(given)]);
  return Object.fromEntries([...merged].filter(([, value]) => value !== null));
}
