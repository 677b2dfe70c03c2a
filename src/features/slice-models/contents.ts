import { sql } from 'kysely';
import type { Contents } from '../../resources/contents.ts';
import { copyAllowedSlices } from './queries.ts';
import { sliceModels } from './resource.ts';

/** The slices of a project go and are copied with it, but for core slices: those are the tenant's, and every project has them. */
export const contents: Contents = {
  resource: sliceModels,
  isModel: true,
  isPart: (table) => sql<boolean>`${sql.ref(`${table}.origin`)} <> 'core'`,
  copied: copyAllowedSlices,
};
