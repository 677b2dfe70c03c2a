import Type, { type Static } from 'typebox';

/** Answers by question name. The form decides which are accepted. */
export const FormData = Type.Unsafe<Readonly<Record<string, unknown>>>(
  Type.Object({}, { additionalProperties: true, description: 'Answers by question.' }),
);

/** Answers to a form and their author. `checkSubmission` validates the address together with the answers. */
export const SubmissionInput = Type.Object({
  email_address: Type.String({ maxLength: 320, description: 'Email address.' }),
  form_data: Type.Record(Type.String(), Type.Unknown(), { description: 'Answers by question.' }),
  time_zone: Type.Optional(
    Type.String({ maxLength: 100, description: "The visitor's IANA time zone, for `today()`." }),
  ),
});
/** Answers to a form and their author. */
export type SubmissionInput = Static<typeof SubmissionInput>;

/** Body of a submission (docs/specification/forms.md#submissions). */
export const SubmissionBody = Type.Object(
  { form_code: Type.String(), ...SubmissionInput.properties },
  { title: 'FormSubmissionCreate' },
);

/** Body of an erasure. */
export const ErasureBody = Type.Object(
  {
    email_address: Type.String({ maxLength: 320, description: 'The submitted address.' }),
  },
  { title: 'FormSubmissionErasure' },
);

/** Result of an erasure. */
export const Erased = Type.Object(
  { erased: Type.Integer({ description: 'Number of erased submissions.' }) },
  { title: 'FormSubmissionsErased' },
);

/** A step in the processing of a submission. */
export const SubmissionEvent = Type.Object(
  {
    type: Type.String(),
    message: Type.String(),
    isError: Type.Boolean(),
    timestamp: Type.String(),
  },
  { title: 'SubmissionEvent' },
);
