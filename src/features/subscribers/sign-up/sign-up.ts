/** Somebody becomes a subscriber by a form, or joins what the form stands for (docs/specification/subscribers.md#from-forms). */
import { v7 as uuidv7 } from 'uuid';
import type { RequestContext, TenantContext } from '../../../http/context.ts';
import { normalizeAddress } from '../../../mail/address.ts';
import type { Platform } from '../../../platform.ts';
import { createRecordUnlessTaken, replaceRecord } from '../../../resources/records.ts';
import type { Actor } from '../../../tenancy/actor.ts';
import { wholeTenant } from '../../../tenancy/scope.ts';
import { getEmailSettings, liftUnsubscribe } from '../../email-settings/index.ts';
import { type Groups, joinGroups, lockGroupsOf } from '../../subscriber-groups/index.ts';
import { acceptOwnMail } from '../../transmissions/index.ts';
import { writePreferences } from '../queries.ts';
import { subscribers } from '../resource.ts';
import { removeRowsBeside, writeRowsBeside } from '../rows-beside.ts';
import { columnsFrom } from '../service.ts';
import { type ConfirmationMail, confirmationMailTo, prepareConfirmationMail } from './confirmation-mail.ts';
import { confirmUrl } from './confirmation-tokens.ts';
import { listSubscribed, lockPersonAt, type Person, takeConfirmationMail } from './queries.ts';

/** Why somebody is inactive who has not confirmed yet. */
export const UNCONFIRMED = 'unconfirmed';

/** What a form asks for. */
export interface SignUp extends Groups {
  readonly formCode: string;
  /** The form's. */
  readonly ownerBuId: string;
  /** An address. */
  readonly email: string;
  readonly firstName: string;
  readonly lastName: string | null;
  readonly subscriptionTypeIds: readonly string[];
  /** How whoever is new confirms; null: need not. */
  readonly confirmation: { readonly templateId: string | null } | null;
}

/** A sign-up with what it needs of the tenant. */
export interface PreparedSignUp extends SignUp {
  /** Those of the types that there are. */
  readonly types: readonly string[];
  /** Null when nobody is asked, or nobody could send it. */
  readonly mail: ConfirmationMail | null;
}

/** A step that is told of a sign-up. */
export interface SignUpStep {
  readonly type: 'subscriber' | 'confirmation';
  readonly message: string;
  readonly isError: boolean;
}

/** What came of a sign-up. */
export interface SignUpOutcome {
  readonly subscriberId: string;
  readonly isNew: boolean;
  readonly steps: readonly SignUpStep[];
}

type SignUpContext = Pick<RequestContext, 'platform' | 'now'> &
  TenantContext & {
    readonly actor: Actor;
  };

/** Gathers what a sign-up needs. Not inside a transaction. */
export async function prepareSignUp(
  platform: Platform,
  tenantId: string,
  signUp: SignUp,
  acceptLanguage?: string,
): Promise<PreparedSignUp> {
  const { subscriptionTypeIds: asked, confirmation } = signUp;
  const settings = asked.length === 0 ? null : await getEmailSettings(platform.scoped(wholeTenant(tenantId)));
  const known = new Set(settings?.subscription_types.map(({ id }) => id));
  const mail =
    confirmation === null
      ? null
      : await prepareConfirmationMail(platform, tenantId, confirmation.templateId, acceptLanguage);
  return { ...signUp, types: [...new Set(asked)].filter((id) => known.has(id)), mail };
}

/**
 * Makes a subscriber in the open transaction, or lets the one with this address join. What does not exist any more is left
 * out and told. Of several at once for one address one makes the subscriber, and the others find it.
 */
