import { sql } from 'kysely';
import type { Contents } from '../../../resources/contents.ts';
import { copyAllowedSlices } from './queries.ts';
import { sliceModels } from './resource.ts';

/** Slices are deleted and copied with their project, except for core slices, which belong to the tenant and are in every project. */
export const contents: Contents = {
  resource: sliceModels,
  isModel: true,
  isPart: (table) => sql<boolean>`${sql.ref(`${table}.origin`)} <> 'core'`,
  copyRelated: copyAllowedSlices,
};
