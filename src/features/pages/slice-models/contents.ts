import { sql } from 'kysely';
import type { Contents } from '../../../resources/contents.ts';
import { copyAllowedSlices } from './queries.ts';
import { sliceModels } from './resource.ts';

/** Slices as contents of projects. Core slices are excluded: they belong to the tenant. */
export const contents: Contents = {
  resource: sliceModels,
  isModel: true,
  isPart: (table) => sql<boolean>`${sql.ref(`${table}.origin`)} <> 'core'`,
  copyRelated: copyAllowedSlices,
};
