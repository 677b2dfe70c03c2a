import Type, { type Static } from 'typebox';
import { SecretHeader } from '../../flows/secret-headers.ts';

const MAX_STEPS = 2000;
/** Ten years, the longest wait, in seconds. */
export const MAX_SECONDS = 10 * 366 * 24 * 3600;
const Name = Type.String({ maxLength: 200 });

/** Pattern of a step's key. */
export const KEY_PATTERN = '^[a-zA-Z0-9_]{1,64}$';
const Key = Type.String({ pattern: KEY_PATTERN, description: 'Names the step; unique in the journey.' });
const StepKey = Type.String({ maxLength: 64, description: 'The key of a step.' });

/** Types of events that trigger journeys. */
export const EVENT_TYPES = ['open', 'click', 'page_view', 'purchase'] as const;
/** Types of events that a `wait_for` step can wait for. */
export const AWAITED_TYPES = [...EVENT_TYPES, 'form_submission'] as const;
/** One of `AWAITED_TYPES`. */
export type AwaitedType = (typeof AWAITED_TYPES)[number];

/** The event that enrolls subscribers. */
export const Trigger = Type.Union(
  [
    Type.Object({ type: Type.Literal('manual') }, { title: 'ManualTrigger' }),
    Type.Object({ type: Type.Literal('form_submission'), form_code: Name }, { title: 'FormTrigger' }),
    Type.Object({ type: Type.Literal('list_joined'), list_id: Name }, { title: 'ListTrigger' }),
    Type.Object({ type: Type.Literal('audience_entered'), audience_id: Name }, { title: 'AudienceTrigger' }),
    Type.Object(
      { type: Type.Literal('subscribed'), subscription_type_id: Name },
      { title: 'SubscriptionTrigger' },
    ),
    Type.Object(
      {
        type: Type.Literal('event'),
        event_type: Type.Enum([...EVENT_TYPES]),
        marketing_email_id: Type.Optional(
          Type.String({ maxLength: 200, description: 'Only events of this campaign e-mail. Absent: any.' }),
        ),
      },
      { title: 'EventTrigger' },
    ),
  ],
  {
    title: 'JourneyTrigger',
    description:
      'What lets people in: whoever is unconfirmed, once they confirm. Whatever it is, they can also be let in one by one.',
  },
);
export type Trigger = Static<typeof Trigger>;

/** Rule for subscribers who were enrolled before. */
export const ReEntry = Type.Union(
  [
    Type.Enum(['never', 'after_exit']),
    Type.Object({ after_days: Type.Integer({ minimum: 0, maximum: 3650 }) }, { title: 'ReEntryAfterDays' }),
  ],
  {
    title: 'ReEntry',
    description: 'Whether somebody may enter again, once the earlier time has ended. Default `never`.',
  },
);
export type ReEntry = Static<typeof ReEntry>;

const common = {
  key: Key,
  next: Type.Optional(
    Type.String({
      title: 'NextStep',
      maxLength: 64,
      description: 'The step that follows. Default: the next one in the list.',
    }),
  ),
};

const SendEmail = Type.Object(
  {
    ...common,
    type: Type.Literal('send_email'),
    template_id: Type.String({
      maxLength: 200,
      description: 'It sees `subscriber.first_name`, `unsubscribe_url` and others, as campaigns do.',
    }),
    subscription_type_id: Type.Optional(
      Type.String({ maxLength: 200, description: 'Who has left this type is passed over.' }),
    ),
    subject: Type.Optional(Type.String({ maxLength: 2000, description: "Instead of the template's." })),
    from_email: Type.Optional(Type.String({ maxLength: 1000, description: "Instead of the template's." })),
  },
  { title: 'SendEmailStep' },
);

const Wait = Type.Object(
  {
    ...common,
    type: Type.Literal('wait'),
    seconds: Type.Optional(Type.Number({ minimum: 0, maximum: MAX_SECONDS })),
    until: Type.Optional(Type.String({ description: 'An ISO 8601 time.' })),
    at: Type.Optional(Type.String({ description: '`HH:mm`, in `timezone`: the next such moment.' })),
    timezone: Type.Optional(Type.String({ maxLength: 100 })),
    weekdays: Type.Optional(
      Type.Array(Type.Integer({ minimum: 1, maximum: 7 }), {
        minItems: 1,
        maxItems: 7,
        description: 'Days that `at` may be on; 1 is Monday. Absent: any.',
      }),
    ),
  },
  { title: 'WaitStep', description: 'Either `seconds`, `until`, or `at` with `timezone`.' },
);

const WaitFor = Type.Object(
  {
    ...common,
    type: Type.Literal('wait_for'),
    event: Type.Enum([...AWAITED_TYPES]),
    step: Type.Optional(
      Type.String({ maxLength: 64, description: 'A send_email step: since its mail, and of it alone.' }),
    ),
    form_code: Type.Optional(Name),
    timeout_seconds: Type.Number({ minimum: 0, maximum: MAX_SECONDS }),
    on_event: Type.Optional(StepKey),
    on_timeout: Type.Optional(StepKey),
  },
  { title: 'WaitForStep' },
);

