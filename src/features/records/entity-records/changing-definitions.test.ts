import assert from 'node:assert/strict';
import test from 'node:test';
import { sql } from 'kysely';
import { eventually } from '../../../../test/harness/poll.ts';
import { createRecordsTenant } from '../../../../test/harness/records.ts';
import { startTestApp } from '../../../../test/harness/test-app.ts';
import { databaseKind } from '../../../../test/harness/test-database.ts';
import { schemaOf } from '../../../db/tenant-schemas.ts';

export const runsOn = ['embedded', 'server'];

const app = await startTestApp();
const name = { name: 'name', type: 'string', required: true, unique: true };
const tenant = await createRecordsTenant(app, [{ name: 'thing', fields: [name] }]);
const { api, owner } = tenant;

/** Successive definitions: fields are added, removed, and change their type. */
const STEPS: readonly (readonly object[])[] = [
  [{ name: 'more', type: 'string' }],
  [{ name: 'more', type: 'text', searchable: true }],
  [{ name: 'more', type: 'integer' }],
  [{ name: 'more', type: 'number', indexed: true }],
  [],
  [{ name: 'more', type: 'enum', enum: ['a'] }],
  [{ name: 'other', type: 'boolean', required: true, default: true }],
  [],
];

test('no call fails, and no record is lost, while definitions change', async () => {
  let isDone = false;
  let created = 0;
  const statuses = new Set<number>();
  const work = async (worker: number) => {
    for (let turn = 0; !isDone; turn += 1) {
      const response = await owner.send('POST', '/api/thing', {
        body: { name: `${worker}-${turn}`, more: null },
      });
      if (response.status === 200) created += 1;
      statuses.add(response.status);
      for (const path of ['/api/thing?sort=name', '/api/thing?more__null=true', '/api/thing?search=x']) {
        const { status, text } = await owner.send('GET', path);
        assert.ok(status === 200 || (status === 400 && !path.includes('sort')), text);
      }
      if (response.status !== 200) continue;
      const changed = await owner.send('PUT', `/api/thing/${response.body.id}`, { body: { more: null } });
      statuses.add(changed.status);
    }
  };
  const workers = [1, 2, 3].map(work);
  for (const more of STEPS)
    await api.put('/api/entities/thing', { fields: [name, ...more], drop: ['more', 'other'] });
  isDone = true;
  await Promise.all(workers);
  assert.deepEqual([...statuses], [200]);
  assert.equal((await owner.get('/api/thing')).body.pagination.total, created);
});

test('no create fails while required fields with defaults are added and removed', async () => {
  await api.post('/api/entities', { name: 'filled', fields: [name] });
  const flag = { name: 'flag', type: 'boolean', required: true, default: false };
  let isDone = false;
  const refused: string[] = [];
  const work = async (worker: number) => {
    for (let turn = 0; !isDone; turn += 1) {
      const one = await owner.send('POST', '/api/filled', { body: { name: `${worker}-${turn}` } });
      const records = [{ name: `${worker}-${turn}-a` }, { name: `${worker}-${turn}-b` }];
      const many = await owner.send('POST', '/api/filled/bulk', { body: { records } });
      for (const { status, text } of [one, many]) if (status !== 200) refused.push(text);
    }
  };
  const workers = [1, 2, 3, 4].map(work);
  for (let round = 0; round < 12; round += 1)
    await api.put('/api/entities/filled', {
      fields: round % 2 === 0 ? [name, flag] : [name],
      drop: ['flag'],
    });
  isDone = true;
  await Promise.all(workers);
  assert.deepEqual(refused, []);
});

/**
 * Changes an entity while already validated writes wait for the change. Returns their statuses, or null if one of them
 * did not arrive while the change waited for its table.
 */
