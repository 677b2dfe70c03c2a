/**
 * Sign-up by a form: creates a subscriber, or adds them to the form's groups
 * (docs/specification/subscribers.md#from-forms).
 */

import { v7 as uuidv7 } from 'uuid';
import type { RequestContext, TenantContext } from '../../../../http/context.ts';
import { normalizeAddress } from '../../../../mail/address.ts';
import type { Platform } from '../../../../platform.ts';
import { createRecordUnlessTaken, replaceRecord } from '../../../../resources/records.ts';
import type { Actor } from '../../../../tenancy/actor.ts';
import { wholeTenant } from '../../../../tenancy/scope.ts';
import { getEmailSettings, liftUnsubscribe } from '../../../email-settings/api.ts';
import { acceptPlatformMail } from '../../../mail/api.ts';
import { type Groups, joinGroups, lockGroupsOf } from '../../subscriber-groups/index.ts';
import { writePreferences } from '../queries.ts';
import { removeRelatedRows, writeRelatedRows } from '../related-rows.ts';
import { subscribers } from '../resource.ts';
import { columnsFrom } from '../service.ts';
import { type ConfirmationMail, confirmationMailTo, prepareConfirmationMail } from './confirmation-mail.ts';
import { confirmUrl } from './confirmation-tokens.ts';
import {
  claimConfirmationMail,
  listSubscribedTypes,
  lockSubscriberAt,
  type SignUpSubscriber,
} from './queries.ts';

export { requireConfirmationTemplate } from './template-check.ts';

/** `inactive_reason` of subscribers who have not confirmed yet. */
export const UNCONFIRMED = 'unconfirmed';

/** Data of a sign-up. */
export interface SignUp extends Groups {
  readonly formCode: string;
  /** Unit of the form. */
  readonly ownerBuId: string;
  /** A valid address. */
  readonly email: string;
  readonly firstName: string;
  readonly lastName: string | null;
  readonly subscriptionTypeIds: readonly string[];
  /** How new subscribers confirm their address; null if they need not. */
  readonly confirmation: { readonly templateId: string | null } | null;
}

/** A sign-up with data of the tenant. */
export interface PreparedSignUp extends SignUp {
  /** Existing types among `subscriptionTypeIds`. */
  readonly types: readonly string[];
  /** Null if no confirmation is needed, or the tenant has no sender. */
  readonly mail: ConfirmationMail | null;
}

/** A reported step of a sign-up. */
export interface SignUpStep {
  readonly type: 'subscriber' | 'confirmation';
  readonly message: string;
  readonly isError: boolean;
}

/** Result of a sign-up. */
export interface SignUpOutcome {
  readonly subscriberId: string;
  readonly isNew: boolean;
  readonly steps: readonly SignUpStep[];
}

type SignUpContext = Pick<RequestContext, 'platform' | 'now'> &
  TenantContext & {
    readonly actor: Actor;
  };

/** Loads the data that a sign-up needs. Call it outside of transactions. */
export async function prepareSignUp(
  platform: Platform,
  tenantId: string,
  signUp: SignUp,
  acceptLanguage?: string,
): Promise<PreparedSignUp> {
  const { subscriptionTypeIds: typeIds, confirmation } = signUp;
  const settings =
    typeIds.length === 0 ? null : await getEmailSettings(platform.scoped(wholeTenant(tenantId)));
  const known = new Set(settings?.subscription_types.map(({ id }) => id));
  const mail =
    confirmation === null
      ? null
      : await prepareConfirmationMail(platform, tenantId, confirmation.templateId, acceptLanguage);
  return { ...signUp, types: [...new Set(typeIds)].filter((id) => known.has(id)), mail };
}

/**
 * Creates a subscriber in the open transaction, or adds the existing one with this address to the groups. Missing
 * groups and types are ignored and reported. If several sign-ups of one address run concurrently, one of them creates
 * the subscriber.
 */
