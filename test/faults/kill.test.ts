import assert from 'node:assert/strict';
import test from 'node:test';
import { startFaultSite, undelivered } from '../harness/fault-site.ts';
import { eventually } from '../harness/poll.ts';
import { startProcess } from '../harness/process.ts';
import { createForm } from '../harness/sample-forms.ts';
import { listSubmissionIds, submitMany } from '../harness/submission-load.ts';

export const runsOn = ['embedded', 'server', 'cluster'];

/** Deliveries that were interrupted by the kill are retried when their lease ends. */
const LEASE_BOUND_MS = 60_000;

test('a kill under load loses no acknowledged submission and none of its deliveries', async () => {
  const site = await startFaultSite();
  const { accepted, failed } = await submitMany(site.at(site.process), site.formCode, {
    count: 1000,
    concurrency: 20,
    onAccepted: (count) => {
      if (count === 400) site.process.signal('SIGKILL');
    },
  });
  assert.equal((await site.process.ended).signal, 'SIGKILL');
  assert.ok(accepted.size >= 400 && accepted.size < 1000, `${accepted.size} were accepted before the kill`);
  assert.ok(failed > 0, 'submissions were under way at the kill');

  const next = await startProcess(site.env);
  const stored = await listSubmissionIds(site.at(next), site.formCode);
  const lost = [...accepted].filter((id) => !stored.has(id));
  assert.deepEqual(lost, []);
  await eventually(
    'every stored submission to be delivered',
    () => undelivered(stored, site.receiver).length === 0,
    LEASE_BOUND_MS,
  );
});

test('a kill under load leaves no submission without its subscriber and no subscriber without its submission', async () => {
  const site = await startFaultSite();
  const api = site.at(site.process);
  const list: string = (await api.post('/api/lists', { name: 'Newsletter' })).body.id;
  const form = await createForm(api, { subscriber_mapping: { enabled: true, lists: [list] } });
  const { accepted, failed } = await submitMany(api, form, {
    count: 600,
    concurrency: 20,
    onAccepted: (count) => {
      if (count === 200) site.process.signal('SIGKILL');
    },
  });
  assert.equal((await site.process.ended).signal, 'SIGKILL');
  assert.ok(failed > 0, 'submissions were under way at the kill');

  const next = site.at(await startProcess(site.env));
  const stored = await listSubmissionIds(next, form);
  assert.deepEqual(
    [...accepted].filter((id) => !stored.has(id)),
    [],
  );
  const filters = { lists: { operation: 'eq', value: list } };
  const { body } = await next.post('/api/subscribers/list', { page: 1, limit: 1, filters });
  const { subscriber_count } = (await next.get(`/api/lists/${list}`)).body;
  assert.deepEqual([body.total, subscriber_count], [stored.size, stored.size]);
});
