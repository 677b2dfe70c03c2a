import Type, { type Static } from 'typebox';
import { SecretHeader } from '../../flows/secret-headers.ts';

const MAX_STEPS = 2000;
/** Ten years, the longest wait, in seconds. */
export const MAX_SECONDS = 10 * 366 * 24 * 3600;
const Name = Type.String({ maxLength: 200 });

/** Pattern of a step's key. */
export const KEY_PATTERN = '^[a-zA-Z0-9_]{1,64}$';
const Key = Type.String({ pattern: KEY_PATTERN, description: 'Unique in the journey.' });
const StepKey = Type.String({ maxLength: 64, description: 'Key of a step.' });

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
          Type.String({ maxLength: 200, description: 'Only events of this campaign email. Default: any.' }),
        ),
      },
      { title: 'EventTrigger' },
    ),
  ],
  {
    title: 'JourneyTrigger',
    description:
      'Starts the journey; unconfirmed subscribers enter once they confirm. `enter` works with every trigger.',
  },
);
/** The event that enrolls subscribers in a journey. */
export type Trigger = Static<typeof Trigger>;

/** Rule for subscribers who were enrolled before. */
export const ReEntry = Type.Union(
  [
    Type.Enum(['never', 'after_exit']),
    Type.Object({ after_days: Type.Integer({ minimum: 0, maximum: 3650 }) }, { title: 'ReEntryAfterDays' }),
  ],
  {
    title: 'ReEntry',
    description: 'Allows subscribers to enter again after they left. Default: `never`.',
  },
);
/** The rule for subscribers who were enrolled before. */
export type ReEntry = Static<typeof ReEntry>;

const common = {
  key: Key,
  next: Type.Optional(
    Type.String({
      title: 'NextStep',
      maxLength: 64,
      description: 'Next step. Default: the next in the list.',
    }),
  ),
};

const SendEmail = Type.Object(
  {
    ...common,
    type: Type.Literal('send_email'),
    template_id: Type.String({
      maxLength: 200,
      description: 'Has the variables of campaigns: `subscriber.first_name`, `unsubscribe_url` etc.',
    }),
    subscription_type_id: Type.Optional(
      Type.String({ maxLength: 200, description: 'Skips subscribers who unsubscribed from this type.' }),
    ),
    subject: Type.Optional(Type.String({ maxLength: 2000, description: "Default: the template's." })),
    from_email: Type.Optional(Type.String({ maxLength: 1000, description: "Default: the template's." })),
  },
  { title: 'SendEmailStep' },
);

const Wait = Type.Object(
  {
    ...common,
    type: Type.Literal('wait'),
    seconds: Type.Optional(Type.Number({ minimum: 0, maximum: MAX_SECONDS })),
    until: Type.Optional(Type.String({ description: 'ISO 8601 time.' })),
    at: Type.Optional(Type.String({ description: 'Next `HH:mm` in `timezone`.' })),
    timezone: Type.Optional(Type.String({ maxLength: 100 })),
    weekdays: Type.Optional(
      Type.Array(Type.Integer({ minimum: 1, maximum: 7 }), {
        minItems: 1,
        maxItems: 7,
        description: 'Weekdays for `at`; 1 is Monday. Default: any.',
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
      Type.String({ maxLength: 64, description: 'Key of a send_email step: only events of its mail count.' }),
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
        'Filters of the subscriber list, plus `engagement`, `any` and `none` as in audiences; at most 100 conditions.',
    }),
    // biome-ignore lint/suspicious/noThenProperty: the API's field has this name.
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
        description: 'Percentages must sum to 100.',
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
          description: 'Values by name; texts may contain expressions.',
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
        description: '`{value, is_secret: true}` is stored encrypted and never returned.',
      }),
    ),
    body: Type.Optional(Type.Unknown({ description: 'Strings are sent as they are, other values as JSON.' })),
  },
  { title: 'HttpRequestStep' },
);

const Exit = Type.Object({ ...common, type: Type.Literal('exit') }, { title: 'ExitStep' });

/** One step of a journey. */
export const Step = Type.Union(
  [SendEmail, Wait, WaitFor, Branch, Split, UpdateSubscriber, HttpRequest, Exit],
  { title: 'JourneyStep' },
);
/** A step of a journey, of any type. */
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
/** Numbers of enrollments by status. */
export type Counts = Static<typeof Counts>;

/** Status of an enrollment. */
export const Status = Type.Enum(['active', 'completed', 'exited', 'failed']);
/** The status of an enrollment. */
export type Status = Static<typeof Status>;

/** A step that was taken, with its outcome. */
export const HistoryEntry = Type.Object(
  {
    step: Type.String(),
    at: Type.String(),
    outcome: Type.String({
      description:
        '`sent`, `skipped`, `failed`, `waited`, `event`, `timeout`, `then`, `else`, `done`, `exited`; for a split the key of the next step.',
    }),
  },
  { title: 'JourneyHistoryEntry' },
);
/** A step that an enrollment took, with its outcome. */
export type HistoryEntry = Static<typeof HistoryEntry>;

/** Body of an enrollment: the subscriber to enroll. */
export const EnterBody = Type.Object(
  { subscriber_id: Type.Optional(Type.String()), email: Type.Optional(Type.String()) },
  { title: 'JourneyEnter', description: 'Exactly one of the two.' },
);
/** A request to enroll a subscriber. */
export type EnterBody = Static<typeof EnterBody>;

/** Reply to an enrollment. */
export const EnterReply = Type.Object({ state_id: Type.String() }, { title: 'JourneyEntered' });
