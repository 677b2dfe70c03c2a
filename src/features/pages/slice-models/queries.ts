import { sql } from 'kysely';
import type { CopiedRecords } from '../../../resources/contents.ts';
import type { ScopedDb } from '../../../tenancy/scoped-db.ts';

interface SliceModelSlicesTable {
  tenant_id: string;
  project_id: string;
  slice_model_id: string;
  slice_id: string;
}

declare module '../../../db/tables.ts' {
  interface Tables {
    slice_model_slices: SliceModelSlicesTable;
  }
}

/** Key of a stored slice. */
export interface SliceKey {
  readonly projectId: string;
  readonly isCore: boolean;
}

/**
 * Finds the slice with this id that applies in a project: its bespoke slice, otherwise the tenant's core slice. Null if
 * neither exists.
 */
export async function findSliceKey(db: ScopedDb, projectId: string, id: string): Promise<SliceKey | null> {
  const found = await db.query
    .selectFrom('slice_models')
    .select(['project_id as projectId', 'shared as isCore'])
    .where('id', '=', id)
    .where((eb) => eb.or([eb('project_id', '=', projectId), eb('shared', '=', true)]))
    .orderBy(sql`project_id = ${projectId}`, 'desc')
    .limit(1)
    .executeTakeFirst();
  return found ?? null;
}

/** Stores the ids of the slices that a slice may contain, in the transaction that writes the slice. */
export async function setAllowedSlices(
  tx: ScopedDb,
  projectId: string,
  id: string,
  sliceIds: readonly string[],
): Promise<void> {
  await tx.query
    .deleteFrom('slice_model_slices')
    .where('project_id', '=', projectId)
    .where('slice_model_id', '=', id)
    .where('slice_id', '<>', sql<string>`all(${sliceIds}::text[])`)
    .execute();
  if (sliceIds.length === 0) return;
  const slice = { tenant_id: tx.tenantId, project_id: projectId, slice_model_id: id };
  await tx.query
    .insertInto('slice_model_slices')
    .values(sliceIds.map((slice_id) => ({ ...slice, slice_id })))
    .onConflict((conflict) => conflict.doNothing())
    .execute();
}

/** Copies the allowed slices of copied slice models. */
export async function copyAllowedSlices(tx: ScopedDb, { from, to, ids }: CopiedRecords): Promise<void> {
  await tx.query
    .deleteFrom('slice_model_slices')
    .where('project_id', '=', to)
    .where('slice_model_id', '=', sql<string>`any(${ids}::text[])`)
    .execute();
  await tx.query
    .insertInto('slice_model_slices')
    .columns(['tenant_id', 'project_id', 'slice_model_id', 'slice_id'])
    .expression((eb) =>
      eb
        .selectFrom('slice_model_slices as source')
        .select(['source.tenant_id', sql<string>`${to}::text`.as('project_id')])
        .select(['source.slice_model_id', 'source.slice_id'])
        .where('source.project_id', '=', from)
        .where('source.slice_model_id', '=', sql<string>`any(${ids}::text[])`),
    )
    .execute();
}
