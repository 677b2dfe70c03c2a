import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import test from 'node:test';
import type { Client } from '../../test/harness/client.ts';
import { signIn } from '../../test/harness/members.ts';
import { startOwnApp } from '../../test/harness/test-app.ts';

const app = await startOwnApp({ IDEMPOTENCY_ANSWERS_MIB: '1' });

/** Creates a user, signed in to a separate tenant, who writes notes. */
async function createWriter() {
  const { api, ownerEmail } = await app.createTenant();
  await api.post('/api/entities', { name: 'note', fields: [{ name: 'text', type: 'text' }] });
  const { bearer } = await signIn(api, ownerEmail);
  return {
    bearer,
    write: (key: string, status = 200) =>
      bearer.with({ 'idempotency-key': key }).post('/api/note', { text: 'x'.repeat(500_000) }, status),
  };
}

async function countNotes(bearer: Client): Promise<number> {
  return (await bearer.get('/api/note?per_page=10')).body.data.length;
}

test("a call beyond the tenant's quota is executed and recorded, and its repeat is rejected", async () => {
  const { bearer, write } = await createWriter();
  const first = await write('one');
  await write('two');
  const third = await write('three');
  assert.equal(third.body.text.length, 500_000);
  assert.match((await write('three', 409)).text, /was not stored/);
  assert.deepEqual((await write('one')).body, first.body);
  assert.equal(await countNotes(bearer), 3);
});

test('the quota of one tenant does not affect others or the operator', async () => {
  const { write } = await createWriter();
  for (const key of ['one', 'two', 'three']) await write(key);
  const other = await createWriter();
  assert.deepEqual((await other.write('three')).body, (await other.write('three')).body);
  const code = `t${randomUUID().slice(0, 8)}`;
  const owner = { email: `owner@${code}.test`, name: 'Owner', password: 'correct-horse-battery' };
  const create = () =>
    app.admin.with({ 'idempotency-key': code }).post('/admin/tenants', { code, name: code, owner });
  assert.deepEqual((await create()).body, (await create()).body);
});
