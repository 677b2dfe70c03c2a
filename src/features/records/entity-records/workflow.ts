/** Rules of an entity's workflow (docs/specification/records.md#workflow). */
import { AppError } from '../../../errors/app-error.ts';
import type { EntityModel, Workflow } from '../entities/index.ts';
import { WORKFLOW_REFUSED } from './errors.ts';

/** A move to a state, and the states from which it is allowed; null means no state. */
export interface Move {
  readonly column: string;
  readonly to: string | null;
  readonly from: readonly (string | null)[];
}

/** @throws AppError WORKFLOW_REFUSED for a new record in any other state; `pathPrefix` precedes the field's name. */
export function requireInitial({ field, initial }: Workflow, state: unknown, pathPrefix = ''): void {
  if (state !== initial)
    throw workflowError(`${pathPrefix}${field} must be ${initial} in a new record, not ${String(state)}.`);
}

/**
 * Returns the states from which a record may move to a state. A record may stay in its state, and one without a state
 * may enter the initial one.
 * @throws AppError WORKFLOW_REFUSED for an unknown state.
 */
export function moveTo(model: EntityModel, workflow: Workflow, to: unknown): Move {
  const { field, initial, states, transitions } = workflow;
  const column = model.fields.get(field)?.column;
  if (column === undefined) throw new Error(`The workflow of ${model.name} has no field ${field}.`);
  if (to === null) return { column, to, from: [null] };
  if (typeof to !== 'string' || !states.includes(to))
    throw workflowError(`${String(to)} is not a state of ${field}; use one of ${states.join(', ')}.`);
  const from = transitions.filter((each) => each.to === to).map((each) => each.from);
  return { column, to, from: [to, ...from, ...(to === initial ? [null] : [])] };
}

/** Returns the error for a missing transition. */
export function noTransition({ field }: Workflow, from: string | null, to: string | null): AppError {
  return workflowError(`${field} cannot go from ${from ?? 'no state'} to ${to ?? 'no state'}.`);
}

/** Returns a WORKFLOW_REFUSED error with this message. */
export function workflowError(message: string): AppError {
  return new AppError(WORKFLOW_REFUSED, { issues: [{ message }] });
}
