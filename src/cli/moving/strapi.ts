/** Import from an archive of `strapi export`. */
import { carryEntities } from './entity-plan.ts';
import type { Move } from './move.ts';
import { readExport } from './strapi-export.ts';
import { carryFiles } from './strapi-files.ts';
import { planModel } from './strapi-model.ts';
import { carryEntries, carryEntryRelations, carryLinks } from './strapi-records.ts';

/** Imports content types, entries and files of an archive. */
export async function importStrapi(move: Move): Promise<void> {
  const found = await readExport(move.from, move.report);
  const plans = await carryEntities(move, planModel(move, found));
  const contents = plans.filter((plan) => plan.kind === 'content');
  await carryFiles(move, found);
  await carryEntries(move, found, contents);
  // After all records exist, because relations may lead to any of them.
  if (move.isApplied) for (const plan of contents) await carryEntryRelations(move, found, plan, contents);
  for (const plan of plans) if (plan.kind === 'links') await carryLinks(move, found, plan, contents);
}
