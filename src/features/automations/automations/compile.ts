/** Compiles a definition into the plan of its runs, so that work that is the same for every run is done once. */
import type { Issue } from '../../../errors/app-error.ts';
import type { ActionType } from '../../../flows/action-type.ts';
import { compileCondition, type FixedPattern } from '../../../flows/conditions.ts';
import { compileTemplate, FlowError, type Segments, type Template } from '../../../flows/expressions.ts';
import type { TenantPattern } from '../../../patterns/tenant-patterns.ts';
import type { Plan, PlannedAction, Step } from './plan.ts';
import { type Action, type AutomationDefinition, MAX_ACTIONS } from './schema.ts';
import { entityPathsOf } from './trigger-relations.ts';

/** Default time limit of a run in ms. Runs of hooks always have it. */
export const DEFAULT_TIMEOUT_MS = 30_000;

/** Action types by key. */
export type ActionTypes = ReadonlyMap<string, ActionType>;

type Compilable = Pick<AutomationDefinition, 'actions' | 'conditionalActions' | 'onFailure'>;

/**
 * Returns the plan of a definition that was checked when it was written. @throws Error for a definition written by a
 * newer version of Tessera.
 */
export function compilePlan(definition: AutomationDefinition, types: ActionTypes): Plan {
  const compiler = new Compiler(types);
  const { steps, onFailure } = compiler.compile(definition);
  const [issue] = compiler.issues;
  if (issue)
    throw new Error(`The automation ${definition.key} cannot be compiled: ${issue.field} ${issue.message}.`);
  const { key, entityKey = null } = definition;
  const paths = [...steps, ...onFailure].flatMap((step) =>
    step.kind === 'condition' ? step.paths : step.action.params.paths,
  );
  const entityPaths = entityPathsOf(paths);
  return { key, timeoutMs: timeoutOf(definition), steps, onFailure, entityKey, entityPaths };
}

/** Returns the faults that keep a definition from being compiled, each with its path. */
export function findActionFaults(definition: Compilable, types: ActionTypes): readonly Issue[] {
  const compiler = new Compiler(types);
  compiler.compile(definition);
  return compiler.issues;
}

/** Lists the patterns in a definition's conditions. */
export function patternsOf({ conditionalActions = [] }: Partial<Compilable>): TenantPattern[] {
  return conditionalActions.flatMap(({ condition }, index) => {
    const patterns: FixedPattern[] = [];
    compileCondition(condition, { patterns });
    return patterns.map(({ field, pattern }) => ({
      ...{ field: `conditionalActions[${index}].condition.${field}`, pattern, ignoreCase: false },
      malformed: 'must be an RE2 regular expression',
    }));
  });
}

function timeoutOf({ triggerType, triggerParams: { timeoutMs } }: AutomationDefinition): number {
  return triggerType !== 'webhook' && typeof timeoutMs === 'number' ? timeoutMs : DEFAULT_TIMEOUT_MS;
}

class Compiler {
  readonly issues: Issue[] = [];
  readonly #types: ActionTypes;
  #actions = 0;

  constructor(types: ActionTypes) {
    this.#types = types;
  }

  compile({ actions, conditionalActions, onFailure = [] }: Compilable): Pick<Plan, 'steps' | 'onFailure'> {
    const steps = this.#compileActions(actions, 'actions', null);
    for (const [index, { condition, actions: groupActions }] of conditionalActions.entries()) {
      const groupPath = `conditionalActions[${index}]`;
      const paths: Segments[] = [];
      const test = compileCondition(condition, { paths });
      if (typeof test === 'function')
        steps.push({ kind: 'condition', index, condition: { definition: condition, test }, paths });
      else
        this.issues.push(
          ...test.map(({ field, message }) => ({ field: `${groupPath}.condition.${field}`, message })),
        );
      steps.push(...this.#compileActions(groupActions, `${groupPath}.actions`, index));
    }
    const mainCount = this.#actions;
    this.#actions = 0;
    const afterFailure = this.#compileActions(onFailure, 'on_failure', null);
    if (mainCount + this.#actions > MAX_ACTIONS)
      this.issues.push({
        field: 'actions',
        message: `must have at most ${MAX_ACTIONS} items, including those of conditionalActions and on_failure`,
      });
    return { steps, onFailure: afterFailure };
  }

  #compileActions(actions: readonly Action[], path: string, conditionIndex: number | null): Step[] {
    const keys = new Set<string>();
    return actions.flatMap((action, index) => {
      const position = this.#actions;
      this.#actions += 1;
      if (keys.has(action.key))
        this.issues.push({ field: `${path}[${index}].key`, message: 'must be unique among the actions' });
      keys.add(action.key);
      return this.#compileAction(action, `${path}[${index}]`, { position, conditionIndex });
    });
  }

  #compileAction(
    { key, actionTypeKey, params = {} }: Action,
    path: string,
    where: Pick<PlannedAction, 'position' | 'conditionIndex'>,
  ): Step[] {
    const type = this.#types.get(actionTypeKey);
    if (type === undefined) {
      const known = [...this.#types.keys()].join(', ');
      this.issues.push({ field: `${path}.actionTypeKey`, message: `must be one of ${known}` });
    }
    const template = this.#compileParams(params, `${path}.params`, type?.ownTemplates(params));
    return type && template ? [{ kind: 'action', action: { key, type, params: template, ...where } }] : [];
  }

  #compileParams(
    params: NonNullable<Action['params']>,
    path: string,
    ownTemplates: readonly string[] = [],
  ): Template | null {
    try {
      return compileTemplate(params, ownTemplates);
    } catch (error) {
      if (!(error instanceof FlowError)) throw error;
      const inner = error.field === '' || error.field.startsWith('[') ? error.field : `.${error.field}`;
      this.issues.push({ field: `${path}${inner}`, message: error.message });
      return null;
    }
  }
}
