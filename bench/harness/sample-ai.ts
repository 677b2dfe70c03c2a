/** Assistants, threads and indexes for benchmarks, created through the API and then filled by SQL. */
import type pg from 'pg';
import { HASHING_MODEL } from '../../src/features/ai/ai-indexes/embedding/hashing.ts';
import { createClient } from '../../test/harness/client.ts';
import { type BenchDatabase, createBenchDatabase } from './bench-database.ts';
import { startTessera } from './children.ts';
import type { DatabaseKind, OnEnd } from './options.ts';
import { createSampleTenants, type SampleTenant } from './sample-tenant.ts';

/** Name of the sample index. */
export const INDEX = 'measured';
/** Metadata of one item in a hundred. */
export const RARE = { kind: 'k7' };

/** A database with a tenant, its assistant and an empty index. */
export interface SampleAi {
  readonly database: BenchDatabase;
  readonly tenant: SampleTenant;
  readonly assistantId: string;
}

/** Creates the database, tenant, assistant and index. */
export async function createSampleAi(kind: DatabaseKind, onEnd: OnEnd): Promise<SampleAi> {
  const database = await createBenchDatabase(kind);
  onEnd(database.remove);
  const [tenant] = await createSampleTenants(database, [{ forms: 0 }]);
  if (!tenant) throw new Error('No tenant was created.');
  const tessera = await startTessera(database.env);
  try {
    const api = createClient(tessera.url, { 'x-api-key': tenant.apiKey });
    const llmConfiguration = { system: 'Be brief.', temperature: 0, model: 'measured', max_tokens: 100 };
    const assistant = { name: 'Measured', description: '', llmConfiguration };
    const { id } = (await api.post('/api/ai/assistants', assistant)).body;
    const metadataDefinition = [{ fieldName: 'kind', fieldType: 'string' }];
    await api.post('/api/ai/indexes', { name: INDEX, contentsDescription: '', metadataDefinition });
    return { database, tenant, assistantId: id };
  } finally {
    await tessera.stop();
  }
}

/** Returns the id of a thread by its number. `many` and `few` distinguish long and short threads. */
export function threadId(kind: 'many' | 'few', place: number): string {
  return `00000000-0000-7000-${kind === 'many' ? '8000' : '9000'}-${String(place).padStart(12, '0')}`;
}

/** Inserts threads of version 0, created one second apart, with a number of messages each. */
export async function seedThreads(
  client: pg.PoolClient,
  { tenant, assistantId }: SampleAi,
  { kind, threads, messages }: { kind: 'many' | 'few'; threads: number; messages: number },
): Promise<void> {
  const prefix = threadId(kind, 0).slice(0, -12);
  await client.query(
    `insert into ai_threads (tenant_id, id, assistant_id, owner_bu_id, user_id, name, message_count, message_octets, metadata_octets,
       version, created_at, updated_at)
     select $1, ($2 || lpad(n::text, 12, '0'))::uuid, $3,
       (select bu_id from business_units where tenant_id = $1 and is_default), $4, 'Measured ' || n, $5, $5 * 150, 0, 0, now() - n * interval '1 second',
       now()
     from generate_series(0, $6::int - 1) n`,
    [tenant.tenantId, prefix, assistantId, kind, messages, threads],
  );
  await client.query(
    `insert into ai_thread_messages (tenant_id, thread_id, position, version, role, content, octets)
     select $1, ($2 || lpad(n::text, 12, '0'))::uuid, m, 0, (array['user', 'assistant'])[1 + m % 2],
       json_build_array(json_build_object('type', 'text', 'text', repeat('measured ', 12) || m)), 150
     from generate_series(0, $3::int - 1) n cross join generate_series(0, $4::int - 1) m`,
    [tenant.tenantId, prefix, threads, messages],
  );
}

/** Inserts items with random vectors of length 1. */
export async function seedItems(client: pg.PoolClient, { tenant }: SampleAi, items: number): Promise<void> {
  await client.query(
    `insert into ai_index_items (tenant_id, index_id, id, input, metadata, model, embedding, updated_at)
     select i.tenant_id, i.id, 'i' || n, 'measured text ' || n, json_build_object('kind', 'k' || n % 100)::jsonb, $2,
       (select array_agg((value / length)::real order by place) from (
         select place, value, sqrt(sum(value * value) over ()) as length
         from (select place, random() - 0.5 as value from generate_series(1, 256) place where n > 0) v) w),
       now()
     from ai_indexes i cross join generate_series(1, $3::int) n where i.tenant_id = $1`,
    [tenant.tenantId, `${HASHING_MODEL} 256`, items],
  );
}

/** Returns the vectors of all items by id. */
export async function readVectors(
  client: pg.PoolClient,
  { tenant }: SampleAi,
): Promise<Map<string, number[]>> {
  const { rows } = await client.query<{ id: string; embedding: number[] }>(
    'select id, embedding from ai_index_items where tenant_id = $1',
    [tenant.tenantId],
  );
  return new Map(rows.map(({ id, embedding }) => [id, embedding]));
}

/** Returns headers with the API key of the tenant's owner. */
export function headersOf({ tenant }: SampleAi): Record<string, string> {
  return { 'x-api-key': tenant.apiKey, 'content-type': 'application/json' };
}
