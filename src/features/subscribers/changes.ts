/** Changes of subscribers of whom only some is said: what they come to by the rules of the API, and how sets of them are written. */
import { v7 as uuidv7 } from 'uuid';
import type { RequestContext } from '../../http/context.ts';
import { columnsOf } from '../../resources/body.ts';
import { createRecords, replaceRecords, type WriteContext } from '../../resources/records.ts';
import { getSubscriberSettings } from '../email-settings/index.ts';
import { changeGroups, findGroupIssues, type Groups, listGroupsOf } from '../subscriber-groups/index.ts';
import { writeChoices } from './choices.ts';
import { invalidSubscriber } from './errors.ts';
import type { Found } from './found.ts';
import { type Given, mergedBody, type SubscriberBody } from './merged-body.ts';
import { subscribers } from './resource.ts';
import { columnsFrom, findSettingIssues } from './service.ts';

/** What changing subscribers takes; `db` is the open transaction. */
export type ChangeContext = WriteContext & Pick<RequestContext, 'platform'>;

/** Somebody of whom something is said. */
export interface Saying {
  readonly given: Given;
  readonly ownerId: string;
  readonly addressKey: string;
}

/** A subscriber that is to be written. */
export interface Change {
  readonly id: string;
  readonly ownerId: string;
  readonly addressKey: string;
  /** The whole subscriber, as it is afterwards. */
  readonly body: SubscriberBody;
  /** Null: it is created. */
  readonly current: Found | null;
  /** What is said itself of choices and additional fields. */
  readonly said: Pick<SubscriberBody, 'subscription_updates' | 'additional_fields_data'>;
  /** The kinds of groups of which all are said. */
  readonly groupsSaid: readonly (keyof Groups)[];
}

const KINDS = ['lists', 'audiences'] as const;

/** The change that a body, which came of what is given, stands for. */
export function toChange(
  { given, ownerId, addressKey }: Saying,
  body: SubscriberBody,
  current: Found | null,
): Change {
  const { subscription_updates = [], additional_fields_data } = body;
  // What is kept was checked when it was written; its definition may be another by now.
  const names = new Set(Object.keys(given.additional_fields_data ?? {}));
  const data = Object.entries(additional_fields_data ?? {}).filter(([name]) => names.has(name));
  return {
    ...{ id: current?.id ?? uuidv7(), ownerId, addressKey, body, current },
    said: { subscription_updates, additional_fields_data: Object.fromEntries(data) },
    groupsSaid: KINDS.filter((kind) => current === null || kind in given),
  };
}

/**
 * The change of one subscriber, checked: of the one who is there, or of a new one. The groups that it names stay until the
 * transaction ends. @throws AppError INVALID_SUBSCRIBER.
 */
export async function readChange(
  { db, now }: Pick<ChangeContext, 'db' | 'now'>,
  saying: Saying,
  current: Found | null,
): Promise<Change> {
  const change = toChange(saying, mergedBody(saying.given, current, now), current);
  // Whoever is in a group that nobody can join may stay in it.
  const held = [...((await listGroupsOf(db, [change.id])).get(change.id) ?? [])];
  const issues = [
    ...(await findGroupIssues(db, change.body, { lists: held, audiences: held })),
    ...findSettingIssues(change.said, await getSubscriberSettings(db)),
  ];
  if (issues.length > 0) throw invalidSubscriber(issues);
  return change;
}

/**
 * Writes subscribers of addresses that are all different, with their groups, choices, counts and history; everybody joins
 * the lists `joined`, too. @throws AppError DUPLICATE_EMAIL.
 */
export async function writeChanges(
  ctx: ChangeContext,
  changes: readonly Change[],
  joined: readonly string[] = [],
): Promise<void> {
  if (changes.length === 0) return;
  // In one order, so that imports of the same people do not wait for each other in a circle.
  const sorted = changes.toSorted((a, b) => (a.addressKey < b.addressKey ? -1 : 1));
  await changeGroups(
    ctx.db,
    sorted.map(({ id, body, current, groupsSaid }) => ({
      subscriberId: id,
      groups: { lists: [...body.lists, ...joined], audiences: body.audiences },
      replaces: groupsSaid,
      was: current?.active ?? false,
      is: body.active,
    })),
    ctx.now,
  );
  for (const { id, current, body } of sorted.filter(({ said }) => said.subscription_updates?.length))
    await writeChoices(
      ctx,
      { id, created_at: current?.created_at ?? ctx.now.toISOString(), email: body.email },
      body.subscription_updates ?? [],
    );
  for (const [ownerId, own] of Map.groupBy(
    sorted.filter(({ current }) => current === null),
    (change) => change.ownerId,
  ))
    await createRecords(
      ctx,
      subscribers,
      own.map(({ id, body }) => ({ key: id, columns: columnsBy(body, 'create') })),
      { ownerId },
    );
  const updates = sorted.filter(({ current }) => current !== null);
  await replaceRecords(
    ctx,
    subscribers,
    updates.map(({ id, body }) => ({ key: id, columns: columnsBy(body, 'replace') })),
  );
}

function columnsBy(body: SubscriberBody, kind: 'create' | 'replace') {
  return { ...columnsOf(subscribers.fields, kind, body), ...columnsFrom(body) };
}
