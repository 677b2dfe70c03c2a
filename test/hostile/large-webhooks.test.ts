import assert from 'node:assert/strict';
import type { ServerResponse } from 'node:http';
import test from 'node:test';
import { eventually } from '../harness/poll.ts';
import { startReceiver } from '../harness/receiver.ts';
import { createForm, submit } from '../harness/sample-forms.ts';
import { startTestApp } from '../harness/test-app.ts';

/** Number of submissions of the maximum size that make 5 MB. */
const ANSWER = 'x'.repeat(100_000);
const NAMES = Array.from({ length: 52 }, (_, n) => `q${n}`);
const SUBMISSIONS = 10;
/** A tenant may use half of the budget; each of the three copies of an attempt takes a quarter of that, 5 MB each. */
const MAX_AT_ONCE = 3;

// An abandoned attempt would free memory while the receiver still has it.
const app = await startTestApp({ WEBHOOK_TIMEOUT_SECONDS: '60' });

test('large submissions wait for memory, and all are delivered completely', async () => {
  const { api } = await app.createTenant();
  const definition = { pages: [{ elements: NAMES.map((name) => ({ type: 'comment', name })) }] };
  const form = await createForm(api, { formBuilderOptions: definition });
  const receiver = await startReceiver();
  const waiting: ServerResponse[] = [];
  let most = 0;
  receiver.answer = (_request, response) => {
    most = Math.max(most, waiting.push(response));
  };
  await api.post('/api/webhooks', {
    event: { event_type: 'form.submission', form_code: form },
    name: 'Receiver',
    target: { url: receiver.url },
  });
  const answers = Object.fromEntries(NAMES.map((name) => [name, ANSWER]));
  for (let n = 0; n < SUBMISSIONS; n += 1) await submit(api, form, { ...answers, q0: `submission ${n}` });
  await eventually('all to arrive', () => {
    // Slow, so that the maximum number of deliveries is under way at once.
    if (receiver.received.length >= MAX_AT_ONCE) setTimeout(() => waiting.shift()?.end('ok'), 100);
    return receiver.received.length >= SUBMISSIONS && waiting.length === 0;
  });
  assert.ok(most <= MAX_AT_ONCE, `${most} at once`);
  const stories = new Set(receiver.received.map(({ body }) => body.data.form_data.q0));
  assert.equal(stories.size, SUBMISSIONS);
});
