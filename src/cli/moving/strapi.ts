/** Import from an archive of `strapi export`. */
import { importEntities } from './entity-plan.ts';
import type { Move } from './move.ts';
import { readExport } from './strapi-export.ts';
import { importFiles } from './strapi-files.ts';
import { planModel } from './strapi-model.ts';
import { importEntries, importEntryRelations, importLinks } from './strapi-records.ts';

/** Imports content types, entries and files of an archive. */
export async function importStrapi(move: Move): Promise<void> {
  const found = await readExport(move.from, move.report);
  const plans = await importEntities(move, planModel(move, found));
  const contents = plans.filter((plan) => plan.kind === 'content');
  await importFiles(move, found);
  await importEntries(move, found, contents);
  // After all records exist, because relations may lead to any of them.
  if (move.isApplied) for (const plan of contents) await importEntryRelations(move, found, plan, contents);
  for (const plan of plans) if (plan.kind === 'links') await importLinks(move, found, plan, contents);
}
