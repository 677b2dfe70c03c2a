import pg from 'pg';
import { createDatabase } from '../src/db/database.ts';
import { openServerPool } from '../src/db/pool.ts';
import { createBenchDatabase } from './harness/bench-database.ts';
import { openMeter } from './harness/database-usage.ts';
import type { Bench, OnEnd } from './harness/options.ts';
import { createSampleTenants, type SampleTenant } from './harness/sample-tenant.ts';
import { describe, measureCosts, perUnit } from './harness/unit-costs.ts';

const READS = 20_000;
const WARM_UP = 4000;
const CONNECTIONS = 8;
const FORM = 'select name, version, active from forms where tenant_id = $1 and code = $2';

/** Reads a form once. */
type Read = (tenant: SampleTenant) => Promise<unknown>;

/** Cost of tenant isolation in the database: reads of one row by key, as Tessera does it and in other variants. */
export const isolation: Bench = async (kind, _options, onEnd) => {
  if (kind === 'embedded') {
    console.log('isolation (embedded): skipped, its database is part of the process');
    return true;
  }
  const database = await createBenchDatabase(kind);
  onEnd(database.remove);
  const [tenant] = await createSampleTenants(database, [{ forms: 1 }]);
  if (!tenant) throw new Error('No tenant was created.');
  const meter = await openMeter(database);
  onEnd(meter.close);
  const url = database.env.DATABASE_URL ?? '';
  const variants: Readonly<Record<string, Read>> = {
    'none, as the owner': await readAsOwner(url, onEnd, false),
    'none, in a transaction': await readAsOwner(url, onEnd, true),
    'as Tessera reads': await readAsTessera(url, onEnd),
  };
  // Alternating rounds, so that other load affects all.
  for (const round of [1, 2, 3]) {
    for (const [name, read] of Object.entries(variants)) {
      await repeat(read, tenant, WARM_UP);
      const costs = await measureCosts({ processes: {}, meter }, () => repeat(read, tenant, READS));
      console.log(`isolation (${kind}), ${name}, round ${round}: ${describe(perUnit(costs, READS))}`);
    }
  }
  return true;
};

async function repeat(read: Read, tenant: SampleTenant, count: number): Promise<void> {
  const waiting = Array.from({ length: count }).values();
  await Promise.all(
    Array.from({ length: CONNECTIONS }, async () => {
      for (const _ of waiting) await read(tenant);
    }),
  );
}

/** Reads as the owner of the tables. Row-level security does not apply to the owner. */
async function readAsOwner(url: string, onEnd: OnEnd, isTransaction: boolean): Promise<Read> {
  const pool = new pg.Pool({ connectionString: url, max: CONNECTIONS, pipeline: true });
  onEnd(() => pool.end());
  return async ({ tenantId, formCodes }) => {
    const client = await pool.connect();
    try {
      const read = () => client.query({ name: 'form', text: FORM, values: [tenantId, formCodes[0]] });
      await (isTransaction
        ? Promise.all([
            client.query(`begin; set local tessera.tenant = '${tenantId}'`),
            read(),
            client.query('commit'),
          ])
        : read());
    } finally {
      client.release();
    }
  };
}

async function readAsTessera(url: string, onEnd: OnEnd): Promise<Read> {
  const sqlPool = openServerPool(url);
  onEnd(sqlPool.close);
  const database = await createDatabase(sqlPool);
  return ({ tenantId, formCodes }) =>
    database
      .forTenant(tenantId)
      .selectFrom('forms')
      .select(['name', 'version', 'active'])
      .where('tenant_id', '=', tenantId)
      .where('code', '=', formCodes[0] ?? '')
      .execute();
}
