import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { becomes, computed, createAudience } from '../harness/audiences.ts';
import { createClient } from '../harness/client.ts';
import { eventually } from '../harness/poll.ts';
import { killProcesses, startProcess, type TestProcess } from '../harness/process.ts';
import { createSubscriber, subscriberBody } from '../harness/subscribers.ts';
import { createTenant, testEnv } from '../harness/test-app.ts';
import { createTestDatabase, databaseKind } from '../harness/test-database.ts';

export const runsOn = ['server'];

/** An interrupted computation is retried when its lease ends. */
const LEASE_BOUND_MS = 90_000;
const SUBSCRIBERS = 90;

const skip = databaseKind() === 'embedded' && 'several processes need TEST_DATABASE_URL';

/** Starts a process with a tenant, created through any process on the same data. */
async function startSite(more: Readonly<Record<string, string>>) {
  const database = await createTestDatabase();
  after(async () => {
    await killProcesses();
    await database.remove();
  });
  const env = { ...testEnv(database), ...more };
  const first = await startProcess({ ...env, LOG_LEVEL: 'info' });
  const admin = createClient(first.url, { authorization: `Bearer ${env.ADMIN_TOKEN}` });
  const { apiKey } = await createTenant(first.url, admin);
  const at = ({ url }: TestProcess) => ({ api: createClient(url, { 'x-api-key': apiKey }) });
  return { env: { ...env, LOG_LEVEL: 'info' }, first, at };
}

const names = Array.from({ length: SUBSCRIBERS }, (_, n) => `Person ${n}`);
const inCity = (city: string) => ({ additional_fields_data: { city } });
const cityIs = (value: string) => ({ 'additional_fields_data.city': { operation: 'eq', value } });

test('an audience interrupted by a kill is computed completely, with each subscriber counted once', async () => {
  // One subscriber at a time.
  const { env, first, at } = await startSite({ JOB_BATCH_SIZE: '1' });
  const before = at(first);
  for (const first_name of names) await createSubscriber(before, { first_name, ...inCity('London') });
  const id = await createAudience(before, cityIs('London'));
  const half = await eventually('some of them', async () => {
    const { subscriber_count } = (await before.api.get(`/api/audiences/${id}`)).body;
    return subscriber_count > 5 ? subscriber_count : null;
  });
  await first.kill('SIGKILL');
  assert.ok(half < SUBSCRIBERS, `${half} were computed before the kill`);
  const next = at(await startProcess(env));
  await computed(next, id, LEASE_BOUND_MS);
  await becomes(next, id, names);
});

test('two workers that check the same subscribers leave each according to its last change', {
  skip,
}, async () => {
  const { env, first, at } = await startSite({ ROLE: 'api' });
  for (const _worker of [1, 2]) await startProcess({ ...env, ROLE: 'worker' });
  const tenant = at(first);
  const [london, paris] = [
    await createAudience(tenant, cityIs('London')),
    await createAudience(tenant, cityIs('Paris')),
  ];
  const ends = (n: number) => (n % 3 === 0 ? 'London' : 'Paris');
  await Promise.all(
    names.map(async (first_name, n) => {
      const { id, body } = await createSubscriber(tenant, { first_name, ...inCity('Rome') });
      for (const city of ['London', 'Paris', 'London', ends(n)])
        await tenant.api.put(`/api/subscribers/${id}`, { ...subscriberBody(body), ...inCity(city) });
    }),
  );
  const of = (city: string) => names.filter((_name, n) => ends(n) === city);
  await becomes(tenant, london, of('London'));
  await becomes(tenant, paris, of('Paris'));
});
