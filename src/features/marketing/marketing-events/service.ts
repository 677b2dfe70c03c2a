import { v7 as uuidv7 } from 'uuid';
import type { Issue } from '../../../errors/app-error.ts';
import { invalidRequest } from '../../../errors/platform-errors.ts';
import { check, checkEach } from '../../../http/body-checks.ts';
import type { MemberContext } from '../../../http/context.ts';
import { normalizeAddress } from '../../../mail/address.ts';
import { isTime, readOperands } from '../../../resources/filter-values.ts';
import { type FilterDefinition, readFilters } from '../../../resources/filters.ts';
import { isUuid } from '../../../resources/keys.ts';
import { groupEvents, insertEvents, type NewEvent } from './queries.ts';
import type { EventGroup, EventsBody, EventsQuery } from './schema.ts';

type EventInput = EventsBody['events'][number];

/** Checks of events beyond their schema. */
export const EVENT_CHECKS = [
  checkEach('events', (event: EventInput, path): Issue[] => [
    ...(event.subscriber_id === undefined && event.email === undefined
      ? [{ field: path, message: 'must have subscriber_id or email' }]
      : []),
    ...(event.occurred_at === undefined || isTime(event.occurred_at)
      ? []
      : [{ field: `${path}.occurred_at`, message: 'must be an ISO 8601 date or time' }]),
  ]),
];

/** Checks of a query beyond its schema. */
export const QUERY_CHECKS = [
  ...(['from', 'to'] as const).map((field) =>
    check<EventsQuery>([field], (query) =>
      isTime(query[field]) ? [] : [{ field, message: 'must be an ISO 8601 date or time' }],
    ),
  ),
];

/** Records events; those of unknown subscribers are ignored. */
export async function recordEvents(
  { db, now }: MemberContext,
  { events }: EventsBody,
): Promise<{ accepted: number }> {
  const newEvents = events.map((event) => toRow(event, now)).filter((event) => event !== null);
  return { accepted: newEvents.length === 0 ? 0 : await insertEvents(db, newEvents, now) };
}

function toRow(event: EventInput, now: Date): NewEvent | null {
  const { type, subscriber_id: subscriberId, email, marketing_email_id: emailId } = event;
  if (subscriberId !== undefined && !isUuid(subscriberId)) return null;
  return {
    id: uuidv7(),
    type,
    subscriber_id: subscriberId ?? null,
    // The id takes precedence over the address.
    address: email === undefined || subscriberId !== undefined ? null : normalizeAddress(email),
    marketing_email_id: emailId !== undefined && isUuid(emailId) ? emailId : null,
    url: event.url ?? null,
    amount: type === 'purchase' ? (event.amount ?? 0) : null,
    seconds: type === 'engagement_time' ? (event.seconds ?? 0) : null,
    occurred_at: event.occurred_at === undefined ? now.toISOString() : momentOf(event.occurred_at),
  };
}

/** Counts events by group. @throws AppError INVALID_REQUEST if the time span ends before it begins, or for a filter. */
export async function queryEvents(
  { db }: MemberContext,
  query: EventsQuery,
): Promise<{ results: EventGroup[] }> {
  const [from, to] = [momentOf(query.from), momentOf(query.to, 'last value')];
  if (to < from) throw invalidRequest([{ field: 'to', message: 'must not be before from' }]);
  const filters = Object.entries(query.filters ?? {}).map(([name, filter]) => [name, toFilter(filter)]);
  const conditions = readFilters(EVENT_FILTERS, Object.fromEntries(filters));
  return { results: await groupEvents(db, query.group_by, conditions, from, to) };
}

/** Filters of events. */
const EVENT_FILTERS: FilterDefinition = {
  fields: {
    type: { type: 'text' },
    subscriber_id: { type: 'id' },
    marketing_email_id: { type: 'id' },
    campaign_code: { type: 'text' },
  },
  operations: ['eq', 'ne', 'in', 'nin', 'empty', 'nempty'],
};

/** Converts a plain value to a filter for equality. */
function toFilter(filter: unknown): unknown {
  return typeof filter === 'string' ? { operation: 'eq', value: filter } : filter;
}

/** Returns a validated time in UTC. */
function momentOf(text: string, bound: 'value' | 'last value' = 'value'): string {
  const read = readOperands('time', bound, text);
  return 'operands' in read ? String(read.operands[0]) : '';
}