export async function applySignUp(ctx: SignUpContext, signUp: PreparedSignUp): Promise<SignUpOutcome> {
  const groups = await lockGroupsOf(ctx.db, signUp.ownerBuId, signUp);
  const { person, isNew } = await findOrCreate(ctx, signUp, groups);
  if (!isNew) await join(ctx, person, signUp, groups);
  const isUnconfirmed = !person.active && person.inactive_reason === UNCONFIRMED;
  // Until the person has confirmed, somebody else may have typed the address.
  if (!isUnconfirmed) await liftUnsubscribe(ctx.platform, ctx.db, person.email, signUp.types);
  const mailed =
    isUnconfirmed && signUp.confirmation !== null ? [await askToConfirm(ctx, person, signUp)] : [];
  const found = isNew ? 'A subscriber was created.' : 'The address is that of a subscriber.';
  const told: SignUpStep = { type: 'subscriber', message: found, isError: false };
  return { subscriberId: person.id, isNew, steps: [told, ...leftOut(signUp, groups), ...mailed] };
}

async function findOrCreate(ctx: SignUpContext, signUp: PreparedSignUp, groups: Groups) {
  const addressKey = normalizeAddress(signUp.email);
  for (;;) {
    const found = await lockPersonAt(ctx.db, signUp.ownerBuId, addressKey);
    if (found !== null) return { person: found, isNew: false };
    const made = await create(ctx, signUp, groups);
    if (made !== null) return { person: made, isNew: true };
  }
}

/** Null when somebody else has just made a subscriber of this address. */
async function create(
  { db, now, actor }: SignUpContext,
  { ownerBuId, email, firstName, lastName, types, confirmation }: PreparedSignUp,
  groups: Groups,
): Promise<Person | null> {
  const active = confirmation === null;
  const id = uuidv7();
  const updates = types.map((subscription_type_id) => ({ subscription_type_id, subscribe: true }));
  await writeRowsBeside(db, { id, groups, active, updates }, now);
  const columns = {
    first_name: firstName,
    last_name: lastName,
    active,
    additional_fields_data: null,
    ...columnsFrom({ email, active, inactive_reason: UNCONFIRMED }),
  };
  const made = await createRecordUnlessTaken({ actor, db, now }, subscribers, columns, {
    key: id,
    ownerId: ownerBuId,
  });
  if (made === null) await removeRowsBeside(db, { id, active });
  return made;
}

/** Lets somebody join; whoever is in all groups and has chosen all types gets no other version of it. */
async function join(
  { db, now, actor }: SignUpContext,
  person: Person,
  { types }: PreparedSignUp,
  groups: Groups,
): Promise<void> {
  const { id, active } = person;
  const hasJoined = await joinGroups(db, { subscriberId: id, groups, was: active, is: active }, now);
  const subscribed = types.length === 0 ? [] : await listSubscribed(db, id);
  const updates = types
    .filter((type) => !subscribed.includes(type))
    .map((subscription_type_id) => ({ subscription_type_id, subscribe: true }));
  await writePreferences(db, person, updates, now);
  if (hasJoined || updates.length > 0) await replaceRecord({ actor, db, now }, subscribers, id, {});
}

async function askToConfirm(
  { platform, db, now }: SignUpContext,
  person: Person,
  { formCode, mail }: PreparedSignUp,
): Promise<SignUpStep> {
  const type = 'confirmation';
  if (mail === null) return { type, message: 'No mail: the tenant has no default sender.', isError: true };
  if (!(await takeConfirmationMail(db, person.address_key, now)))
    return { type, message: 'No mail: the address got one within the last hour.', isError: false };
  const own = confirmationMailTo(mail, person, confirmUrl(platform, db.tenantId, formCode, person, now));
  await acceptOwnMail(db, { platform, now }, own);
  return { type, message: `A mail was accepted: transmission ${own.id}.`, isError: false };
}

function leftOut(signUp: PreparedSignUp, groups: Groups): SignUpStep[] {
  const kinds = [
    ['lists of its unit', signUp.lists, groups.lists],
    ['audiences of its unit', signUp.audiences, groups.audiences],
    ['subscription types', signUp.subscriptionTypeIds, signUp.types],
  ] as const;
  return kinds.flatMap(([kind, asked, held]): SignUpStep[] => {
    const missing = new Set(asked).size - held.length;
    const message = `Left out, of what the form names as ${kind}: ${missing} that do not exist.`;
    return missing === 0 ? [] : [{ type: 'subscriber', message, isError: true }];
  });
}
