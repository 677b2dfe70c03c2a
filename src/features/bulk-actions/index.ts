import { type NameOf, resolve, type Unique } from '../../http/examples.ts';
import type { Feature } from '../feature.ts';
import type { Restorer } from '../tenancy/api.ts';
import { bulkOperation } from './bulk-operation.ts';
import { bulkRevertOf } from './reverting.ts';
import { bulkRoute } from './routes.ts';
import { runnableRules } from './runnable-rules.ts';

/** Creates the feature for the actions on many records that these features declare. `restorers` revert them. */
export function bulkActions(features: readonly Feature[], restorers: readonly Restorer[]): Feature {
  const rules = runnableRules(features);
  const runs = rules.map((runnable) => ({
    runnable,
    operation: bulkOperation(runnable, bulkRevertOf(runnable.rule, restorers)),
  }));
  const requests = rules.map(({ rule: { id, example } }) => [
    `${id}.bulk`,
    {
      body: (name: NameOf, unique: Unique) => ({
        ...resolve(example, name, unique),
        filters: {},
        dry_run: true,
      }),
    },
  ]);
  return {
    name: 'bulk-actions',
    examples: { requests: Object.fromEntries(requests) },
    routes: runs.map(({ runnable, operation }) => bulkRoute(runnable, operation)),
    operations: runs.map(({ operation }) => operation),
  };
}
