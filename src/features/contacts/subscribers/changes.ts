/** Partial changes of subscribers: completes them, checks them like requests of the API, and writes them in batches. */

import { v7 as uuidv7 } from 'uuid';
import type { RequestContext } from '../../../http/context.ts';
import { columnsOf } from '../../../resources/body.ts';
import { createRecords, replaceRecords, type WriteContext } from '../../../resources/records.ts';
import { getSubscriberSettings } from '../../email-settings/api.ts';
import { changeGroups, findGroupIssues, type Groups, listGroupsOf } from '../subscriber-groups/index.ts';
import { writeChoices } from './choices.ts';
import { invalidSubscriber } from './errors.ts';
import type { StoredSubscriber } from './locked-subscribers.ts';
import { type BodyFields, mergedBody, type SubscriberBody } from './merged-body.ts';
import { type SubscriberRow, subscribers } from './resource.ts';
import { columnsFrom, findSettingIssues } from './service.ts';

/** Context of a change; `db` is the open transaction. */
export type ChangeContext = WriteContext & Pick<RequestContext, 'platform'>;

/** The fields to write to a subscriber, with its unit and normalized address. */
export interface SubscriberInput {
  readonly fields: BodyFields;
  readonly ownerId: string;
  readonly addressKey: string;
}

/** A subscriber to write. */
export interface SubscriberChange {
  readonly id: string;
  readonly ownerId: string;
  readonly addressKey: string;
  /** The complete subscriber after the change. */
  readonly body: SubscriberBody;
  /** The stored subscriber; null for a new one. */
  readonly current: StoredSubscriber | null;
  /** Choices and additional fields of the input, without stored ones. */
  readonly provided: Pick<SubscriberBody, 'subscription_updates' | 'additional_fields_data'>;
  /** Kinds of groups that the change replaces. */
  readonly replaces: readonly (keyof Groups)[];
}

const KINDS = ['lists', 'audiences'] as const;

/** Builds the change from the input and the complete body. */
export function toChange(
  { fields, ownerId, addressKey }: SubscriberInput,
  body: SubscriberBody,
  current: StoredSubscriber | null,
): SubscriberChange {
  const { subscription_updates = [], additional_fields_data } = body;
  // Only values of the input are checked: the definitions of stored ones may have changed since.
  const names = new Set(Object.keys(fields.additional_fields_data ?? {}));
  const data = Object.entries(additional_fields_data ?? {}).filter(([name]) => names.has(name));
  return {
    id: current?.id ?? uuidv7(),
    ownerId,
    addressKey,
    body,
    current,
    provided: { subscription_updates, additional_fields_data: Object.fromEntries(data) },
    replaces: KINDS.filter((kind) => current === null || kind in fields),
  };
}

/**
 * Builds and checks the change of a stored or new subscriber. Share-locks its groups until the transaction ends.
 * @throws AppError INVALID_SUBSCRIBER.
 */
export async function buildSubscriberChange(
  { db, now }: Pick<ChangeContext, 'db' | 'now'>,
  input: SubscriberInput,
  current: StoredSubscriber | null,
): Promise<SubscriberChange> {
  const change = toChange(input, mergedBody(input.fields, current, now), current);
  // Current groups are allowed, even if new subscribers cannot join them.
  const groups = [...((await listGroupsOf(db, [change.id])).get(change.id) ?? [])];
  const issues = [
    ...(await findGroupIssues(db, change.body, { lists: groups, audiences: groups })),
    ...findSettingIssues(change.provided, await getSubscriberSettings(db)),
  ];
  if (issues.length > 0) throw invalidSubscriber(issues);
  return change;
}

/**
 * Writes subscribers with their groups, choices, counts and history, and adds them to the lists `addedLists`. Their
 * addresses must be distinct. Returns their new versions. @throws AppError DUPLICATE_EMAIL.
 */
export async function writeChanges(
  ctx: ChangeContext,
  changes: readonly SubscriberChange[],
  addedLists: readonly string[] = [],
): Promise<Pick<SubscriberRow, 'id' | 'version'>[]> {
  if (changes.length === 0) return [];
  // Sorted by address to avoid deadlocks between imports of the same subscribers.
  const sorted = changes.toSorted((a, b) => (a.addressKey < b.addressKey ? -1 : 1));
  await changeGroups(
    ctx.db,
    sorted.map(({ id, body, current, replaces }) => ({
      subscriberId: id,
      groups: { lists: [...body.lists, ...addedLists], audiences: body.audiences },
      replaces,
      wasActive: current?.active ?? false,
      isActive: body.active,
    })),
    ctx.now,
  );
  for (const { id, current, body } of sorted.filter(({ provided }) => provided.subscription_updates?.length))
    await writeChoices(
      ctx,
      { id, created_at: current?.created_at ?? ctx.now.toISOString(), email: body.email },
      body.subscription_updates ?? [],
    );
  const written: Pick<SubscriberRow, 'id' | 'version'>[] = [];
  for (const [ownerId, own] of Map.groupBy(
    sorted.filter(({ current }) => current === null),
    (change) => change.ownerId,
  ))
    written.push(
      ...(await createRecords(
        ctx,
        subscribers,
        own.map(({ id, body }) => ({ key: id, columns: columnsFor(body, 'create') })),
        { ownerId },
      )),
    );
  const updates = sorted.filter(({ current }) => current !== null);
  const replaced = await replaceRecords(
    ctx,
    subscribers,
    updates.map(({ id, body }) => ({ key: id, columns: columnsFor(body, 'replace') })),
  );
  return [...written, ...replaced];
}

function columnsFor(body: SubscriberBody, kind: 'create' | 'replace') {
  return { ...columnsOf(subscribers.fields, kind, body), ...columnsFrom(body) };
}
