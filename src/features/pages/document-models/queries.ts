import { sql } from 'kysely';
import type { CopiedRecords } from '../../../resources/contents.ts';
import type { ScopedDb } from '../../../tenancy/scoped-db.ts';

interface DocumentModelSlicesTable {
  tenant_id: string;
  project_id: string;
  document_model_id: string;
  slice_id: string;
}

declare module '../../../db/tables.ts' {
  interface Tables {
    document_model_slices: DocumentModelSlicesTable;
  }
}

/** Stores the allowed slices of a model, in the transaction that writes the model. */
export async function setAllowedSlices(
  tx: ScopedDb,
  projectId: string,
  modelId: string,
  sliceIds: readonly string[],
): Promise<void> {
  await tx.query
    .deleteFrom('document_model_slices')
    .where('project_id', '=', projectId)
    .where('document_model_id', '=', modelId)
    .where('slice_id', '<>', sql<string>`all(${sliceIds}::text[])`)
    .execute();
  if (sliceIds.length === 0) return;
  const model = { tenant_id: tx.tenantId, project_id: projectId, document_model_id: modelId };
  await tx.query
    .insertInto('document_model_slices')
    .values(sliceIds.map((slice_id) => ({ ...model, slice_id })))
    .onConflict((conflict) => conflict.doNothing())
    .execute();
}

/** Copies the allowed slices of copied document models. */
export async function copyAllowedSlices(tx: ScopedDb, { from, to, ids }: CopiedRecords): Promise<void> {
  await tx.query
    .deleteFrom('document_model_slices')
    .where('project_id', '=', to)
    .where('document_model_id', '=', sql<string>`any(${ids}::text[])`)
    .execute();
  await tx.query
    .insertInto('document_model_slices')
    .columns(['tenant_id', 'project_id', 'document_model_id', 'slice_id'])
    .expression((eb) =>
      eb
        .selectFrom('document_model_slices as source')
        .select(['source.tenant_id', sql<string>`${to}::text`.as('project_id')])
        .select(['source.document_model_id', 'source.slice_id'])
        .where('source.project_id', '=', from)
        .where('source.document_model_id', '=', sql<string>`any(${ids}::text[])`),
    )
    .execute();
}
