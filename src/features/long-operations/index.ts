import { changeRetention } from '../../long-operations/changes.ts';
import type { OperationKind } from '../../long-operations/operation-kind.ts';
import { operationRetention } from '../../long-operations/operations.ts';
import type { Feature } from '../feature.ts';
import { findFailedOperations, findRunningOperations } from './attention.ts';
import { NOT_REVERTIBLE } from './errors.ts';
import { examples } from './examples.ts';
import { operationRoutes } from './routes.ts';

/** Creates the feature for operations of these kinds. @throws Error if two of them have the same name. */
export function longOperations(declared: readonly OperationKind[]): Feature {
  const all = declared.flatMap((each) => [each, ...(each.revert ? [each.revert.kind] : [])]);
  const kinds = new Map(all.map((each) => [each.kind, each]));
  if (kinds.size < all.length) throw new Error('Two features declare the same kind of operation.');
  return {
    name: 'long-operations',
    examples,
    tags: { 'Long operations': 'Imports, exports and other work that continues after the response.' },
    routes: operationRoutes(kinds),
    jobs: declared.flatMap(({ jobs }) => jobs),
    retentions: [operationRetention, changeRetention],
    overview: { attention: [findFailedOperations], running: [findRunningOperations] },
    errors: [NOT_REVERTIBLE],
  };
}
