/** Lists of megabytes, requested concurrently: they are complete, and memory stays bounded. */
import assert from 'node:assert/strict';
import test from 'node:test';
import { createAutomation } from '../harness/automations.ts';
import type { Client } from '../harness/client.ts';
import { startOwnSite } from '../harness/own-site.ts';
import { eventually } from '../harness/poll.ts';
import { peakResidentMib, residentMib, withoutResidentMemory } from '../harness/resident-memory.ts';
import { createTenant } from '../harness/test-app.ts';

export const runsOn = ['server'];
export const neverRunsOn = ['cluster'];

const SNIPPETS = 6;
const TENANTS = 2;
const CALLS_PER_TENANT = 8;
const TEXT = 'x'.repeat(6 * 1024 * 1024);
/** Runs of one tenant, each with almost the maximum size of results. */
const RUNS = 24;
const RESULTS = { count: 4, text: 'x'.repeat(250_000) };
/** Allowance over the memory before: bodies in and out, and garbage that is not collected yet. */
const MAX_GROWTH_MIB = 350;

/** Starts a process, and creates this many tenants with their clients. */
async function startSite(tenants: number) {
  const { server, admin } = await startOwnSite();
  const clients: Client[] = [];
  for (let n = 0; n < tenants; n += 1) clients.push((await createTenant(server.url, admin)).api);
  return { server, clients };
}

/** Counts the bytes of a response without storing it, because many would fill this process. */
async function readBytes({ url, headers }: Client, path: string): Promise<number> {
  const answer = await fetch(`${url}${path}`, { headers });
  assert.equal(answer.status, 200);
  let bytes = 0;
  for await (const chunk of answer.body ?? []) bytes += chunk.length;
  return bytes;
}

/** Sends concurrent requests of each client; asserts the size of each response and that memory stays bounded. */
async function assertBounded(
  pid: number,
  clients: readonly Client[],
  { path, calls, bytes }: { readonly path: string; readonly calls: number; readonly bytes: number },
): Promise<void> {
  const before = await residentMib(pid);
  const responses = clients.flatMap((api) => Array.from({ length: calls }, () => readBytes(api, path)));
  const most = await peakResidentMib(pid, Promise.all(responses));
  for (const size of await Promise.all(responses)) assert.ok(size > bytes);
  const more = Math.round(most - before);
  assert.ok(more < MAX_GROWTH_MIB, `${more} MiB above the ${Math.round(before)} MiB before`);
}

test('sixteen concurrent lists of 36 MiB are complete, in bounded memory', {
  skip: withoutResidentMemory,
}, async () => {
  const { server, clients } = await startSite(TENANTS);
  for (const api of clients)
    for (let n = 0; n < SNIPPETS; n += 1)
      await api.post('/api/template_snippets', { name: `snippet ${n}`, content: TEXT });
  const bytes = SNIPPETS * TEXT.length;
  await assertBounded(server.pid, clients, {
    path: '/api/template_snippets?limit=100',
    ...{ calls: CALLS_PER_TENANT, bytes },
  });
});

test('sixteen concurrent pages of the largest runs are complete, in bounded memory', {
  skip: withoutResidentMemory,
}, async () => {
  const { server, clients } = await startSite(1);
  const [api] = clients;
  assert.ok(api);
  const actions = Array.from({ length: RESULTS.count }, (_each, n) => ({
    ...{ key: `told${n}`, name: 'Tell', actionTypeKey: 'log', params: { message: '{{trigger.text}}' } },
  }));
  await createAutomation(api, 'tells', { triggerType: 'webhook', triggerParams: {}, actions });
  for (let n = 0; n < RUNS; n += 1)
    await api.post('/api/automations/tells/run', { trigger: { text: RESULTS.text } }, 202);
  await eventually('the ends of the runs', async () => {
    const { total } = (await api.get('/api/automations/tells/runs?status=succeeded&limit=1')).body;
    return total === RUNS;
  });
  await assertBounded(server.pid, clients, {
    path: '/api/automations/tells/runs?limit=100',
    ...{ calls: TENANTS * CALLS_PER_TENANT, bytes: RUNS * RESULTS.count * RESULTS.text.length },
  });
});
