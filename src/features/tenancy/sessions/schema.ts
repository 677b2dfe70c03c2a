import Type, { type Static } from 'typebox';
import { secretMark } from '../../../http/schemas.ts';
import { NewPassword } from '../memberships/index.ts';

/** Body of a sign-in. It has no format rules for address and password: an invalid one is just unknown. */
export const SignIn = Type.Object(
  {
    email: Type.String({ minLength: 1, maxLength: 254 }),
    password: Type.String({ minLength: 1, maxLength: 1000 }),
    tenant_code: Type.Optional(
      Type.String({ maxLength: 100, description: 'Required for users with several tenants.' }),
    ),
  },
  { title: 'SignIn' },
);
/** Validated body of a sign-in. */
export type SignIn = Static<typeof SignIn>;

/** Body of a refresh, and of a sign-out. */
export const RefreshTokenBody = Type.Object(
  { refresh_token: Type.String({ maxLength: 1000 }) },
  { title: 'RefreshToken' },
);

/** The signed-in user and the tokens of the session. */
export const SignedIn = Type.Object(
  {
    token: Type.String({ description: 'Access token for `Authorization: Bearer`; valid for 1 hour.' }),
    refresh_token: Type.String({ description: 'Valid once, for 30 days.' }),
    user: Type.Object(
      { id: Type.String(), email: Type.String(), name: Type.String() },
      { title: 'SignedInUser' },
    ),
  },
  { title: 'SignedIn' },
);
/** The signed-in user and the tokens of the session. */
export type SignedIn = Static<typeof SignedIn>;

/** Reply without data. */
export const Success = Type.Object({ success: Type.Literal(true) }, { title: 'Success' });
/** Reply without data. */
export type Success = Static<typeof Success>;

/** Body of a change of one's own password. */
export const PasswordChange = Type.Object(
  { current_password: Type.String({ minLength: 1, maxLength: 1000, ...secretMark }), password: NewPassword },
  { title: 'PasswordChange' },
);
/** Validated body of a change of the user's own password. */
export type PasswordChange = Static<typeof PasswordChange>;

/** Body of the operator's call that sets a password. */
export const PasswordSetBody = Type.Object(
  {
    email: Type.String({ minLength: 1, maxLength: 254 }),
    password: Type.Optional(Type.String({ ...NewPassword, description: 'Default: 20 random characters.' })),
  },
  { title: 'PasswordSet' },
);
/** Validated body of the operator's call that sets a password. */
export type PasswordSetBody = Static<typeof PasswordSetBody>;

/** Reply with the password that was set. */
export const PasswordSet = Type.Object(
  { email: Type.String(), password: Type.String({ description: 'Shown only once.' }) },
  { title: 'PasswordSetAnswer' },
);
/** The user whose password was set, and the password. */
export type PasswordSet = Static<typeof PasswordSet>;
