import Type, { type Static } from 'typebox';
import { OPERATORS } from '../../../flows/conditions.ts';
import { asWritten, nullable } from '../../../http/schemas.ts';

/** Trigger types. The spelling of `afterWorflowOwnershipTaken` is part of the API. */
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
/** The type of an automation's trigger. */
export type TriggerType = Static<typeof TriggerType>;

/** Types triggered by record changes. They require an entity. */
export const ENTITY_TRIGGERS: readonly TriggerType[] = [
  'afterCreate',
  'afterUpdate',
  'afterDelete',
  'afterWorkflowMove',
  'afterWorflowOwnershipTaken',
];

/** Longest definition, in characters of JSON. */
export const MAX_DEFINITION_CHARS = 256 * 1024;
/** Longest trigger parameters, in characters of JSON. */
export const MAX_TRIGGER_PARAMS_CHARS = 10_000;
/** Actions in a definition, including conditional ones. */
export const MAX_ACTIONS = 50;
/** Allowed time limits of a run, in ms. */
export const TIMEOUT_MS = { min: 1, max: 300_000 } as const;
/** Automations per tenant. */
export const MAX_AUTOMATIONS = 1000;

const TOKEN = '^[a-zA-Z0-9_]+$';
const TOKEN_PATTERN = new RegExp(TOKEN);
const MAX_TOKEN = 100;

/** A name without spaces and punctuation. */
export const Token = Type.String({ pattern: TOKEN, maxLength: MAX_TOKEN });

/** True if the text is a valid token. */
export function isToken(text: string): boolean {
  return text.length <= MAX_TOKEN && TOKEN_PATTERN.test(text);
}

/** A display text. */
export const Label = Type.String({ minLength: 1, maxLength: 200 });

/** An action. */
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
          'Texts may contain expressions: `{{trigger.entity.id}}`, `{{trigger.entity.customer.email}}` (a relation), `{{actions.<key>...}}`.',
      }),
    ),
  },
  { title: 'AutomationAction' },
);
/** An action of an automation, as the API shows it. */
export type Action = Static<typeof Action>;

/** A condition in a condition. The document has one schema for both. */
const NESTED_CONDITION = Type.Unsafe({ $ref: '#/components/schemas/AutomationCondition' });

/** A rule of a condition, as the document describes it. */
const Rule = Type.Object(
  {
    field: Type.Optional(
      Type.String({ description: 'A field of the triggering record, a path or an expression.' }),
    ),
    operator: Type.Optional(Type.Enum([...OPERATORS], { description: 'Default: equals.' })),
    value: Type.Optional(Type.Unknown()),
  },
  { title: 'AutomationRule' },
);

/** A condition. `compileCondition` checks its rules. */
const Condition = Type.Object(
  {
    rules: Type.Array(asWritten(Type.Union([Rule, NESTED_CONDITION])), {
      description: 'Each is a rule or a nested condition.',
    }),
    combinator: Type.Enum(['and', 'or']),
  },
  { title: 'AutomationCondition' },
);

/** Actions that run if a condition holds. */
export const ConditionalAction = Type.Object(
  {
    condition: Condition,
    actions: Type.Array(Action, { maxItems: MAX_ACTIONS }),
  },
  { title: 'ConditionalActions' },
);
/** A condition, and the actions that run if it holds. */
export type ConditionalAction = Static<typeof ConditionalAction>;

/** Parameters of a trigger. Its type determines the members. */
export const TriggerParams = Type.Record(Type.String(), Type.Unknown(), {
  description:
    'cronJob: `cronExpression`, `timezone?`, `timeoutMs?`; mqHandler: `queueName`, `timeoutMs?`; webhook: `path?`, `method?`; others: empty.',
});

/** The part of an automation that is stored as a version for its runs. */
export interface AutomationDefinition {
  readonly key: string;
  readonly name: string;
  readonly triggerType: TriggerType;
  readonly triggerParams: Readonly<Record<string, unknown>>;
  readonly actions: readonly Action[];
  readonly conditionalActions: readonly ConditionalAction[];
  /** Absent in definitions that are older than the field, like `onFailure`. */
  readonly entityKey?: string | null;
  readonly onFailure?: readonly Action[];
}

/** Path parameters of an automation. */
export const AutomationParams = Type.Object({ key: Type.String() });
/** Path parameters of a run. */
export const RunParams = Type.Object({ key: Type.String(), run_id: Type.String() });

/** Input of a run or a dry run. */
export const TriggerBody = Type.Object(
  {
    trigger: Type.Optional(
      Type.Record(Type.String(), Type.Unknown(), {
        description: 'Value of `trigger` in expressions, such as `{"entity": {"id": …}}`.',
      }),
    ),
  },
  { title: 'AutomationTrigger' },
);
/** Input of a requested run or dry run. */
export type TriggerBody = Static<typeof TriggerBody>;

/** Reply of routes that start or cancel a run. */
export const RunIdReply = Type.Object({ run_id: Type.String() }, { title: 'AutomationRunId' });

/** State of a run. */
export const RunStatus = Type.Enum(['queued', 'running', 'succeeded', 'failed', 'skipped']);
/** The state of a run. */
export type RunStatus = Static<typeof RunStatus>;

/** The result of an action. */
export const ActionEntry = Type.Object(
  {
    key: Type.String(),
    status: Type.Enum(['succeeded', 'failed', 'skipped'], {
      description: 'Skipped: the condition of its group was false.',
    }),
    error: nullable(Type.String()),
    result: Type.Unknown({ description: 'Later actions read it as `{{actions.<key>.<path>}}`.' }),
    on_failure: Type.Optional(
      Type.Boolean({ description: 'True for actions of `on_failure`, else absent.' }),
    ),
  },
  { title: 'AutomationRunAction' },
);

/** Reply of the list of action types. */
export const ActionTypeList = Type.Object(
  {
    results: Type.Array(
      Type.Object(
        {
          key: Type.String(),
          name: Type.String(),
          description: Type.String(),
          params: Type.Unknown({ description: 'JSON Schema of the parameters.' }),
        },
        { title: 'ActionType' },
      ),
    ),
  },
  { title: 'ActionTypeList' },
);

/** The result of an action in a dry run, with its input. */
export const TestedAction = Type.Object(
  {
    ...ActionEntry.properties,
    input: Type.Unknown({
      description:
        'Parameters with evaluated expressions; null beyond 4,194,304 characters of JSON per response.',
    }),
  },
  { title: 'AutomationActionResult' },
);

/** The result of a dry run. */
export const TestReply = Type.Object(
  {
    status: Type.Enum(['succeeded', 'failed']),
    error: nullable(Type.String()),
    actions: Type.Array(TestedAction),
  },
  { title: 'AutomationTest' },
);
