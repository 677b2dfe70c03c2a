/** Import from a running Directus. */
import { openDirectus } from './directus-api.ts';
import { importFiles } from './directus-files.ts';
import { importCollection, importCollectionRelations } from './directus-items.ts';
import { readModel } from './directus-model.ts';
import { importEntities } from './entity-plan.ts';
import type { Move } from './move.ts';

/** Imports collections, files and items of the Directus at an address. */
export async function importDirectus(move: Move): Promise<void> {
  const api = openDirectus(move.from, move.token);
  const plans = await importEntities(move, await readModel(move, api));
  await importFiles(move, api);
  for (const plan of plans) await importCollection(move, api, plan);
  if (!move.isApplied) return;
  // After all records exist, because relations may lead to any of them.
  for (const plan of plans) await importCollectionRelations(move, api, plan, plans);
}
