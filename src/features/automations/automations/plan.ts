/** The plan of an automation's runs: the compiled definition. */
import type { ActionType } from '../../../flows/action-type.ts';
import type { Condition } from '../../../flows/condition-thread.ts';
import type { Segments, Template } from '../../../flows/expressions.ts';

/** A compiled action. */
export interface PlannedAction {
  readonly key: string;
  readonly type: ActionType;
  readonly params: Template;
  /** Index of the action among all actions of the plan, in the order of execution. */
  readonly position: number;
  /** Index of the condition that the action depends on, or null if it is unconditional. */
  readonly conditionIndex: number | null;
}

/** A step of a plan. */
export type Step =
  | { readonly kind: 'action'; readonly action: PlannedAction }
  /** A condition. If it is false, the following actions with its index as their `conditionIndex` are skipped. */
  | {
      readonly kind: 'condition';
      readonly index: number;
      readonly condition: Condition;
      readonly paths: readonly Segments[];
    };

/** A compiled definition. */
export interface Plan {
  readonly key: string;
  readonly timeoutMs: number;
  readonly steps: readonly Step[];
  /** Steps that run once when a run has finally failed. */
  readonly onFailure: readonly Step[];
  /** Entity of the trigger, or null if it has none. */
  readonly entityKey: string | null;
  /** Paths that expressions read from the trigger's entity. */
  readonly entityPaths: readonly Segments[];
}
