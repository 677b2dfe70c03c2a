import type { schemas } from '../../../sdk/src/index.ts';

/** Selected suppressions, as the bulk action takes them. */
export type BulkSelection = Pick<schemas.SuppressionBulkAction, 'ids' | 'filters' | 'search'>;

/** Selected suppressions that the user is asked about. */
export interface BulkQuestion {
  readonly selection: BulkSelection;
  /** Ends the selection. */
  readonly clear: () => void;
}
