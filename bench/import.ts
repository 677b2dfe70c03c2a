import { writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { PGlite } from '@electric-sql/pglite';
import { createClient } from '../test/harness/client.ts';
import { eventually } from '../test/harness/poll.ts';
import { type BenchDatabase, createBenchDatabase } from './harness/bench-database.ts';
import { type Child, startTessera } from './harness/children.ts';
import { compare } from './harness/compare.ts';
import type { Measured } from './harness/load.ts';
import { aimOn, type Bench, limitKind } from './harness/options.ts';
import { createSampleTenants, type SampleTenant } from './harness/sample-tenant.ts';

const AIM = 0.4;
const ROWS = 50_000;
/** Default number of rows of the file for the memory measurement (`--rows`). */
const MANY_ROWS = 200_000;
const GROWTH_AIM_MIB = 150;
const WITHIN_MS = 600_000;

const STAGING = `
  create temporary table if not exists staged
    (email text, first_name text, last_name text, city text, visits text);
  truncate staged`;

/** Inserts new subscribers of a list, with the same rows as Tessera: membership, and first version in history. */
const UPSERT = `
  with written as (
    insert into subscribers as s (tenant_id, id, owner_bu_id, version, created_at, updated_at, first_name, last_name, email,
      address_key, active, additional_fields_data)
    select $1::uuid, tessera_uuidv7(now()), $2::uuid, 1, now(), now(), first_name, last_name, email, lower(email), true,
      json_build_object('city', city, 'visits', visits)
    from staged
    on conflict (tenant_id, address_key, owner_bu_id) do update set version = s.version + 1, updated_at = now(),
      first_name = excluded.first_name, last_name = excluded.last_name,
      additional_fields_data = excluded.additional_fields_data
    returning s.*
  ), joined as (
    insert into subscriber_group_members (tenant_id, group_id, subscriber_id, is_audience)
    select tenant_id, $3::uuid, id, false from written on conflict do nothing
  )
  insert into record_history (tenant_id, entity_type, sort_key, version, deleted, owner_bu_id, recorded_at, data)
  select tenant_id, 'marketing_subscriber', id::text, version, false, owner_bu_id, updated_at, json_build_object('id', id,
    'first_name', first_name, 'last_name', last_name, 'email', email, 'active', active, 'inactive_reason', inactive_reason,
    'audiences', json_build_array(), 'lists', json_build_array($3::uuid), 'additional_fields_data', additional_fields_data,
    'subscription_preferences', json_build_array(), 'business_unit', owner_bu_id, 'version', version, 'created_at',
    created_at, 'updated_at', updated_at)
  from written`;

/** A tenant with a list that all imported subscribers join. */
interface Target extends SampleTenant {
  readonly database: BenchDatabase;
  readonly listId: string;
}

/** A CSV file of new subscribers, from the upload to the last row applied, against COPY and one upsert. */
export const subscriberImport: Bench = async (kind, options, onEnd) => {
  const target = async (database: BenchDatabase): Promise<Target> => {
    onEnd(database.remove);
    const [tenant] = await createSampleTenants(database, [{ forms: 0 }]);
    if (!tenant) throw new Error('No tenant was created.');
    const tessera = await startTessera(database.env);
    const api = createClient(tessera.url, { 'x-api-key': tenant.apiKey });
    const { body } = await api.post('/api/lists', { name: 'Everybody' });
    await tessera.stop();
    return { ...tenant, database, listId: body.id };
  };
  const limit = await target(await createBenchDatabase(limitKind(kind)));
  const own = await target(await createBenchDatabase(kind));
  const tessera = await startTessera(own.database.env, options);
  onEnd(tessera.stop);
  let files = 0;
  const newFile = (rows: number) => {
    files += 1;
    return fileOf(rows, files);
  };
  const isReached = await compare({
    name: `import (${kind})`,
    against: 'COPY into a staging table and one upsert',
    aim: aimOn(kind, AIM),
    limit: () => copy(limit, newFile(ROWS)),
    tessera: () => upload(tessera, own, newFile(ROWS)),
  });
  return (await isManyBounded(tessera, own, limit, newFile(options.rows ?? MANY_ROWS))) && isReached;
};

/** Imports one large file, against the same limit once, and measures the additional memory. */
async function isManyBounded(tessera: Child, own: Target, limit: Target, file: string): Promise<boolean> {
  const name = `import (${own.database.kind})`;
  const before = await tessera.residentMebibytes();
  const bare = await copy(limit, file);
  const peak = await tessera.peakMebibytes(async () => {
    const { rate, count } = await upload(tessera, own, file);
    console.log(
      `${name}: a file of ${count} rows ${(rate / bare.rate).toFixed(2)}; ` +
        `per second ${rate.toFixed(0)}/${bare.rate.toFixed(0)}`,
    );
  });
  const growth = peak - before;
  const isBounded = growth <= GROWTH_AIM_MIB;
  console.log(
    `${name}: at most ${growth.toFixed(0)} MiB more than ${before.toFixed(0)} during the import ` +
      `(aim ${GROWTH_AIM_MIB}${isBounded ? '' : ', MISSED'})`,
  );
  return isBounded;
}

/** Returns a CSV file of subscribers that no other file contains. */
function fileOf(rows: number, file: number): string {
  const lines = Array.from(
    { length: rows },
    (_, n) => `f${file}p${n}@example.com,First${n % 1000},Last${n},City${n % 100},${n % 50}`,
  );
  return ['email,first_name,last_name,city,visits', ...lines].join('\n');
}

async function upload(tessera: Child, { apiKey, listId }: Target, file: string): Promise<Measured> {
  const api = createClient(tessera.url, { 'x-api-key': apiKey });
  const rows = file.split('\n').length - 1;
  const cpuBefore = await tessera.cpuSeconds();
  const begun = performance.now();
  const { body } = await api.post(`/api/subscribers/import?mode=upsert&list_id=${listId}`, undefined, 200, {
    rawBody: file,
    headers: { 'content-type': 'text/csv' },
  });
  const result = await eventually(
    'the import',
    async () => {
      const { body: found } = await api.get(`/api/subscribers/import/${body.import_id}`);
      return found.status === 'completed' && found;
    },
    WITHIN_MS,
  );
  const seconds = (performance.now() - begun) / 1000;
  if (result.created !== rows) throw new Error(`${result.created} of ${rows} subscribers were created.`);
  const cpuMicros = ((await tessera.cpuSeconds()) - cpuBefore) * (1e6 / rows);
  return { rate: rows / seconds, count: rows, cpuMicros };
}

async function copy({ database, tenantId, unitId, listId }: Target, file: string): Promise<Measured> {
  const values = [tenantId, unitId, listId];
  const seconds = await (database.kind === 'embedded'
    ? copyEmbedded(database.env.DATA_DIR ?? '', file, values)
    : copyOnServer(database, file, values));
  const rows = file.split('\n').length - 1;
  return { rate: rows / seconds, count: rows, cpuMicros: null };
}

/** The server reads the file itself, as it is on this machine. */
async function copyOnServer(
  database: BenchDatabase,
  file: string,
  values: readonly string[],
): Promise<number> {
  const path = join(tmpdir(), 'tessera-bench-import.csv');
  await writeFile(path, file, { mode: 0o644 });
  return database.asOwner(async (client) => {
    await client.query(STAGING);
    const begun = performance.now();
    await client.query(`copy staged from '${path}' csv header`);
    await client.query(UPSERT, [...values]);
    return (performance.now() - begun) / 1000;
  });
}

async function copyEmbedded(dataDir: string, file: string, values: readonly string[]): Promise<number> {
  const database = await PGlite.create({ dataDir: join(dataDir, 'db') });
  try {
    await database.exec(STAGING);
    const begun = performance.now();
    await database.query(`copy staged from '/dev/blob' csv header`, [], { blob: new Blob([file]) });
    await database.query(UPSERT, [...values]);
    return (performance.now() - begun) / 1000;
  } finally {
    await database.close();
  }
}