async function changeUnderWrites(
  entity: string,
  fields: readonly object[],
): Promise<readonly number[] | null> {
  const { database } = app.app.platform;
  await api.post('/api/entities', { name: entity, fields: [name] });
  const response = (await owner.post(`/api/${entity}`, { name: 'a' })).body.id;
  const isAwaitedBy = (count: number, withinMs?: number) =>
    eventually(
      `${count} who wait for the table`,
      async () => {
        const { rows } = await database.everyTenant('tests').raw(sql<{ count: number }>`
          select count(*) as count from pg_locks l join pg_class c on c.oid = l.relation
          where c.relname = ${entity} and not l.granted`);
        return rows[0]?.count === count;
      },
      withinMs,
    );
  // Not as the tenant: the change and the writes use all the connections of one tenant.
  const everyTenant = database.everyTenant('tests');
  const { change, writes, isReady } = await everyTenant.transaction(async (tx) => {
    await tx.raw(sql`select from ${sql.id(schemaOf(tenant.tenantId), entity)}`);
    const begun = api.send('PUT', `/api/entities/${entity}`, { body: { fields } });
    await isAwaitedBy(1);
    const waits = [
      owner.send('POST', `/api/${entity}`, { body: { name: '1' } }),
      owner.send('PUT', `/api/${entity}/${response}`, { body: { name: '2' } }),
      owner.send('POST', `/api/${entity}/bulk`, { body: { records: [{ name: '3' }] } }),
      owner.send('PUT', `/api/${entity}/bulk`, { body: { filter: { id: response }, update: { name: '4' } } }),
      owner.send('POST', `/api/${entity}`, { body: { name: 'b' } }),
    ];
    const areAll = isAwaitedBy(1 + waits.length, 1000).then(
      () => true,
      () => false,
    );
    return { change: begun, writes: waits, isReady: await areAll };
  });
  const statuses = (await Promise.all(writes)).map(({ status }) => status);
  return (await change).status === 200 && isReady ? statuses : null;
}

/** Repeats that with new entities until it succeeds. */
async function changeInTime(entity: string, fields: readonly object[]) {
  for (let tries = 1; tries <= 10; tries += 1) {
    const statuses = await changeUnderWrites(`${entity}_${tries}`, fields);
    const { data } = (await owner.get(`/api/${entity}_${tries}?sort=name`)).body;
    if (statuses !== null) return { statuses, data };
  }
  throw new Error('Writes are never there in time.');
}

const onServer = { skip: databaseKind() !== 'server' && 'who waits for whom is seen on a server' };

test('a value validated before a pattern existed is not written after it', onServer, async () => {
  const { statuses, data } = await changeInTime('plate', [{ ...name, pattern: '^[a-z]$' }]);
  assert.deepEqual(statuses, [400, 400, 400, 400, 200]);
  assert.deepEqual(
    data.map((each: { name: string }) => each.name),
    ['a', 'b'],
  );
});

test('a write validated before a field became required follows the new definition', onServer, async () => {
  const more = { name: 'more', type: 'integer', required: true, default: 7 };
  const { statuses, data } = await changeInTime('cup', [name, more]);
  assert.deepEqual(statuses, [200, 200, 200, 200, 200]);
  assert.deepEqual(
    data.map((each: { more: number }) => each.more),
    [7, 7, 7, 7],
  );
});

test('an entity deleted and created again is a new one', async () => {
  await api.post('/api/entities', { name: 'short', fields: [name] });
  await owner.post('/api/short', { name: 'x' });
  await api.delete('/api/entities/short?drop=true');
  await owner.get('/api/short', 404);
  await api.post('/api/entities', { name: 'short', fields: [{ name: 'title', type: 'string' }] });
  assert.equal((await owner.get('/api/short')).body.pagination.total, 0);
  assert.equal((await owner.post('/api/short', { title: 'y' })).body.title, 'y');
});

test('reads find an entity or none while it is deleted and created again', async () => {
  let isDone = false;
  const statuses = new Set<number>();
  const read = async () => {
    while (!isDone) {
      const paths = ['/api/fleeting', '/api/fleeting?name=a', '/api/thing', '/api/openapi.json'];
      for (const { status } of await Promise.all(paths.map((path) => owner.send('GET', path))))
        statuses.add(status);
    }
  };
  const work = [read(), read(), read()];
  for (let turn = 0; turn < 15; turn += 1) {
    await api.post('/api/entities', { name: 'fleeting', fields: [name] });
    await api.delete('/api/entities/fleeting?drop=true');
  }
  isDone = true;
  await Promise.all(work);
  assert.deepEqual([...statuses].sort(), [200, 404]);
});
