import Type, { type Static } from 'typebox';

/** What happens in the visitor's browser, or after it, once a submission is accepted (decisions section 7). */
export const PostSubmitAction = Type.Object({
  type: Type.Enum(['redirect', 'show_message', 'trigger_journey']),
  url: Type.Optional(Type.String({ description: 'Where `redirect` leads: http or https.' })),
  html: Type.Optional(Type.String({ description: 'What `show_message` shows; sanitised in the browser.' })),
  journey_id: Type.Optional(Type.String({ description: 'The journey that `trigger_journey` starts.' })),
});

/** How answers become a subscriber: the values are names of the form's questions, or ids. */
export const SubscriberMapping = Type.Object({
  enabled: Type.Boolean(),
  first_name: Type.Optional(Type.String()),
  last_name: Type.Optional(Type.String()),
  lists: Type.Optional(Type.Array(Type.String())),
  audiences: Type.Optional(Type.Array(Type.String())),
  subscription_type_ids: Type.Optional(Type.Array(Type.String())),
});

/** A SurveyJS definition: any JSON object here, checked by the engine itself on save; kept verbatim. */
export const FormDefinitionJson = Type.Unsafe<Readonly<Record<string, unknown>>>(
  Type.Unknown({
    description: 'The form as SurveyJS JSON: `pages` with `elements`. Kept and returned verbatim.',
  }),
);

/** What callers write of a form (document 3, Form). */
export const FormBody = Type.Object({
  name: Type.String({ minLength: 1 }),
  allowed_origins: Type.Array(Type.String(), {
    description: 'Origins that may embed the form; `*` allows all.',
  }),
  active: Type.Boolean(),
  form_type: Type.Enum(['embedded_form']),
  formBuilderOptions: Type.Object({}, { description: 'The form as SurveyJS JSON.' }),
  theme_code: Type.Optional(Type.Union([Type.String(), Type.Null()])),
  email_question: Type.Optional(Type.Union([Type.String(), Type.Null()])),
  post_submit_actions: Type.Optional(Type.Array(PostSubmitAction)),
  subscriber_mapping: Type.Optional(Type.Union([SubscriberMapping, Type.Null()])),
});

/** A post-submit action as it was written. */
export type PostSubmitActionJson = Static<typeof PostSubmitAction>;

const formFields = {
  code: Type.String(),
  public_code: Type.String({ description: 'Names the form in embeds.' }),
  name: Type.String(),
  allowed_origins: Type.Array(Type.String()),
  active: Type.Boolean(),
  form_type: Type.String(),
  business_unit: Type.String(),
  formBuilderOptions: FormDefinitionJson,
  theme_code: Type.Unsafe<string | null>({ type: ['string', 'null'] }),
  email_question: Type.Unsafe<string | null>({ type: ['string', 'null'] }),
  post_submit_actions: Type.Unsafe<PostSubmitActionJson[]>(
    Type.Unknown({ description: 'As they were written.' }),
  ),
  subscriber_mapping: Type.Unsafe<Static<typeof SubscriberMapping> | null>(
    Type.Unknown({ description: 'As it was written, or null.' }),
  ),
  version: Type.Integer(),
  created_at: Type.String(),
  updated_at: Type.String(),
};

/** A form as its GET shows it. */
export const Form = Type.Object(formFields);

/** A form in a list. */
export const ListedForm = Type.Object({
  ...formFields,
  submission_count: Type.Integer(),
  conversion_rate: Type.Number({ description: 'Submissions per embed view; 0 without views.' }),
});

/** A kind of form or of post-submit action, for a form builder's menus. */
export const SettingsEntry = Type.Object({
  key: Type.String(),
  name: Type.String(),
  description: Type.String(),
});
