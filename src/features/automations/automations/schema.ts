import Type, { type Static } from 'typebox';
import { nullable } from '../../../http/schemas.ts';

/** What sets automations off (document 3, automation triggers): `afterWorflowOwnershipTaken` is spelt so. */
export const TriggerType = Type.Enum([
  'afterCreate',
  'afterUpdate',
  'afterDelete',
  'afterWorkflowMove',
  'afterWorflowOwnershipTaken',
  'cronJob',
  'webhook',
  'mqHandler',
]);
export type TriggerType = Static<typeof TriggerType>;

/** Those that changes of records set off: they name an entity. */
export const ENTITY_TRIGGERS: readonly TriggerType[] = [
  'afterCreate',
  'afterUpdate',
  'afterDelete',
  'afterWorkflowMove',
  'afterWorflowOwnershipTaken',
];

/** A definition as JSON, in characters. */
export const MAX_DEFINITION_CHARS = 256 * 1024;
/** What a trigger needs to know as JSON, in characters. */
export const MAX_TRIGGER_PARAMS_CHARS = 10_000;
/** Actions of a definition in all, those with conditions among them. */
export const MAX_ACTIONS = 50;
/** What a run may be given, milliseconds. */
export const TIMEOUT_MS = { least: 1, most: 300_000 } as const;
/** Automations of a tenant. */
export const MAX_AUTOMATIONS = 1000;

const TOKEN = '^[a-zA-Z0-9_]+$';
const TOKEN_PATTERN = new RegExp(TOKEN);
const MAX_TOKEN = 100;

/** A name without spaces and signs. */
export const Token = Type.String({ pattern: TOKEN, maxLength: MAX_TOKEN });

/** Whether a text is a token. */
export function isToken(text: string): boolean {
  return text.length <= MAX_TOKEN && TOKEN_PATTERN.test(text);
}

/** A text for people. */
export const Label = Type.String({ minLength: 1, maxLength: 200 });

/** What is done. */
export const Action = Type.Object(
  {
    key: Token,
    name: Label,
    actionTypeKey: Type.String({
      maxLength: MAX_TOKEN,
      description: 'One of `GET /api/automations/action-types`.',
    }),
    params: Type.Optional(
      Type.Record(Type.String(), Type.Unknown(), {
        description:
          'Texts may hold expressions: `{{trigger.entity.id}}`, `{{trigger.entity.customer.email}}` through a relation, `{{actions.<key>...}}`.',
      }),
    ),
  },
  { title: 'AutomationAction' },
);
export type Action = Static<typeof Action>;

/** When: its rules are looked at by `compileCondition`. */
const Condition = Type.Object(
  {
    rules: Type.Array(Type.Unknown(), {
      description: 'Each is `{field, operator, value}`, or a condition again.',
    }),
    combinator: Type.Enum(['and', 'or']),
  },
  { title: 'AutomationCondition' },
);

/** What is done when a condition holds. */
export const ConditionalAction = Type.Object(
  {
    condition: Condition,
    actions: Type.Array(Action, { maxItems: MAX_ACTIONS }),
  },
  { title: 'ConditionalActions' },
);
export type ConditionalAction = Static<typeof ConditionalAction>;

/** What a trigger needs to know; which members it has follows from the type. */
export const TriggerParams = Type.Record(Type.String(), Type.Unknown(), {
  description:
    'cronJob: `cronExpression`, `timezone?`, `timeoutMs?`; mqHandler: `queueName`, `timeoutMs?`; webhook: `path?`, `method?`; else empty.',
});

/** What an automation is: what its runs keep of it. */
export interface AutomationDefinition {
  readonly key: string;
  readonly name: string;
  readonly triggerType: TriggerType;
  readonly triggerParams: Readonly<Record<string, unknown>>;
  readonly actions: readonly Action[];
  readonly conditionalActions: readonly ConditionalAction[];
  /** Absent in definitions that were stored before it existed, as is `onFailure`. */
  readonly entityKey?: string | null;
  readonly onFailure?: readonly Action[];
}

/** Names an automation. */
export const AutomationParams = Type.Object({ key: Type.String() });
/** Names a run of an automation. */
export const RunParams = Type.Object({ key: Type.String(), run_id: Type.String() });

/** What a run or a dry run is to begin with. */
export const TriggerBody = Type.Object(
  {
    trigger: Type.Optional(
      Type.Record(Type.String(), Type.Unknown(), {
        description: 'What expressions read as `trigger`, such as `{"entity": {"id": …}}`. Default: nothing.',
      }),
    ),
  },
  { title: 'AutomationTrigger' },
);
export type TriggerBody = Static<typeof TriggerBody>;

/** The answer of what begins or ends a run. */
export const RunIdReply = Type.Object({ run_id: Type.String() }, { title: 'AutomationRunId' });

/** How far a run is. */
export const RunStatus = Type.Enum(['queued', 'running', 'succeeded', 'failed', 'skipped']);
export type RunStatus = Static<typeof RunStatus>;

/** What came of an action. */
export const ActionEntry = Type.Object({
  key: Type.String(),
  status: Type.Enum(['succeeded', 'failed', 'skipped'], {
    description: 'Skipped: the condition of its group did not hold.',
  }),
  error: nullable(Type.String()),
  result: Type.Unknown({ description: 'What later actions read by `{{actions.<key>.<path>}}`.' }),
  on_failure: Type.Optional(
    Type.Boolean({ description: 'True: one of the actions of `on_failure`; else absent.' }),
  ),
});

/** An action type, as it is shown. */
export const ActionTypeList = Type.Object(
  {
    results: Type.Array(
      Type.Object(
        {
          key: Type.String(),
          name: Type.String(),
          description: Type.String(),
          params: Type.Unknown({ description: 'The JSON Schema of its parameters.' }),
        },
        { title: 'ActionType' },
      ),
    ),
  },
  { title: 'ActionTypeList' },
);

/** The same with what the action was given. */
export const TestedAction = Type.Object(
  {
    ...ActionEntry.properties,
    input: Type.Unknown({
      description:
        'Its parameters, with the expressions filled in; null beyond 4,194,304 characters of JSON in one answer.',
    }),
  },
  { title: 'AutomationActionResult' },
);

/** What a dry run came to. */
export const TestReply = Type.Object(
  {
    status: Type.Enum(['succeeded', 'failed']),
    error: nullable(Type.String()),
    actions: Type.Array(TestedAction),
  },
  { title: 'AutomationTest' },
);
