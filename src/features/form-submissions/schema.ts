import Type from 'typebox';

/** Answers by question name. Which are accepted is the form's matter, not this schema's. */
const FormData = Type.Unsafe<Readonly<Record<string, unknown>>>(
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

/** A submission: the union of document 3's table and document 1's delivery body, without its owning unit. */
export const Submission = Type.Object({
  id: Type.String(),
  version: Type.Integer(),
  created_at: Type.String(),
  updated_at: Type.Unsafe<string | null>({ type: ['string', 'null'] }),
  form_code: Type.String(),
  form_name: Type.String(),
  email_address: Type.String(),
  submission_date: Type.String(),
  form_data: FormData,
  subscriber_created: Type.Boolean(),
  journey_triggered: Type.Boolean(),
  ip_address: Type.Unsafe<string | null>({ type: ['string', 'null'] }),
  user_agent: Type.Unsafe<string | null>({ type: ['string', 'null'] }),
  events: Type.Array(SubmissionEvent),
});
