import type { HistoryDetail } from '../../../resources/history.ts';
import type { Feature } from '../../feature.ts';
import { NOT_DELETED, RESTORE_CONFLICT } from './errors.ts';
import { examples } from './examples.ts';
import type { Restorer } from './restorers.ts';
import { historyRoutes } from './routes.ts';

export { changedFields } from './changed-fields.ts';
export { NOT_RESTORED, type Restorer, restorersOf } from './restorers.ts';
export { type ShownActor, VersionRecord } from './schema.ts';
export { historyDb, recordExistsFor, withNames } from './service.ts';
export { titleOf } from './title.ts';
export { undoByRestoring } from './undo.ts';
export { isRecordVisible, isVisibleTo, type KindVisibility, kindVisibilityOf } from './visibility.ts';

/** Declarations of other features about the history of their records. */
interface HistoryDeclarations {
  readonly details: readonly HistoryDetail[];
  readonly restorers: readonly Restorer[];
}

/** Versions of records, deleted records, and their restoration. */
export function entityHistory({ details, restorers }: HistoryDeclarations): Feature {
  return {
    name: 'entity-history',
    examples,
    tags: { 'Entity history': 'All versions of records with their authors, and deleted records.' },
    routes: historyRoutes(
      new Map(details.map((detail) => [detail.entityType, detail])),
      new Map(restorers.map((restorer) => [restorer.entityType, restorer])),
    ),
    errors: [NOT_DELETED, RESTORE_CONFLICT],
  };
}
