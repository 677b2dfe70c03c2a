import Type, { type Static } from 'typebox';
import { asWritten } from '../../../http/schemas.ts';

/** Action in the visitor's browser, or after it, once a submission is accepted (docs/specification/forms.md#form). */
export const PostSubmitAction = Type.Object(
  {
    type: Type.Enum(['redirect', 'show_message', 'trigger_journey']),
    url: Type.Optional(Type.String({ maxLength: 2048, description: 'Target of `redirect`: http or https.' })),
    html: Type.Optional(
      Type.String({
        maxLength: 100_000,
        description: 'Content for `show_message`; sanitised in the browser.',
      }),
    ),
    journey_id: Type.Optional(Type.String({ maxLength: 200, description: 'Journey for `trigger_journey`.' })),
  },
  { title: 'PostSubmitAction' },
);

/** Name or key of a question in settings of a form. */
export const QuestionName = Type.String({ maxLength: 1000 });
const Ids = Type.Array(Type.String({ maxLength: 200 }), { maxItems: 1000 });

/** Mapping from answers to a subscriber: the values are question names or ids. */
export const SubscriberMapping = Type.Object(
  {
    enabled: Type.Boolean(),
    first_name: Type.Optional(QuestionName),
    last_name: Type.Optional(QuestionName),
    lists: Type.Optional(Ids),
    audiences: Type.Optional(Ids),
    subscription_type_ids: Type.Optional(Ids),
    double_opt_in: Type.Optional(
      Type.Boolean({
        description:
          'New subscribers stay inactive until they confirm by mail; requires a verified sending domain. Default: false.',
      }),
    ),
    double_opt_in_template_id: Type.Optional(
      Type.String({
        maxLength: 200,
        description: 'Template of the confirmation mail; uses `confirm_url`. Default: a built-in text.',
      }),
    ),
  },
  { title: 'SubscriberMapping', description: 'Values are names of form questions.' },
);
/** Mapping from answers to a subscriber. */
export type SubscriberMapping = Static<typeof SubscriberMapping>;

/** True if visitors' browsers must solve a challenge. */
export const Challenge = Type.Boolean({
  title: 'FormChallenge',
  description: 'Require a solved challenge for embedded submissions. Default: false.',
});

/** Recipients of notifications. */
export const Notify = Type.Object(
  {
    emails: Type.Array(Type.String({ maxLength: 320 }), { minItems: 1, maxItems: 20 }),
    reply_to_respondent: Type.Optional(
      Type.Boolean({ description: 'Send replies to the submitted address. Default: false.' }),
    ),
  },
  {
    title: 'FormNotification',
    description: "Mails the answers of each submission to these addresses, from the tenant's default sender.",
  },
);

/** Retention period of submissions. */
export const RetentionDays = Type.Integer({
  title: 'RetentionDays',
  minimum: 1,
  maximum: 36_500,
  description: 'Days after which submissions are erased with history and deliveries. Default: never.',
});

/** A SurveyJS definition: any JSON object. The engine validates it on save; it is stored unchanged. */
export const FormDefinitionJson = Type.Unsafe<Readonly<Record<string, unknown>>>(
  Type.Object(
    {},
    {
      additionalProperties: true,
      description: 'SurveyJS JSON: `pages` with `elements`. Stored verbatim.',
    },
  ),
);

/** Sites that may embed the form. */
export const AllowedOrigins = Type.Array(Type.String({ maxLength: 300 }), {
  maxItems: 200,
  description: 'Origins that may embed the form; `*`: all.',
});

/** A stored post-submit action. */
export type PostSubmitActionJson = Static<typeof PostSubmitAction>;

/** Counts that lists show with a form. */
export const FormFigures = Type.Object({
  submission_count: Type.Integer(),
  conversion_rate: Type.Number({ description: 'Submissions per view; 0 without views.' }),
});

/** Data that a page needs to show a form. */
export const FormForRendering = Type.Object(
  {
    code: Type.String(),
    public_code: Type.String(),
    name: Type.String(),
    formBuilderOptions: Type.Unsafe<Readonly<Record<string, unknown>>>(asWritten(FormDefinitionJson)),
  },
  { title: 'FormForRendering' },
);

/** A type of form or of post-submit action, for the menus of a form builder. */
export const SettingsEntry = Type.Object(
  {
    key: Type.String(),
    name: Type.String(),
    description: Type.String(),
  },
  { title: 'SettingsEntry' },
);
