import type { ListFilters } from '../../sdk/src/list-facts.ts';
import type { Condition } from './condition.ts';
import { type FilterFault, printFilter } from './filter-text.ts';

/** The filter of a list, and how it changes. */
export interface FilterState {
  /** Fields and operations that the list supports. */
  readonly filters: ListFilters;
  readonly conditions: readonly Condition[];
  readonly search: string;
  readonly unknown: { readonly filters: readonly FilterFault[] };
  readonly change: (change: {
    readonly filter?: string | undefined;
    readonly search?: string | undefined;
  }) => void;
}

/** Replaces the conditions of a filter. */
export function setConditions({ filters, change }: FilterState, conditions: readonly Condition[]): void {
  const text = printFilter(conditions, filters);
  change({ filter: text === '' ? undefined : text });
}

/** Removes a condition of a filter. */
export function removeCondition(state: FilterState, condition: Condition): void {
  setConditions(
    state,
    state.conditions.filter((each) => each !== condition),
  );
}
