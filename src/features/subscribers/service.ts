import { v7 as uuidv7 } from 'uuid';
import type { Issue } from '../../errors/app-error.ts';
import { check } from '../../http/body-checks.ts';
import type { MemberContext } from '../../http/context.ts';
import { isAddress, normalizeAddress, sendableAddress } from '../../mail/address.ts';
import type { Columns } from '../../resources/body.ts';
import type { FilterField } from '../../resources/filters.ts';
import { ownerOfNew } from '../../resources/ownership.ts';
import { getRecord } from '../../resources/records.ts';
import { optionsOf } from '../../resources/route-parts.ts';
import type { ScopedDb } from '../../tenancy/scoped-db.ts';
import { getSubscriberSettings, type SubscriberSettings } from '../email-settings/index.ts';
import { findGroupIssues, type Groups, replaceGroups } from '../subscriber-groups/index.ts';
import { filterFieldsOf, findValueIssues } from './additional-fields.ts';
import { findTypeIssues, welcomeBack, writeChoices } from './choices.ts';
import { duplicateEmail, invalidSubscriber } from './errors.ts';
import { findPersonAt } from './matching.ts';
import { type SubscriberReplace, type SubscriberRow, subscribers } from './resource.ts';
import { writeRowsBeside } from './rows-beside.ts';

/** The rules of a body beside its schema that need no database. */
export const SUBSCRIBER_CHECKS = [
  check<SubscriberReplace>(['email'], ({ email }) =>
    isAddress(sendableAddress(email)) ? [] : [{ field: 'email', message: 'is not an e-mail address' }],
  ),
  check<SubscriberReplace>(['active', 'inactive_reason'], ({ active, inactive_reason }) =>
    active || inactive_reason?.trim()
      ? []
      : [{ field: 'inactive_reason', message: 'is required when active is false' }],
  ),
];

const NO_GROUPS: Groups = { lists: [], audiences: [] };

/** The id of a new subscriber, so that what stands in other tables can be written before it. */
export async function prepareSubscriber(): Promise<{ readonly id: string }> {
  return { id: uuidv7() };
}

/**
 * What a new subscriber gets beside what the body says; its groups and choices are written.
 * @throws AppError INVALID_SUBSCRIBER, DUPLICATE_EMAIL, or by the rules of ownership.
 */
export async function newSubscriberColumns(
  ctx: MemberContext,
  body: SubscriberReplace,
  id: string,
): Promise<Columns> {
  const { db, caller, now } = ctx;
  const { businessUnit } = optionsOf(subscribers, body);
  // Whoever may not create one is told so before the body is looked at.
  const ownerId = ownerOfNew({ kind: 'member', caller }, undefined, businessUnit);
  await requireKnown(db, body, NO_GROUPS);
  await requireFreeAddress(db, { id, ownerId, email: body.email });
  const updates = body.subscription_updates ?? [];
  await writeRowsBeside(db, { id, groups: body, active: body.active, updates }, now);
  await welcomeBack(ctx, body.email, updates);
  return columnsFrom(body);
}

/** What a replace gives beside what the body says; groups and choices are written. @throws AppError INVALID_SUBSCRIBER or DUPLICATE_EMAIL. */
export async function replacedSubscriberColumns(
  ctx: MemberContext,
  body: SubscriberReplace,
  current: SubscriberRow,
): Promise<Columns> {
  const { db, now } = ctx;
  await requireKnown(db, body, current);
  if (normalizeAddress(body.email) !== current.address_key)
    await requireFreeAddress(db, { id: current.id, ownerId: current.owner_bu_id, email: body.email });
  await replaceGroups(
    db,
    { subscriberId: current.id, groups: body, was: current.active, is: body.active },
    now,
  );
  await writeChoices(ctx, { ...current, email: body.email }, body.subscription_updates ?? []);
  return columnsFrom(body);
}

/** A subscriber that the scope reaches. @throws AppError NOT_FOUND. */
export function getSubscriber(db: ScopedDb, id: string): Promise<SubscriberRow> {
  return getRecord(db, subscribers, id);
}

/** The additional fields that filters of a list name, as they are defined. */
export async function additionalFilters(
  { db }: Pick<MemberContext, 'db'>,
  filters: Readonly<Record<string, unknown>>,
): Promise<Readonly<Record<string, FilterField>>> {
  const fields = filterFieldsOf(filters, {});
  if (Object.keys(fields).length === 0) return fields;
  return filterFieldsOf(filters, (await getSubscriberSettings(db)).subscriber_additional_fields);
}

/** The columns that follow from what is said of an address and a state. */
export function columnsFrom({
  email,
  active,
  inactive_reason,
}: Pick<SubscriberReplace, 'email' | 'active' | 'inactive_reason'>): Columns {
  return {
    email: sendableAddress(email),
    address_key: normalizeAddress(email),
    inactive_reason: active ? null : (inactive_reason ?? null),
  };
}

/** @throws AppError INVALID_SUBSCRIBER naming the groups, types and values that cannot be. */
async function requireKnown(db: ScopedDb, body: SubscriberReplace, held: Groups): Promise<void> {
  const issues = [
    ...(await findGroupIssues(db, body, held)),
    ...(needsSettings(body) ? findSettingIssues(body, await getSubscriberSettings(db)) : []),
  ];
  if (issues.length > 0) throw invalidSubscriber(issues);
}

/**
 * Names the subscriber who has the address already. One who gets it at the same moment is found by the unique index instead.
 * @throws AppError DUPLICATE_EMAIL.
 */
async function requireFreeAddress(
  db: ScopedDb,
  { id, ownerId, email }: { readonly id: string; readonly ownerId: string; readonly email: string },
): Promise<void> {
  const holder = await findPersonAt(db, ownerId, normalizeAddress(email));
  if (holder !== null && holder !== id) throw duplicateEmail(holder);
}

function needsSettings({ additional_fields_data, subscription_updates }: SubscriberReplace): boolean {
  return Object.keys(additional_fields_data ?? {}).length > 0 || (subscription_updates ?? []).length > 0;
}

/** Names the types that there are not, and the values that are not as they are defined. */
export function findSettingIssues(
  body: Pick<SubscriberReplace, 'subscription_updates' | 'additional_fields_data'>,
  settings: SubscriberSettings,
): Issue[] {
  return [
    ...findTypeIssues(body.subscription_updates ?? [], settings.subscription_types),
    ...findValueIssues(body.additional_fields_data ?? {}, settings.subscriber_additional_fields),
  ];
}
