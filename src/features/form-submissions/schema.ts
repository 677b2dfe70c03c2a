import Type from 'typebox';

/** Answers by question name. Which are accepted is the form's matter, not this schema's. */
export const FormData = Type.Unsafe<Readonly<Record<string, unknown>>>(
  Type.Unknown({ description: 'Answers by question.' }),
);

/** The respondent's address, by the rule of mail: `checkSubmission` checks it together with the answers. */
export const RespondentAddress = Type.String({ maxLength: 320, description: 'An e-mail address.' });

/** What callers send (document 3, Form submissions). */
export const SubmissionBody = Type.Object({
  form_code: Type.String(),
  email_address: RespondentAddress,
  form_data: Type.Record(Type.String(), Type.Unknown(), { description: 'Answers by question.' }),
});

/** A step of a submission's own processing. */
export const SubmissionEvent = Type.Object({
  type: Type.String(),
  message: Type.String(),
  isError: Type.Boolean(),
  timestamp: Type.String(),
});
