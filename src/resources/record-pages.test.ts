import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import test from 'node:test';
import { createSubscriber, subscriberBody } from '../../test/harness/subscribers.ts';
import { startTestApp } from '../../test/harness/test-app.ts';
import { databaseKind } from '../../test/harness/test-database.ts';
import { subscribers } from '../features/contacts/subscribers/resource.ts';
import { wholeTenant } from '../tenancy/scope.ts';
import { recordPages } from './record-pages.ts';

export const runsOn = ['embedded', 'server'];

const app = await startTestApp();
const { platform } = app.app;
const { database, scoped } = platform;

/** Creates a tenant with this many subscribers of one timestamp; returns their ids in the order of lists. */
async function createSubscribers(count: number) {
  const tenant = await app.createTenant();
  const { id } = await createSubscriber(tenant);
  const { query } = database.everyTenant('tests');
  const [row] = await query.selectFrom('subscribers').selectAll().where('id', '=', id).execute();
  assert.ok(row);
  const { additional_fields_data: _data, ...same } = row;
  const copies = Array.from({ length: count - 1 }, () => {
    const own = randomUUID();
    return { ...same, id: own, address_key: `${own}@example.com`, created_at: '2020-01-01T00:00:00.123456Z' };
  });
  await query.insertInto('subscribers').values(copies).execute();
  const copied = copies.map((copy) => copy.id).sort();
  return { tenant, ids: [id, ...copied.reverse()] };
}

const oneConnection = databaseKind() === 'embedded' && 'the embedded database has one connection';

test('pages continue after the last record, also among records of one timestamp', async () => {
  const { tenant, ids } = await createSubscribers(2001);
  const seen: string[] = [];
  const sizes: number[] = [];
  for await (const rows of recordPages(scoped(wholeTenant(tenant.tenantId)), subscribers, {})) {
    sizes.push(rows.length);
    seen.push(...rows.map(({ id }) => id));
  }
  assert.deepEqual(seen, ids);
  assert.deepEqual(sizes, [1000, 1000, 1]);
});

test('all pages of a snapshot are from its time', { skip: oneConnection }, async () => {
  const { tenant, ids } = await createSubscribers(2001);
  const [first = '', last = ''] = [ids[0], ids.at(-1)];
  const names = await scoped(wholeTenant(tenant.tenantId)).snapshot(async (tx) => {
    const seen = new Map<string, string>();
    for await (const rows of recordPages(tx, subscribers, {})) {
      if (seen.size === 0) {
        await tenant.api.put(`/api/subscribers/${last}`, subscriberBody({ first_name: 'Grace' }));
        await tenant.api.delete(`/api/subscribers/${ids.at(-2)}`);
        await createSubscriber(tenant);
      }
      for (const { id, first_name } of rows) seen.set(id, first_name);
    }
    return seen;
  });
  assert.deepEqual([...names.keys()], ids);
  assert.deepEqual([names.get(first), names.get(last)], ['Ada', 'Ada']);
});
