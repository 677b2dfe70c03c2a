import { sql } from 'kysely';
import Type from 'typebox';
import { AppError } from '../../../errors/app-error.ts';
import { deleteRows } from '../../../jobs/bounded-deletion.ts';
import { defineJob } from '../../../jobs/jobs.ts';
import type { Platform } from '../../../platform.ts';
import { wholeTenant } from '../../../tenancy/scope.ts';
import type { ScopedDb } from '../../../tenancy/scoped-db.ts';
import { embedderOf, refusedMark, requireLength } from './embedding/embedder.ts';
import { indexesOfOtherModels, listOutdated, setEmbeddingError, setModel, updateVectors } from './queries.ts';

/** Texts per batch of recomputed vectors. */
const BATCH_SIZE = 100;
/** Total size of a batch in bytes, unless one text is larger. */
const BATCH_BYTES = 4 * 1024 * 1024;

const IndexPayload = Type.Object({ tenantId: Type.String(), indexId: Type.String() });

/** Deletes the items of a deleted index. */
export const removeItems = defineJob({
  name: 'ai.remove-items',
  payload: IndexPayload,
  timeoutSeconds: 900,
  run: async (platform, { tenantId, indexId }) => {
    const db = platform.scoped(wholeTenant(tenantId));
    await deleteRows(
      (statement) => db.raw(() => statement),
      {
        table: 'ai_index_items',
        key: ['index_id', 'id'],
        where: sql`r.index_id = ${indexId}::uuid`,
        tenantIds: [tenantId],
      },
      platform.config.jobBatchSize,
    );
  },
});

/**
 * Recomputes the vectors of an index with the current model. Texts that the provider refuses are marked and not sent
 * again.
 */
export const recomputeVectors = defineJob({
  name: 'ai.embed-anew',
  payload: IndexPayload,
  timeoutSeconds: 3600,
  run: async (platform, { tenantId, indexId }) => {
    const db = platform.scoped(wholeTenant(tenantId));
    try {
      await recompute(platform, db, indexId);
    } catch (error) {
      if (error instanceof AppError) await setEmbeddingError(db, indexId, error.message);
      throw error;
    }
  },
});

async function recompute(platform: Platform, db: ScopedDb, indexId: string): Promise<void> {
  const embedder = embedderOf(platform);
  const { model } = embedder;
  let length: number | null = null;
  for (;;) {
    const items = await listOutdated(db, indexId, model, BATCH_SIZE, BATCH_BYTES);
    if (items.length === 0) break;
    const embeddings = await embedder.embed(
      db.tenantId,
      items.map(({ input }) => input),
    );
    requireLength(embeddings, length);
    if (embeddings.length > 0) length = embeddings.length;
    const vectors = items.map((item, index) => {
      const { vector = [], refusal = null } = embeddings.texts[index] ?? {};
      return {
        ...item,
        mark: refusal === null ? embeddings.mark : refusedMark(model),
        embedding: vector,
        refusal,
        words: embeddings.words?.[index],
      };
    });
    await updateVectors(db, indexId, vectors);
  }
  await setModel(db, indexId, { model, length });
}

/** Finds indexes whose vectors are from an earlier model. */
export const sweepModels = defineJob({
  name: 'ai.sweep-models',
  payload: Type.Object({}),
  timeoutSeconds: 900,
  schedule: '29 * * * *',
  run: (platform) => enqueueOutdated(platform),
});

/** Enqueues the recomputing of vectors from an earlier model. */
export async function enqueueOutdated(platform: Platform): Promise<void> {
  const { model } = embedderOf(platform);
  const all = platform.database.everyTenant('vector-models');
  const { rows, failure } = await all.gather(indexesOfOtherModels(model));
  for (const { tenant_id, id } of rows) {
    const db = platform.scoped(wholeTenant(tenant_id));
    const payload = { tenantId: tenant_id, indexId: id };
    if (await platform.jobs.isPending(db, recomputeVectors, payload)) continue;
    await db.transaction((tx) => platform.jobs.enqueue(tx, recomputeVectors, payload));
  }
  if (failure !== undefined) throw failure;
}
