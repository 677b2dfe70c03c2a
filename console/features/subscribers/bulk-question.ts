import type { SubscribersListFilters } from '../../../sdk/src/generated/resources.ts';

/** The actions that the list offers for selected subscribers. */
export const BULK_ACTIONS = ['add_lists', 'remove_lists', 'activate', 'deactivate', 'erase'] as const;
export type BulkActionName = (typeof BULK_ACTIONS)[number];

/** Selected subscribers, as a bulk action takes them. */
export type BulkSelection =
  | { readonly ids: string[] }
  | { readonly filters: SubscribersListFilters; readonly search?: string };

/** An action on selected subscribers that waits for an answer. */
export interface BulkQuestion {
  readonly action: BulkActionName;
  readonly selection: BulkSelection;
  /** Ends the selection. */
  readonly clear: () => void;
}
