/** Lists of megabytes that many ask for at once: they come whole, and memory stays bounded. */
import assert from 'node:assert/strict';
import test from 'node:test';
import { createAutomation } from '../harness/automations.ts';
import type { Client } from '../harness/client.ts';
import { startOwnSite } from '../harness/own-site.ts';
import { eventually } from '../harness/poll.ts';
import { mostResidentMib, residentMib, withoutResidentMemory } from '../harness/resident-memory.ts';
import { createTenant } from '../harness/test-app.ts';

export const runsOn = ['server'];
export const neverRunsOn = ['cluster'];

const SNIPPETS = 6;
const TENANTS = 2;
const CALLS_PER_TENANT = 8;
const TEXT = 'x'.repeat(6 * 1024 * 1024);
/** Of one tenant, each with almost as much as the results of a run may have. */
const RUNS = 24;
const RESULTS = { count: 4, text: 'x'.repeat(250_000) };
/** Above what the process takes before: bodies in and out, and what collectors leave for a while. */
const MOST_MIB_MORE = 350;

/** A process of its own, and clients of so many tenants. */
async function startSite(tenants: number) {
  const { served, admin } = await startOwnSite();
  const clients: Client[] = [];
  for (let n = 0; n < tenants; n += 1) clients.push((await createTenant(served.url, admin)).api);
  return { served, clients };
}

/** How many bytes came; the answers themselves would fill this process. */
async function readBytes({ url, headers }: Client, path: string): Promise<number> {
  const answer = await fetch(`${url}${path}`, { headers });
  assert.equal(answer.status, 200);
  let bytes = 0;
  for await (const chunk of answer.body ?? []) bytes += chunk.length;
  return bytes;
}

/** Has each client ask so often at once; each answer has at least so many bytes, and memory stays bounded. */
async function assertBounded(
  pid: number,
  clients: readonly Client[],
  { path, calls, bytes }: { readonly path: string; readonly calls: number; readonly bytes: number },
): Promise<void> {
  const before = await residentMib(pid);
  const asked = clients.flatMap((api) => Array.from({ length: calls }, () => readBytes(api, path)));
  const most = await mostResidentMib(pid, Promise.all(asked));
  for (const came of await Promise.all(asked)) assert.ok(came > bytes);
  const more = Math.round(most - before);
  assert.ok(more < MOST_MIB_MORE, `${more} MiB above the ${Math.round(before)} MiB before`);
}

test('sixteen lists of 36 MiB at once come whole and leave memory bounded', {
  skip: withoutResidentMemory,
}, async () => {
  const { served, clients } = await startSite(TENANTS);
  for (const api of clients)
    for (let n = 0; n < SNIPPETS; n += 1)
      await api.post('/api/template_snippets', { name: `snippet ${n}`, content: TEXT });
  const bytes = SNIPPETS * TEXT.length;
  await assertBounded(served.pid, clients, {
    path: '/api/template_snippets?limit=100',
    ...{ calls: CALLS_PER_TENANT, bytes },
  });
});

test('sixteen pages of the largest runs at once come whole and leave memory bounded', {
  skip: withoutResidentMemory,
}, async () => {
  const { served, clients } = await startSite(1);
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
  await assertBounded(served.pid, clients, {
    path: '/api/automations/tells/runs?limit=100',
    ...{ calls: TENANTS * CALLS_PER_TENANT, bytes: RUNS * RESULTS.count * RESULTS.text.length },
  });
});
