/** Records of megabytes, requested concurrently: their lists are complete, and memory stays bounded. */
import assert from 'node:assert/strict';
import test from 'node:test';
import type { Client } from '../harness/client.ts';
import { signIn } from '../harness/members.ts';
import { startOwnSite } from '../harness/own-site.ts';
import { peakResidentMib, residentMib, withoutResidentMemory } from '../harness/resident-memory.ts';
import { createTenant } from '../harness/test-app.ts';

export const runsOn = ['server'];
export const neverRunsOn = ['cluster'];

const RECORDS = 8;
const TENANTS = 2;
const CALLS_PER_TENANT = 4;
const TEXT = 'x'.repeat(8 * 1024 * 1024);
/** Allowance over the memory before: bodies in and out, and garbage that is not collected yet. */
const MAX_GROWTH_MIB = 350;

const parent = { name: 'parent', type: 'relation', relation: { entity: 'page', kind: 'belongs_to' } };

/** Counts the bytes of a response without storing it, because many would fill this process. */
async function readBytes({ url, headers }: Client, path: string): Promise<readonly [number, number]> {
  const answer = await fetch(`${url}${path}`, { headers });
  let bytes = 0;
  for await (const chunk of answer.body ?? []) bytes += chunk.length;
  return [answer.status, bytes];
}

test('eight concurrent lists of 64 MiB of records are complete, larger ones rejected, in bounded memory', {
  skip: withoutResidentMemory,
}, async () => {
  const { server, admin } = await startOwnSite();
  const owners: Client[] = [];
  for (let n = 0; n < TENANTS; n += 1) {
    const { api, ownerEmail } = await createTenant(server.url, admin);
    await api.post('/api/entities', { name: 'page', fields: [{ name: 'text', type: 'text' }, parent] });
    const owner = (await signIn(api, ownerEmail)).bearer;
    owners.push(owner);
    let parent_id: string | null = null;
    for (let created = 0; created < RECORDS; created += 1)
      parent_id = (await owner.post('/api/page', { text: TEXT, parent_id })).body.id;
  }

  const before = await residentMib(server.pid);
  const times = (path: string) =>
    owners.flatMap((owner) => Array.from({ length: CALLS_PER_TENANT }, () => readBytes(owner, path)));
  const lists = times('/api/page?per_page=100');
  const included = times('/api/page?per_page=100&include=parent.parent.parent');
  const related = times('/api/page?per_page=1&include=parent');
  const most = await peakResidentMib(server.pid, Promise.all([...lists, ...included, ...related]));
  for (const [status, bytes] of await Promise.all(lists)) {
    assert.equal(status, 200);
    assert.ok(bytes > RECORDS * TEXT.length);
  }
  for (const [status] of await Promise.all([...included, ...related])) assert.equal(status, 400);
  const more = Math.round(most - before);
  assert.ok(more < MAX_GROWTH_MIB, `${more} MiB above the ${Math.round(before)} MiB before`);
});
