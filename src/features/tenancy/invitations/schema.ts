import Type, { type Static } from 'typebox';
import { NewPassword, UserName } from '../memberships/index.ts';

/** The invitation of a link, as shown before it is accepted. */
export const InvitationInfo = Type.Object(
  {
    tenant: Type.String({ description: 'Name of the tenant.' }),
    email: Type.String(),
    needs_password: Type.Boolean({
      description: 'True if the user must set a password.',
    }),
  },
  { title: 'InvitationInfo' },
);
/** An invitation, as its page shows it. */
export type InvitationInfo = Static<typeof InvitationInfo>;

/** Body of the request that accepts an invitation. */
export const Acceptance = Type.Object(
  {
    name: Type.Optional(UserName),
    password: Type.Optional(
      Type.String({
        ...NewPassword,
        description: 'Required if `needs_password`; else ignored, as is `name`.',
      }),
    ),
  },
  { title: 'InvitationAcceptance' },
);
/** The data that a person enters to accept an invitation. */
export type Acceptance = Static<typeof Acceptance>;
