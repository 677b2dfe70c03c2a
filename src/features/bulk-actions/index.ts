import { type NameOf, resolve, type Unique } from '../../http/examples.ts';
import type { Feature } from '../feature.ts';
import { bulkOperation } from './bulk-operation.ts';
import { bulkRoutes } from './routes.ts';
import { runnableRules } from './runnable-rules.ts';

/** Creates the feature for the actions on many records that these features declare. */
export function bulkActions(features: readonly Feature[]): Feature {
  const rules = runnableRules(features);
  const operation = bulkOperation(rules);
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
    routes: bulkRoutes(rules, operation),
    operations: [operation],
  };
}
