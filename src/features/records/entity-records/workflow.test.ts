import assert from 'node:assert/strict';
import test from 'node:test';
import { createRecordsTenant, SHOP } from '../../../../test/harness/records.ts';
import { startTestApp } from '../../../../test/harness/test-app.ts';

export const runsOn = ['embedded', 'server'];

const app = await startTestApp();
const tenant = await createRecordsTenant(app, SHOP);
const { owner } = tenant;
let numbers = 0;

async function create(): Promise<string> {
  numbers += 1;
  return (await owner.post('/api/order', { number: `A-${numbers}` })).body.id;
}

test('a new record begins in the initial state', async () => {
  for (const status of ['paid', 'elsewhere', null]) {
    const { body } = await owner.post('/api/order', { number: 'B-1', status }, 422);
    assert.equal(body.error, 'validation_failed');
    assert.deepEqual(body.errors, [`status must be open in a new record, not ${status}.`]);
  }
  assert.equal((await owner.post('/api/order', { number: 'B-1', status: 'open' })).body.status, 'open');
});

test('a record moves along transitions, by a move or an update', async () => {
  const id = await create();
  const moved = await owner.post(`/api/order/${id}/workflow/move`, { to: 'paid' });
  assert.equal(moved.body.status, 'paid');
  assert.equal((await owner.put(`/api/order/${id}`, { status: 'sent', total: 5 })).body.status, 'sent');
  const refused = await owner.post(`/api/order/${id}/workflow/move`, { to: 'open' }, 422);
  assert.deepEqual(refused.body.errors, ['status cannot go from sent to open.']);
  await owner.put(`/api/order/${id}`, { status: 'open', total: 6 }, 422);
  await owner.put(`/api/order/${id}`, { status: null }, 422);
  assert.equal((await owner.get(`/api/order/${id}`)).body.total, 5);
});

test('staying in a state is not a move', async () => {
  const id = await create();
  assert.equal((await owner.put(`/api/order/${id}`, { status: 'open', total: 1 })).body.total, 1);
  assert.equal((await owner.post(`/api/order/${id}/workflow/move`, { to: 'open' })).body.status, 'open');
});

test('an unknown state, record or body is rejected', async () => {
  const id = await create();
  const { body } = await owner.post(`/api/order/${id}/workflow/move`, { to: 'elsewhere' }, 422);
  assert.deepEqual(body.errors, ['elsewhere is not a state of status; use one of open, paid, sent, lost.']);
  assert.equal((await owner.post(`/api/order/${id}/workflow/move`, {}, 400)).body.errors[0].field, 'to');
  await owner.post('/api/order/00000000-0000-7000-8000-000000000000/workflow/move', { to: 'paid' }, 404);
  await owner.post('/api/order/x/workflow/take', undefined, 404);
});

test('taking a record makes the caller its owner', async () => {
  const id = await create();
  assert.equal(
    (await owner.post(`/api/order/${id}/workflow/take`, undefined)).body.agent,
    tenant.ownerUserId,
  );
});

test('an entity without a workflow or an owner cannot be moved or taken', async () => {
  const { id } = (await owner.post('/api/product', { title: 'Pen' })).body;
  await owner.post(`/api/product/${id}/workflow/move`, { to: 'x' }, 422);
  await owner.post(`/api/product/${id}/workflow/take`, undefined, 422);
});

test('concurrent moves succeed or are rejected, and never return not found', async () => {
  for (let round = 0; round < 30; round += 1) {
    const id = await create();
    const move = (to: string) => owner.send('POST', `/api/order/${id}/workflow/move`, { body: { to } });
    const answers = await Promise.all([move('paid'), move('sent'), move('sent')]);
    for (const { status, text } of answers) assert.ok([200, 422].includes(status), text);
  }
});

test('a caller whom the owner field rejects cannot become the owner', async () => {
  const workflow = {
    field: 'state',
    initial: 'new',
    states: ['new'],
    transitions: [],
    owner_field: 'holder',
  };
  // Makes a definition use fixed ids.
  const holder = { name: 'holder', type: 'string', pattern: '^(?:0000|0198c6c4-abcd|ffff)' };
  const fields = [{ name: 'state', type: 'string' }, holder];
  await tenant.api.post('/api/entities', { name: 'guarded', fields, workflow });
  const { id } = (await owner.post('/api/guarded', {})).body;
  const { body } = await owner.post(`/api/guarded/${id}/workflow/take`, {}, 422);
  assert.match(body.errors[0], /^holder does not accept you as owner: it must match the pattern/);
  assert.equal((await owner.get(`/api/guarded/${id}`)).body.holder, null);
});