const Branch = Type.Object(
  {
    ...common,
    type: Type.Literal('branch'),
    filters: Type.Record(Type.String(), Type.Unknown(), {
      description:
        'As the list of subscribers takes them, and `engagement`, `any` and `none` as audiences do; at most 100 conditions.',
    }),
    // biome-ignore lint/suspicious/noThenProperty: the field is called so.
    then: Type.Optional(StepKey),
    else: Type.Optional(StepKey),
  },
  { title: 'BranchStep' },
);

const Split = Type.Object(
  {
    ...common,
    type: Type.Literal('split'),
    branches: Type.Array(
      Type.Object(
        { percent: Type.Number({ minimum: 0, maximum: 100 }), to: StepKey },
        { title: 'SplitBranch' },
      ),
      {
        minItems: 1,
        maxItems: 100,
        description: 'Their percents sum to 100.',
      },
    ),
  },
  { title: 'SplitStep' },
);

const UpdateSubscriber = Type.Object(
  {
    ...common,
    type: Type.Literal('update_subscriber'),
    additional_fields_data: Type.Optional(
      Type.Record(
        Type.String({ minLength: 1, maxLength: 100 }),
        Type.Union([Type.String(), Type.Number(), Type.Boolean()]),
        {
          maxProperties: 1000,
          description: 'Values by name; texts may hold expressions.',
        },
      ),
    ),
    add_lists: Type.Optional(Type.Array(Name, { maxItems: 100 })),
    remove_lists: Type.Optional(Type.Array(Name, { maxItems: 100 })),
    subscription_updates: Type.Optional(
      Type.Array(
        Type.Object(
          { subscription_type_id: Name, subscribe: Type.Boolean() },
          { title: 'SubscriptionUpdate' },
        ),
        { maxItems: 100 },
      ),
    ),
  },
  { title: 'UpdateSubscriberStep' },
);

const HttpRequest = Type.Object(
  {
    ...common,
    type: Type.Literal('http_request'),
    method: Type.Enum(['GET', 'POST', 'PUT', 'PATCH', 'DELETE', 'HEAD']),
    url: Type.String({ maxLength: 10_000, description: 'http or https.' }),
    headers: Type.Optional(
      Type.Record(Type.String(), Type.Union([Type.String(), SecretHeader]), {
        maxProperties: 100,
        description: '`{value, is_secret: true}` is stored encrypted and never read back.',
      }),
    ),
    body: Type.Optional(Type.Unknown({ description: 'A text is sent as it is, anything else as JSON.' })),
  },
  { title: 'HttpRequestStep' },
);

const Exit = Type.Object({ ...common, type: Type.Literal('exit') }, { title: 'ExitStep' });

/** One step of a journey. */
export const Step = Type.Union(
  [SendEmail, Wait, WaitFor, Branch, Split, UpdateSubscriber, HttpRequest, Exit],
  { title: 'JourneyStep' },
);
export type Step = Static<typeof Step>;
/** A step of one type. */
export type StepOf<T extends Step['type']> = Extract<Step, { type: T }>;

/** The steps of a journey, which begins with the first one. */
export const Steps = Type.Array(Step, { minItems: 1, maxItems: MAX_STEPS });

/** Number of enrollments by status. */
export const Counts = Type.Object(
  {
    active: Type.Integer(),
    completed: Type.Integer(),
    exited: Type.Integer(),
    failed: Type.Integer(),
  },
  { title: 'JourneyCounts' },
);
export type Counts = Static<typeof Counts>;

/** Status of an enrollment. */
export const Status = Type.Enum(['active', 'completed', 'exited', 'failed']);
export type Status = Static<typeof Status>;

/** A step that was taken, with its outcome. */
export const HistoryEntry = Type.Object(
  {
    step: Type.String(),
    at: Type.String(),
    outcome: Type.String({
      description:
        '`sent`, `skipped`, `failed`, `waited`, `event`, `timeout`, `then`, `else`, `done`, `exited`; of a split the key of the step that follows.',
    }),
  },
  { title: 'JourneyHistoryEntry' },
);
export type HistoryEntry = Static<typeof HistoryEntry>;

/** The subscriber to enroll. */
export const EnterBody = Type.Object(
  { subscriber_id: Type.Optional(Type.String()), email: Type.Optional(Type.String()) },
  { title: 'JourneyEnter', description: 'One of the two.' },
);
export type EnterBody = Static<typeof EnterBody>;

/** Reply to an enrollment. */
export const EnterReply = Type.Object({ state_id: Type.String() }, { title: 'JourneyEntered' });
