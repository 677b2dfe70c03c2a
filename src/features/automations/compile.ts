/** From a definition to the plan of its runs: everything that does not change from run to run is done once. */
import type { Issue } from '../../errors/app-error.ts';
import type { ActionType } from '../../flows/action-type.ts';
import type { Condition } from '../../flows/condition-thread.ts';
import { compileCondition, type FixedPattern } from '../../flows/conditions.ts';
import { compileTemplate, FlowError, type Template } from '../../flows/expressions.ts';
import type { TenantPattern } from '../../patterns/tenant-patterns.ts';
import { type Action, type AutomationDefinition, MAX_ACTIONS } from './schema.ts';

/** What a run may take unless its definition says otherwise, milliseconds; those of hooks always. */
export const USUAL_TIMEOUT_MS = 30_000;

/** An action with everything that is known before a run. */
export interface PlannedAction {
  readonly key: string;
  readonly type: ActionType;
  readonly params: Template;
  /** Its place among all actions of the definition. */
  readonly place: number;
  /** The place of the condition on which it is done; null: it is done in any case. */
  readonly gate: number | null;
}

/** What a run goes through. */
export type Step =
  | { readonly kind: 'action'; readonly action: PlannedAction }
  /** Decides for the actions that follow and name its place. */
  | { readonly kind: 'gate'; readonly place: number; readonly gate: Condition };

/** A compiled definition. */
export interface Plan {
  readonly key: string;
  readonly timeoutMs: number;
  readonly steps: readonly Step[];
}

/** The action types by key. */
export type ActionTypes = ReadonlyMap<string, ActionType>;

type Compilable = Pick<AutomationDefinition, 'actions' | 'conditionalActions'>;

/** The plan of a definition that was checked when it was written. @throws Error for one of a process that knows more. */
export function compilePlan(definition: AutomationDefinition, types: ActionTypes): Plan {
  const compiler = new Compiler(types);
  const steps = compiler.compile(definition);
  const [issue] = compiler.issues;
  if (issue)
    throw new Error(`The automation ${definition.key} cannot be compiled: ${issue.field} ${issue.message}.`);
  return { key: definition.key, timeoutMs: timeoutOf(definition), steps };
}

/** What keeps a definition from being compiled, each fault with its place. */
export function findActionFaults(definition: Compilable, types: ActionTypes): readonly Issue[] {
  const compiler = new Compiler(types);
  compiler.compile(definition);
  return compiler.issues;
}

/** Lists the patterns of a definition's conditions. */
export function patternsOf({ conditionalActions = [] }: Partial<Compilable>): TenantPattern[] {
  return conditionalActions.flatMap(({ condition }, place) => {
    const patterns: FixedPattern[] = [];
    compileCondition(condition, patterns);
    return patterns.map(({ field, pattern }) => ({
      ...{ field: `conditionalActions[${place}].condition.${field}`, pattern, ignoreCase: false },
      malformed: 'must be a regular expression of RE2',
    }));
  });
}

function timeoutOf({ triggerType, triggerParams: { timeoutMs } }: AutomationDefinition): number {
  return triggerType !== 'webhook' && typeof timeoutMs === 'number' ? timeoutMs : USUAL_TIMEOUT_MS;
}

class Compiler {
  readonly issues: Issue[] = [];
  readonly #types: ActionTypes;
  readonly #keys = new Set<string>();
  #actions = 0;

  constructor(types: ActionTypes) {
    this.#types = types;
  }

  compile({ actions, conditionalActions }: Compilable): Step[] {
    const steps = this.#compileActions(actions, 'actions', null);
    for (const [place, { condition, actions: own }] of conditionalActions.entries()) {
      const at = `conditionalActions[${place}]`;
      const test = compileCondition(condition);
      if (typeof test === 'function') steps.push({ kind: 'gate', place, gate: { condition, holds: test } });
      else
        this.issues.push(
          ...test.map(({ field, message }) => ({ field: `${at}.condition.${field}`, message })),
        );
      steps.push(...this.#compileActions(own, `${at}.actions`, place));
    }
    if (this.#actions > MAX_ACTIONS)
      this.issues.push({ field: 'actions', message: `must not be more than ${MAX_ACTIONS} in all` });
    return steps;
  }

  #compileActions(actions: readonly Action[], at: string, gate: number | null): Step[] {
    return actions.flatMap((action, index) => {
      const place = this.#actions;
      this.#actions += 1;
      return this.#compileAction(action, `${at}[${index}]`, { place, gate });
    });
  }

  #compileAction(
    { key, actionTypeKey, params = {} }: Action,
    at: string,
    where: Pick<PlannedAction, 'place' | 'gate'>,
  ): Step[] {
    if (this.#keys.has(key)) this.issues.push({ field: `${at}.key`, message: 'is that of another action' });
    this.#keys.add(key);
    const type = this.#types.get(actionTypeKey);
    if (type === undefined) {
      const known = [...this.#types.keys()].join(', ');
      this.issues.push({ field: `${at}.actionTypeKey`, message: `must be one of ${known}` });
    }
    const template = this.#compileParams(params, `${at}.params`, type?.ownTemplates(params));
    return type && template ? [{ kind: 'action', action: { key, type, params: template, ...where } }] : [];
  }

  #compileParams(
    params: NonNullable<Action['params']>,
    at: string,
    ownTemplates: readonly string[] = [],
  ): Template | null {
    try {
      return compileTemplate(params, ownTemplates);
    } catch (error) {
      if (!(error instanceof FlowError)) throw error;
      const inner = error.field === '' || error.field.startsWith('[') ? error.field : `.${error.field}`;
      this.issues.push({ field: `${at}${inner}`, message: error.message });
      return null;
    }
  }
}