export async function applySignUp(ctx: SignUpContext, signUp: PreparedSignUp): Promise<SignUpOutcome> {
  const groups = await lockGroupsOf(ctx.db, signUp.ownerBuId, signUp);
  const { subscriber, isNew } = await findOrCreate(ctx, signUp, groups);
  if (!isNew) await addToGroups(ctx, subscriber, signUp, groups);
  const isUnconfirmed = !subscriber.active && subscriber.inactive_reason === UNCONFIRMED;
  // An unconfirmed address may have been entered by another person.
  if (!isUnconfirmed) await liftUnsubscribe(ctx.platform, ctx.db, subscriber.email, signUp.types);
  const mailSteps =
    isUnconfirmed && signUp.confirmation !== null
      ? [await sendConfirmationMail(ctx, subscriber, signUp)]
      : [];
  const message = isNew ? 'A subscriber was created.' : 'The address belongs to an existing subscriber.';
  const step: SignUpStep = { type: 'subscriber', message, isError: false };
  return { subscriberId: subscriber.id, isNew, steps: [step, ...ignoredSteps(signUp, groups), ...mailSteps] };
}

async function findOrCreate(ctx: SignUpContext, signUp: PreparedSignUp, groups: Groups) {
  const addressKey = normalizeAddress(signUp.email);
  for (;;) {
    const found = await lockSubscriberAt(ctx.db, signUp.ownerBuId, addressKey);
    if (found !== null) return { subscriber: found, isNew: false };
    const created = await create(ctx, signUp, groups);
    if (created !== null) return { subscriber: created, isNew: true };
  }
}

/** Creates the subscriber. Null if another transaction has just created one with this address. */
async function create(
  { db, now, actor }: SignUpContext,
  { ownerBuId, email, firstName, lastName, types, confirmation }: PreparedSignUp,
  groups: Groups,
): Promise<SignUpSubscriber | null> {
  const active = confirmation === null;
  const id = uuidv7();
  const updates = types.map((subscription_type_id) => ({ subscription_type_id, subscribe: true }));
  await writeRelatedRows(db, { id, groups, active, updates }, now);
  const columns = {
    first_name: firstName,
    last_name: lastName,
    active,
    additional_fields_data: null,
    ...columnsFrom({ email, active, inactive_reason: UNCONFIRMED }),
  };
  const created = await createRecordUnlessTaken({ actor, db, now }, subscribers, columns, {
    key: id,
    ownerId: ownerBuId,
  });
  if (created === null) await removeRelatedRows(db, { id, active });
  return created;
}

/** Adds a subscriber to groups and types. Without a change there is no new version. */
async function addToGroups(
  { db, now, actor }: SignUpContext,
  subscriber: SignUpSubscriber,
  { types }: PreparedSignUp,
  groups: Groups,
): Promise<void> {
  const { id, active } = subscriber;
  const change = { subscriberId: id, groups, wasActive: active, isActive: active };
  const hasJoined = await joinGroups(db, change, now);
  const subscribed = types.length === 0 ? [] : await listSubscribedTypes(db, id);
  const updates = types
    .filter((type) => !subscribed.includes(type))
    .map((subscription_type_id) => ({ subscription_type_id, subscribe: true }));
  await writePreferences(db, subscriber, updates, now);
  if (hasJoined || updates.length > 0) await replaceRecord({ actor, db, now }, subscribers, id, {});
}

async function sendConfirmationMail(
  { platform, db, now }: SignUpContext,
  subscriber: SignUpSubscriber,
  { formCode, mail }: PreparedSignUp,
): Promise<SignUpStep> {
  const type = 'confirmation';
  if (mail === null)
    return {
      type,
      message: 'No mail was sent: the tenant has no default sender. Verify a sending domain first.',
      isError: true,
    };
  if (!(await claimConfirmationMail(db, subscriber.address_key, now)))
    return { type, message: 'No mail was sent: the address got one within the last hour.', isError: false };
  const url = confirmUrl(platform, db.tenantId, formCode, subscriber, now);
  const platformMail = confirmationMailTo(mail, subscriber, url);
  await acceptPlatformMail(db, { platform, now }, platformMail);
  return {
    type,
    message: `The confirmation mail was accepted as transmission ${platformMail.id}.`,
    isError: false,
  };
}

function ignoredSteps(signUp: PreparedSignUp, groups: Groups): SignUpStep[] {
  const kinds = [
    ["lists that do not exist in the form's unit", signUp.lists, groups.lists],
    ["audiences that do not exist in the form's unit", signUp.audiences, groups.audiences],
    ['subscription types that do not exist', signUp.subscriptionTypeIds, signUp.types],
  ] as const;
  return kinds.flatMap(([kind, requested, existing]): SignUpStep[] => {
    const missing = new Set(requested).size - existing.length;
    const message = `Ignored ${missing} ${kind}.`;
    return missing === 0 ? [] : [{ type: 'subscriber', message, isError: true }];
  });
}
