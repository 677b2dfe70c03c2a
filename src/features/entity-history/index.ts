import type { HistoryDetail } from '../../resources/history.ts';
import type { Feature } from '../feature.ts';
import { reference } from './reference.ts';
import { historyRoutes } from './routes.ts';

/** The versions of records and the records that were deleted, with the details that features bring to them. */
export function entityHistory(brought: readonly HistoryDetail[]): Feature {
  const details = new Map(brought.map((detail) => [detail.entityType, detail]));
  return { name: 'entity-history', reference, routes: historyRoutes(details) };
}
