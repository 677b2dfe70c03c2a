/** Finds unknown members in triggers, actions and conditions. Checks only parts that the caller sent. */
import Type from 'typebox';
import type { Issue } from '../../../errors/app-error.ts';
import type { ActionType } from '../../../flows/action-type.ts';
import { type Shape, shapesOf } from '../../../http/schema-shapes.ts';
import { wasSent } from '../../../http/sent-members.ts';
import { unknownMemberIssues } from '../../../http/unknown-members.ts';
import type { ActionTypes } from './compile.ts';
import type { AutomationReplace } from './resource.ts';
import { type Action, ENTITY_TRIGGERS, type TriggerType } from './schema.ts';

const Condition = Type.Object({ rules: Type.Unknown(), combinator: Type.Unknown() });
const conditionShapes = shapesOf(Condition);
const ruleShapes = shapesOf(
  Type.Object({ field: Type.Unknown(), value: Type.Unknown(), operator: Type.Unknown() }),
);

/** Known members of `triggerParams`. A separate rule refuses them for record triggers. */
const TRIGGER_PARAMS: Readonly<Partial<Record<TriggerType, readonly Shape[]>>> = {
  cronJob: shapesOf(
    Type.Object({ cronExpression: Type.Unknown(), timezone: Type.Unknown(), timeoutMs: Type.Unknown() }),
  ),
  mqHandler: shapesOf(Type.Object({ queueName: Type.Unknown(), timeoutMs: Type.Unknown() })),
  webhook: shapesOf(Type.Object({ path: Type.Unknown(), method: Type.Unknown(), timeoutMs: Type.Unknown() })),
};

const paramShapes = new WeakMap<ActionType, readonly Shape[]>();

/** Returns an issue for each unknown member in trigger parameters, action parameters and conditions. */
export function findUnknownMembers(body: AutomationReplace, types: ActionTypes): readonly Issue[] {
  const { triggerType, triggerParams, actions = [], conditionalActions = [] } = body;
  const onFailure = body.on_failure ?? [];
  const issuesOfActions = (list: readonly Action[], path: string) =>
    list.flatMap(({ actionTypeKey, params }, index) => {
      const type = types.get(actionTypeKey);
      return type ? unknownMemberIssues(shapesOfParams(type), params, `${path}[${index}].params`) : [];
    });
  const isEntityTrigger = ENTITY_TRIGGERS.some((type) => type === triggerType);
  return [
    ...(wasSent(body, 'triggerParams') && !isEntityTrigger
      ? unknownMemberIssues(TRIGGER_PARAMS[triggerType] ?? [], triggerParams, 'triggerParams')
      : []),
    ...(wasSent(body, 'actions') ? issuesOfActions(actions, 'actions') : []),
    ...(wasSent(body, 'on_failure') ? issuesOfActions(onFailure, 'on_failure') : []),
    ...(wasSent(body, 'conditionalActions')
      ? conditionalActions.flatMap((each, index) => [
          ...conditionIssues(each.condition, `conditionalActions[${index}].condition`),
          ...issuesOfActions(each.actions, `conditionalActions[${index}].actions`),
        ])
      : []),
  ];
}

/** Compiled once per type, because programs write automations often. */
function shapesOfParams(type: ActionType): readonly Shape[] {
  const shapes = paramShapes.get(type) ?? shapesOf(type.params);
  paramShapes.set(type, shapes);
  return shapes;
}

/** Returns the issues of a condition with a valid structure. A rule that has rules is a condition itself. */
function conditionIssues(condition: object, path: string): Issue[] {
  const isGroup = 'rules' in condition || 'combinator' in condition;
  const rules = 'rules' in condition && Array.isArray(condition.rules) ? condition.rules : [];
  return [
    ...unknownMemberIssues(isGroup ? conditionShapes : ruleShapes, condition, path),
    ...rules.flatMap((rule: unknown, index) =>
      typeof rule === 'object' && rule !== null ? conditionIssues(rule, `${path}.rules[${index}]`) : [],
    ),
  ];
}
