/** Lists of megabytes that many ask for at once: they come whole, and memory stays bounded. */
import assert from 'node:assert/strict';
import test, { after } from 'node:test';
import { type Client, createClient } from '../harness/client.ts';
import { killProcesses, startProcess } from '../harness/process.ts';
import { mostResidentMib, residentMib, withoutResidentMemory } from '../harness/resident-memory.ts';
import { createTenant, testEnv } from '../harness/test-app.ts';
import { createTestDatabase } from '../harness/test-database.ts';

const SNIPPETS = 6;
const TENANTS = 2;
const CALLS_PER_TENANT = 8;
const TEXT = 'x'.repeat(4 * 1024 * 1024);
/** Above what the process takes before: bodies in and out, and what collectors leave for a while. */
const MOST_MIB_MORE = 350;

/** How many octets came; the answers themselves would fill this process. */
async function readOctets({ url, headers }: Client): Promise<number> {
  const answer = await fetch(`${url}/api/template_snippets?limit=100`, { headers });
  assert.equal(answer.status, 200);
  let octets = 0;
  for await (const chunk of answer.body ?? []) octets += chunk.length;
  return octets;
}

test('sixteen lists of 24 MiB at once come whole and leave memory bounded', {
  skip: withoutResidentMemory,
}, async () => {
  const database = await createTestDatabase();
  after(async () => {
    await killProcesses();
    await database.remove();
  });
  const env: Readonly<Record<string, string>> = { ...testEnv(database), LOG_LEVEL: 'info' };
  const served = await startProcess(env);
  const admin = createClient(served.url, { authorization: `Bearer ${env.ADMIN_TOKEN}` });
  const clients: Client[] = [];
  for (let n = 0; n < TENANTS; n += 1) clients.push((await createTenant(served.url, admin)).api);
  for (const api of clients)
    for (let n = 0; n < SNIPPETS; n += 1)
      await api.post('/api/template_snippets', { name: `snippet ${n}`, content: TEXT });

  const before = await residentMib(served.pid);
  const asked = clients.flatMap((api) => Array.from({ length: CALLS_PER_TENANT }, () => readOctets(api)));
  const most = await mostResidentMib(served.pid, Promise.all(asked));
  for (const octets of await Promise.all(asked)) assert.ok(octets > SNIPPETS * TEXT.length);
  const more = Math.round(most - before);
  assert.ok(more < MOST_MIB_MORE, `${more} MiB above the ${Math.round(before)} MiB before`);
});
