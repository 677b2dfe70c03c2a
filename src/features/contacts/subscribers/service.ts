import { v7 as uuidv7 } from 'uuid';
import type { Issue } from '../../../errors/app-error.ts';
import { check } from '../../../http/body-checks.ts';
import type { MemberContext } from '../../../http/context.ts';
import { isAddress, normalizeAddress, sendableAddress } from '../../../mail/address.ts';
import type { Columns } from '../../../resources/body.ts';
import type { FilterField } from '../../../resources/filter-field.ts';
import { ownerOfNew } from '../../../resources/ownership.ts';
import { getRecord } from '../../../resources/records.ts';
import { optionsOf } from '../../../resources/route-parts.ts';
import type { ScopedDb } from '../../../tenancy/scoped-db.ts';
import { getSubscriberSettings, type SubscriberSettings } from '../../email-settings/api.ts';
import { findGroupIssues, type Groups, replaceGroups } from '../subscriber-groups/index.ts';
import { filterFieldsOf, findValueIssues } from './additional-fields.ts';
import { findTypeIssues, liftSuppressions, writeChoices } from './choices.ts';
import { duplicateEmail, invalidSubscriber } from './errors.ts';
import { findSubscriberByAddress } from './queries.ts';
import { writeRelatedRows } from './related-rows.ts';
import { type SubscriberReplace, type SubscriberRow, subscribers } from './resource.ts';

/** Checks of a body beyond its schema that need no database. */
export const SUBSCRIBER_CHECKS = [
  check<SubscriberReplace>(['email'], ({ email }) =>
    isAddress(sendableAddress(email)) ? [] : [{ field: 'email', message: 'must be a valid email address' }],
  ),
  check<SubscriberReplace>(['active', 'inactive_reason'], ({ active, inactive_reason }) =>
    active || inactive_reason?.trim()
      ? []
      : [{ field: 'inactive_reason', message: 'is required when active is false' }],
  ),
];

const NO_GROUPS: Groups = { lists: [], audiences: [] };

/** Creates the id of a new subscriber, so that related rows can be written first. */
export async function prepareSubscriber(): Promise<{ readonly id: string }> {
  return { id: uuidv7() };
}

/**
 * Writes the groups and choices of a new subscriber and returns the columns that are not in the body.
 * @throws AppError INVALID_SUBSCRIBER, DUPLICATE_EMAIL, FORBIDDEN, BUSINESS_UNIT_REQUIRED.
 */
export async function newSubscriberColumns(
  ctx: MemberContext,
  body: SubscriberReplace,
  id: string,
): Promise<Columns> {
  const { db, caller, now } = ctx;
  const { businessUnit } = optionsOf(subscribers, body);
  // Checks the permission before the body.
  const ownerId = ownerOfNew({ kind: 'member', caller }, undefined, businessUnit);
  await requireValidReferences(db, body, NO_GROUPS);
  await requireFreeAddress(db, { id, ownerId, email: body.email });
  const updates = body.subscription_updates ?? [];
  await writeRelatedRows(db, { id, groups: body, active: body.active, updates }, now);
  await liftSuppressions(ctx, body.email, updates);
  return columnsFrom(body);
}

/**
 * Writes the groups and choices of a replaced subscriber and returns the columns that are not in the body.
 * @throws AppError INVALID_SUBSCRIBER, DUPLICATE_EMAIL.
 */
export async function replacedSubscriberColumns(
  ctx: MemberContext,
  body: SubscriberReplace,
  current: SubscriberRow,
): Promise<Columns> {
  const { db, now } = ctx;
  await requireValidReferences(db, body, current);
  if (normalizeAddress(body.email) !== current.address_key)
    await requireFreeAddress(db, { id: current.id, ownerId: current.owner_bu_id, email: body.email });
  await replaceGroups(
    db,
    { subscriberId: current.id, groups: body, wasActive: current.active, isActive: body.active },
    now,
  );
  await writeChoices(ctx, { ...current, email: body.email }, body.subscription_updates ?? []);
  return columnsFrom(body);
}

/** Returns a subscriber in the scope. @throws AppError NOT_FOUND. */
export function getSubscriber(db: ScopedDb, id: string): Promise<SubscriberRow> {
  return getRecord(db, subscribers, id);
}

/** Returns the additional fields in the filters of a list, with their definitions. */
export async function additionalFilters(
  { db }: Pick<MemberContext, 'db'>,
  filters: Readonly<Record<string, unknown>>,
): Promise<Readonly<Record<string, FilterField>>> {
  const fields = filterFieldsOf(filters, {});
  if (Object.keys(fields).length === 0) return fields;
  return filterFieldsOf(filters, (await getSubscriberSettings(db)).subscriber_additional_fields);
}

/** Returns the columns derived from the address and the activity. */
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

/**
 * Checks references and values. @throws AppError INVALID_SUBSCRIBER naming unknown groups and types, and invalid
 * values.
 */
async function requireValidReferences(db: ScopedDb, body: SubscriberReplace, current: Groups): Promise<void> {
  const issues = [
    ...(await findGroupIssues(db, body, current)),
    ...(needsSettings(body) ? findSettingIssues(body, await getSubscriberSettings(db)) : []),
  ];
  if (issues.length > 0) throw invalidSubscriber(issues);
}

/**
 * Checks that no other subscriber has the address. The unique index catches concurrent writes.
 * @throws AppError DUPLICATE_EMAIL.
 */
async function requireFreeAddress(
  db: ScopedDb,
  { id, ownerId, email }: { readonly id: string; readonly ownerId: string; readonly email: string },
): Promise<void> {
  const existing = await findSubscriberByAddress(db, ownerId, normalizeAddress(email));
  if (existing !== null && existing !== id) throw duplicateEmail(existing);
}

function needsSettings({ additional_fields_data, subscription_updates }: SubscriberReplace): boolean {
  return Object.keys(additional_fields_data ?? {}).length > 0 || (subscription_updates ?? []).length > 0;
}

/** Finds unknown types and values that do not match their definitions. */
export function findSettingIssues(
  body: Pick<SubscriberReplace, 'subscription_updates' | 'additional_fields_data'>,
  settings: SubscriberSettings,
): Issue[] {
  return [
    ...findTypeIssues(body.subscription_updates ?? [], settings.subscription_types),
    ...findValueIssues(body.additional_fields_data ?? {}, settings.subscriber_additional_fields),
  ];
}
