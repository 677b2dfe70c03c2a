import Type, { type Static } from 'typebox';

/** Body of a sign-in. What an address or a password may look like is no rule here: what is not known is not known. */
export const SignIn = Type.Object(
  {
    email: Type.String({ minLength: 1, maxLength: 254 }),
    password: Type.String({ minLength: 1, maxLength: 1000 }),
    tenant_code: Type.Optional(
      Type.String({ maxLength: 100, description: 'Which tenant; needed by whoever belongs to several.' }),
    ),
  },
  { title: 'SignIn' },
);
export type SignIn = Static<typeof SignIn>;

/** Body of a refresh, and of a sign-out. */
export const RefreshTokenBody = Type.Object(
  { refresh_token: Type.String({ maxLength: 1000 }) },
  { title: 'RefreshToken' },
);

/** Who has signed in, and the tokens of the session. */
export const SignedIn = Type.Object(
  {
    token: Type.String({ description: 'Access token for `Authorization: Bearer`, good for an hour.' }),
    refresh_token: Type.String({ description: 'Good for 30 days, once.' }),
    user: Type.Object({ id: Type.String(), email: Type.String(), name: Type.String() }),
  },
  { title: 'SignedIn' },
);
export type SignedIn = Static<typeof SignedIn>;

/** What a sign-out is answered. */
export const SignedOut = Type.Object({ success: Type.Literal(true) }, { title: 'SignedOut' });
export type SignedOut = Static<typeof SignedOut>;
