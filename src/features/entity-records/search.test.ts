import assert from 'node:assert/strict';
import test from 'node:test';
import { sql } from 'kysely';
import { createRecordsTenant } from '../../../test/harness/records.ts';
import { startTestApp } from '../../../test/harness/test-app.ts';
import { schemaOf } from '../../db/tenant-schemas.ts';
import { wholeTenant } from '../../tenancy/scope.ts';

const app = await startTestApp();
const INSUFFICIENT_PRIVILEGE = '42501';

const createSite = () =>
  createRecordsTenant(app, [
    { name: 'order', fields: [{ name: 'title', type: 'string', searchable: true }] },
  ]);

test('what more records match than are found at once is listed and counted, too', async () => {
  const { person } = await createSite();
  for (let part = 0; part < 11; part += 1) {
    const records = Array.from({ length: 1000 }, (_, n) => ({ title: `common ${part * 1000 + n}` }));
    await person.post('/api/order/bulk', { records });
  }
  const all = (await person.get('/api/order?search=comm&per_page=1')).body;
  assert.equal(all.pagination.total, 11_000);
  const one = (await person.get('/api/order?search=common%2010999')).body;
  assert.deepEqual(
    [one.pagination.total, one.data.map(({ title }: { title: string }) => title)],
    [1, ['common 10999']],
  );
});

test('records are found by the tenant of the session, and in its own tables alone', async () => {
  const [mine, theirs] = [await createSite(), await createSite()];
  await theirs.person.post('/api/order', { title: 'secret' });
  const db = app.app.platform.scoped(wholeTenant(mine.tenantId));
  const find = (tenantId: string, table: string) =>
    db.raw(
      (own) => sql`select ${own}::uuid, tessera_match_records(${tenantId}::uuid, ${table}, 'secret', 10)`,
    );
  const table = `${schemaOf(theirs.tenantId)}.order`;
  for (const tenantId of [theirs.tenantId, mine.tenantId])
    await assert.rejects(find(tenantId, table), { code: INSUFFICIENT_PRIVILEGE });
  await assert.rejects(find(mine.tenantId, 'public.subscribers'), { code: INSUFFICIENT_PRIVILEGE });
});
