/** Reads and changes a recipient's choices. The token of the message's link contains the subscriber's id. */

import { AppError } from '../../../../errors/app-error.ts';
import { TOKEN_INVALID } from '../../../../errors/platform-errors.ts';
import type { MemberContext, RequestContext } from '../../../../http/context.ts';
import type { Upload } from '../../../../http/upload.ts';
import { findRecord } from '../../../../resources/records.ts';
import { getTenant } from '../../../../tenancy/find-tenant.ts';
import type { TenantRow } from '../../../../tenancy/identity-tables.ts';
import { wholeTenant } from '../../../../tenancy/scope.ts';
import type { ScopedDb } from '../../../../tenancy/scoped-db.ts';
import { getSubscriberSettings, type SubscriptionType } from '../../../email-settings/api.ts';
import { type Choice, chooseSubscriptions, hasOptedOut } from '../choices.ts';
import { lockSameAddress } from '../queries.ts';
import { type SubscriberRow, subscribers } from '../resource.ts';
import type { Preferences, PreferencesUpdate } from './schema.ts';
import { isForAddress, type PreferencesClaims, readPreferencesToken } from './token.ts';

/** A subscription type on the preferences page. */
export interface SubscriptionChoice {
  readonly id: string;
  readonly name: string;
  readonly description: string;
  readonly subscribed: boolean;
}

/** The subscriber of a link, with their choices. */
export interface PreferencesSubject {
  readonly tenant: TenantRow;
  readonly subscriber: SubscriberRow;
  /** The active types, in the tenant's order. */
  readonly types: readonly SubscriptionChoice[];
}

/** Reads a token. @throws AppError TOKEN_INVALID if it is invalid, expired or of another tenant. */
function requireClaims({ platform, now, db }: MemberContext, token: string): PreferencesClaims {
  const claims = readPreferencesToken(platform, token, now);
  if (claims?.tenantId !== db.tenantId) throw new AppError(TOKEN_INVALID);
  return claims;
}

/**
 * Returns the available types and the choices of the token's subscriber, of any unit.
 * @throws AppError TOKEN_INVALID, also for a subscriber who was erased or has another address now.
 */
export async function readPreferences(ctx: MemberContext, token: string): Promise<Preferences> {
  const claims = requireClaims(ctx, token);
  const subject = await findSubject(ctx.platform.scoped(wholeTenant(claims.tenantId)), claims);
  if (subject === null) throw new AppError(TOKEN_INVALID);
  const { tenant, subscriber, types } = subject;
  const { logo_url, primary_color } = tenant.brand_settings;
  return {
    tenant: {
      id: tenant.tenant_id,
      name: tenant.name,
      brand_logo_url: logo_url,
      brand_primary_color: primary_color,
    },
    subscriber: {
      email: subscriber.email,
      subscriptions: types.map(({ id, subscribed }) => ({ subscription_type_id: id, subscribed })),
    },
    available_subscription_types: types.map(({ id, name, description }) => ({ id, name, description })),
    referrer: {
      marketingEmailId: claims.marketingEmailId,
      subscriptionTypeId: claims.subscriptionTypeId,
    },
  };
}

/** Writes the choices of the token's subscriber. @throws AppError as `readPreferences`, INVALID_SUBSCRIBER. */
export async function updatePreferences(
  ctx: MemberContext,
  token: string,
  {
    subscription_updates: updates,
    replace_all: replaceAll,
    subscriber_updates: subscriberUpdates = {},
  }: PreferencesUpdate,
): Promise<{ success: boolean }> {
  const { platform, now } = ctx;
  const claims = requireClaims(ctx, token);
  const choice = {
    updates,
    replaceAll,
    markInactive: subscriberUpdates.mark_inactive ?? false,
    ...(subscriberUpdates.inactive_reason === undefined
      ? {}
      : { inactiveReason: subscriberUpdates.inactive_reason }),
  };
  await platform.scoped(wholeTenant(claims.tenantId)).transaction(async (db) => {
    if ((await lockSubject(db, claims)) === null) throw new AppError(TOKEN_INVALID);
    await chooseSubscriptions({ platform, now, db }, claims.subscriberId, choice);
  });
  return { success: true };
}

/** Finds the subscriber of a token; null if the token is invalid or expired, or the subscriber was erased. */
export async function findPageSubject(
  { platform, now }: RequestContext,
  token: string,
): Promise<PreferencesSubject | null> {
  const claims = readPreferencesToken(platform, token, now);
  return claims && findSubject(platform.scoped(wholeTenant(claims.tenantId)), claims);
}

/**
 * Saves the form of the page and returns the new choices; null as `findPageSubject`.
 * @throws AppError as reading an upload does.
 */
export async function savePage(
  { platform, now }: RequestContext,
  token: string,
  body: Upload,
): Promise<PreferencesSubject | null> {
  const claims = readPreferencesToken(platform, token, now);
  if (claims === null) return null;
  const form = new URLSearchParams(Buffer.concat(await body.bytes.toArray()).toString());
  return platform.scoped(wholeTenant(claims.tenantId)).transaction(async (db) => {
    const before = await lockSubject(db, claims);
    const choice = before && choiceOf(form, before);
    if (choice === null) return before;
    await chooseSubscriptions({ platform, now, db }, claims.subscriberId, choice);
    return findSubject(db, claims);
  });
}

/**
 * Returns the choices of a form; null if nothing changes. Types that the form did not show stay unchanged, such as new
 * ones of the tenant.
 */
function choiceOf(form: URLSearchParams, { subscriber, types }: PreferencesSubject): Choice | null {
  if (form.has('nothing')) return { updates: [], replaceAll: true, markInactive: true };
  const [shown, checked] = [new Set(form.getAll('shown')), new Set(form.getAll('type'))];
  const updates = types
    .filter(({ id, subscribed }) => checked.has(id) !== subscribed && (checked.has(id) || shown.has(id)))
    .map(({ id, subscribed }) => ({ subscription_type_id: id, subscribe: !subscribed }));
  const isReactivated = hasOptedOut(subscriber) && types.some(({ id }) => checked.has(id));
  return updates.length > 0 || isReactivated ? { updates, replaceAll: false, isReactivated } : null;
}

/** Locks the subscriber before it reads it: a change depends on the current state. */
async function lockSubject(db: ScopedDb, claims: PreferencesClaims): Promise<PreferencesSubject | null> {
  await lockSameAddress(db, claims.subscriberId);
  return findSubject(db, claims);
}

/** Returns null if the subscriber was erased, or has another address than the link was mailed to. */
async function findSubject(db: ScopedDb, claims: PreferencesClaims): Promise<PreferencesSubject | null> {
  const subscriber = await findRecord(db, subscribers, claims.subscriberId);
  if (subscriber === null || !isForAddress(claims, subscriber.address_key)) return null;
  const { subscription_types: types } = await getSubscriberSettings(db);
  const chosen = new Map(
    subscriber.subscription_preferences.map((each) => [each.subscription_type_id, each.subscribed]),
  );
  return { tenant: await getTenant(db), subscriber, types: offeredChoices(types, chosen) };
}

/** Returns the active types. Recipients are subscribed to those that they have not chosen about. */
export function offeredChoices(
  types: readonly SubscriptionType[],
  chosen: ReadonlyMap<string, boolean>,
): SubscriptionChoice[] {
  return types
    .filter(({ active }) => active)
    .map(({ id, name, description }) => ({ id, name, description, subscribed: chosen.get(id) ?? true }));
}
