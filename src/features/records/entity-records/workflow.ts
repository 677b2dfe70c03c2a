/** The rules of an entity's workflow (docs/specification/records.md#workflow). */
import { AppError } from '../../../errors/app-error.ts';
import type { EntityModel, Workflow } from '../entities/index.ts';
import { WORKFLOW_REFUSED } from './errors.ts';

/** The states in which a record may be when it is given one; null stands for none. */
export interface Arrival {
  readonly column: string;
  readonly to: string | null;
  readonly from: readonly (string | null)[];
}

/** @throws AppError WORKFLOW_REFUSED for a new record that is not to be in the initial state; `place` leads to it. */
export function requireInitial({ field, initial }: Workflow, state: unknown, place = ''): void {
  if (state !== initial)
    throw refused(`${place}${field} must be ${initial} in a new record, not ${String(state)}.`);
}

/**
 * From where a record may come to a state. To stay is no move, and a record without a state enters by the initial one.
 * @throws AppError WORKFLOW_REFUSED for what is no state.
 */
export function arrivalAt(model: EntityModel, workflow: Workflow, to: unknown): Arrival {
  const { field, initial, states, transitions } = workflow;
  const column = model.fields.get(field)?.column;
  if (column === undefined) throw new Error(`The workflow of ${model.name} has no field ${field}.`);
  if (to === null) return { column, to, from: [null] };
  if (typeof to !== 'string' || !states.includes(to))
    throw refused(`${String(to)} is no state of ${field}; it has ${states.join(', ')}.`);
  const from = transitions.filter((each) => each.to === to).map((each) => each.from);
  return { column, to, from: [to, ...from, ...(to === initial ? [null] : [])] };
}

/** That a record cannot go from one state to another. */
export function noWay({ field }: Workflow, from: string | null, to: string | null): AppError {
  return refused(`${field} cannot go from ${from ?? 'no state'} to ${to ?? 'no state'}.`);
}

/** A refusal in one sentence. */
export function refused(message: string): AppError {
  return new AppError(WORKFLOW_REFUSED, { issues: [{ message }] });
}
