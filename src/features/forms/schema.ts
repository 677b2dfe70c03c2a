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
  Type.Object(
    {},
    { description: 'The form as SurveyJS JSON: `pages` with `elements`. Kept and returned verbatim.' },
  ),
);

/** Where a form may be embedded. */
export const AllowedOrigins = Type.Array(Type.String(), {
  description: 'Origins that may embed the form; `*` allows all.',
});

/** A post-submit action as it was written. */
export type PostSubmitActionJson = Static<typeof PostSubmitAction>;

/** What lists show of a form beside the form itself. */
export const FormFigures = Type.Object({
  submission_count: Type.Integer(),
  conversion_rate: Type.Number({ description: 'Submissions per embed view; 0 without views.' }),
});

/** What a page needs to show a form. */
export const FormForRendering = Type.Object({
  code: Type.String(),
  public_code: Type.String(),
  name: Type.String(),
  // As it is stored: a declared shape would drop what it does not know.
  formBuilderOptions: Type.Unsafe<Readonly<Record<string, unknown>>>(Type.Unknown()),
});

/** A kind of form or of post-submit action, for a form builder's menus. */
export const SettingsEntry = Type.Object({
  key: Type.String(),
  name: Type.String(),
  description: Type.String(),
});
