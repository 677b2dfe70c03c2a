import Type, { type Static } from 'typebox';

/** Answers by question name. Which are accepted is the form's matter, not this schema's. */
export const FormData = Type.Unsafe<Readonly<Record<string, unknown>>>(
  Type.Unknown({ description: 'Answers by question.' }),
);

/** Answers to a form and who gave them; `checkSubmission` checks the address, by the rule of mail, together with the answers. */
export const SubmissionInput = Type.Object({
  email_address: Type.String({ maxLength: 320, description: 'An e-mail address.' }),
  form_data: Type.Record(Type.String(), Type.Unknown(), { description: 'Answers by question.' }),
  time_zone: Type.Optional(
    Type.String({ maxLength: 100, description: "The visitor's IANA time zone, for `today()` in forms." }),
  ),
});
/** The same, read. */
export type SubmissionInput = Static<typeof SubmissionInput>;

/** What callers send (docs/specification/forms.md#submissions). */
export const SubmissionBody = Type.Object(
  { form_code: Type.String(), ...SubmissionInput.properties },
  { title: 'FormSubmissionCreate' },
);

/** Whose submissions are erased. */
export const ErasureBody = Type.Object(
  {
    email_address: Type.String({ maxLength: 320, description: 'The address that was submitted.' }),
  },
  { title: 'FormSubmissionErasure' },
);

/** How an erasure went. */
export const Erased = Type.Object(
  { erased: Type.Integer({ description: 'How many submissions went.' }) },
  { title: 'FormSubmissionsErased' },
);

/** A step of a submission's own processing. */
export const SubmissionEvent = Type.Object(
  {
    type: Type.String(),
    message: Type.String(),
    isError: Type.Boolean(),
    timestamp: Type.String(),
  },
  { title: 'SubmissionEvent' },
);
