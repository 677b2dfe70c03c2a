import Type, { type Static } from 'typebox';
import type { AccountFault } from '../../../http/account-form.ts';
import { check } from '../../../http/body-checks.ts';
import { nullable, secretMark } from '../../../http/schemas.ts';
import { versionOption } from '../../../resources/body.ts';
import { grantResource, RoleName, Status } from './resource.ts';

const MAX_GRANTS = 1000;

/** An email address, the sign-in name of a user. */
export const Email = Type.String({ format: 'email', maxLength: 254 });
/** A user's name. */
export const UserName = Type.String({ minLength: 1, maxLength: 200 });
/** Returns the rule that a name breaks; null: it is valid. */
export function nameFault(name: string): AccountFault | null {
  const { length } = [...name];
  if (length === 0) return 'missing';
  return length > 200 ? 'long' : null;
}
const PASSWORD_LENGTH = { minLength: 8, maxLength: 1000 };
/** A new password. */
export const NewPassword = Type.String({ ...PASSWORD_LENGTH, ...secretMark });
/** Returns the rule that a new password breaks; null: it is valid. */
export function passwordFault(password: string): AccountFault | null {
  const { length } = [...password];
  if (length < PASSWORD_LENGTH.minLength) return 'short';
  return length > PASSWORD_LENGTH.maxLength ? 'long' : null;
}
/** A password chosen by a user. */
export const Password = Type.String({
  ...NewPassword,
  description: 'For new users only; else ignored.',
});

const GrantInput = Type.Object({ bu_id: Type.String(), role: RoleName }, { title: 'GrantInput' });
/** A grant in a request: the role in one business unit. */
export type GrantInput = Static<typeof GrantInput>;
const GrantInputs = Type.Array(GrantInput, {
  maxItems: MAX_GRANTS,
  description: 'All grants; at most one per unit.',
});

/** A grant in responses (docs/specification/tenants.md#memberships-and-grants). */
const Grant = Type.Unsafe<Static<typeof grantResource.reply>>({ ...grantResource.reply, title: 'Grant' });
/** A grant in responses: the role in one business unit. */
export type Grant = Static<typeof Grant>;

/** A membership in responses. */
export const Membership = Type.Object(
  {
    membership_id: Type.String(),
    user_id: Type.String(),
    email: Type.String(),
    name: Type.String(),
    is_tenant_admin: Type.Boolean(),
    status: Status,
    grants: Type.Array(Grant),
    last_seen_at: nullable(Type.String(), {
      description: 'The last use of a browser session or API key in this tenant, to the minute.',
    }),
    created_at: Type.String(),
    invitation: Type.Optional(
      Type.Object(
        { sent_at: Type.String(), expires_at: Type.String() },
        {
          title: 'InvitationTimes',
          description: 'Present until the user accepts; the membership is inactive until then.',
        },
      ),
    ),
  },
  { title: 'Membership' },
);
/** A membership in responses, with its grants. */
export type Membership = Static<typeof Membership>;

/** A member's name, for clients that show who did something. It has no address, because every member may read it. */
const MemberName = Type.Object(
  { membership_id: Type.String(), user_id: Type.String(), name: Type.String() },
  { title: 'MemberName' },
);
/** A member's name and ids. */
export type MemberName = Static<typeof MemberName>;

/** Reply with the names of all members. */
export const MemberNames = Type.Object({ results: Type.Array(MemberName) }, { title: 'MemberNames' });

/** Body of a create. */
export const MembershipCreate = Type.Object(
  {
    email: Email,
    name: UserName,
    password: Type.Optional(Password),
    is_tenant_admin: Type.Optional(
      Type.Boolean({ description: 'True: owner of the tenant. Default: false.' }),
    ),
    grants: Type.Optional(GrantInputs),
    invite: Type.Optional(
      Type.Boolean({
        description:
          'Send a link by mail; the membership is `inactive` until accepted within 7 days. Excludes `password`.',
      }),
    ),
  },
  { title: 'MembershipCreate' },
);
/** Validated body of a create. */
export type MembershipCreate = Static<typeof MembershipCreate>;

/** Rejects a password together with `invite`: an invited user sets it. */
export const checkInvite = check<MembershipCreate>(['invite', 'password'], ({ invite, password }) =>
  invite === true && password !== undefined
    ? [{ field: 'password', message: 'is not allowed together with invite: the user sets it' }]
    : [],
);

/** Reply to a new membership. */
export const MembershipCreated = Type.Object(
  { membership_id: Type.String(), user_id: Type.String() },
  { title: 'MembershipCreated' },
);
/** Ids of a new membership and of its user. */
export type MembershipCreated = Static<typeof MembershipCreated>;

/** Body of an update; absent members stay unchanged. */
export const MembershipUpdate = Type.Object(
  {
    status: Type.Optional(Status),
    is_tenant_admin: Type.Optional(Type.Boolean()),
    grants: Type.Optional(GrantInputs),
    ...versionOption,
  },
  { title: 'MembershipUpdate' },
);
/** Validated body of an update. */
export type MembershipUpdate = Static<typeof MembershipUpdate>;

/** Reply to an invitation that was sent again. */
export const InvitationSent = Type.Object({ expires_at: Type.String() }, { title: 'InvitationSent' });
