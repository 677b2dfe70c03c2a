import Type from 'typebox';
import { NewPassword } from '../memberships/index.ts';

/** Body of the request for a link. */
export const ResetRequest = Type.Object(
  { email: Type.String({ minLength: 1, maxLength: 254 }) },
  { title: 'PasswordResetRequest' },
);

/** The masked address of a link's user. */
export const ResetHint = Type.Object(
  {
    email_hint: Type.String({
      description: 'Masked address.',
    }),
  },
  { title: 'PasswordResetHint' },
);

/** Body of the request that sets the password. */
export const ResetCompletion = Type.Object({ password: NewPassword }, { title: 'PasswordReset' });
