import assert from 'node:assert/strict';
import test from 'node:test';
import { createMailTenant } from '../../../../test/harness/mail.ts';
import { eventually } from '../../../../test/harness/poll.ts';
import { startReceiver } from '../../../../test/harness/receiver.ts';
import { createForm, goodAnswers } from '../../../../test/harness/sample-forms.ts';
import { startTestApp } from '../../../../test/harness/test-app.ts';

const app = await startTestApp();
const { api } = await createMailTenant(app);

/** Creates a form that mails, signs up and delivers to a webhook; `submit` posts like its page. */
async function createBusyForm() {
  const code = await createForm(api, {
    notify: { emails: ['owner@example.com'] },
    subscriber_mapping: { enabled: true, first_name: 'full_name' },
  });
  const receiver = await startReceiver();
  const event = { event_type: 'form.submission', form_code: code };
  await api.post('/api/webhooks', { event, name: 'Receiver', target: { url: `${receiver.url}/hook` } });
  const { public_code } = (await api.get(`/api/forms/${code}`)).body;
  const submit = (more: object, status = 200) => {
    const body = { email_address: 'ada@example.com', form_data: goodAnswers, ...more };
    return app.anonymous.post(`/embed/${public_code}/submissions`, body, status);
  };
  return { code, receiver, submit };
}

const { code, receiver, submit } = await createBusyForm();

async function kindsOfEvents(id: string): Promise<string[]> {
  const { body } = await api.get(`/api/form_submissions/${id}`);
  assert.deepEqual([body.form_data.full_name, body.journey_triggered], ['Ada Lovelace', false]);
  return body.events.map(({ type }: { type: string }) => type);
}

const FILLED: readonly (readonly [string, unknown])[] = [
  ['an address', 'https://spam.example'],
  ['a word', 'x'],
  ['a zero', '0'],
  ['false as text', 'false'],
  ['a blank', ' '],
  ['a tab and a line break', '\t\n'],
  ['a blank that has no width', '\u200b'],
  ['a very long text', 'spam '.repeat(40_000)],
  ['markup', '<a href="https://spam.example">x</a>'],
  ['a number', 7],
  ['a boolean', true],
  ['a list', ['https://spam.example']],
  ['a list of two, as of repeated fields', ['', 'x']],
  ['an object', { url: 'x' }],
];

for (const [name, website] of FILLED)
  test(`a honeypot field that contains ${name} marks the submission and keeps its answers`, async () => {
    const { submission_id } = (await submit({ website })).body;
    assert.deepEqual(await kindsOfEvents(submission_id), ['received', 'suspicious']);
  });

const EMPTY: readonly (readonly [string, object])[] = [
  ['absent', {}],
  ['an empty text', { website: '' }],
  ['null', { website: null }],
];

for (const [name, more] of EMPTY)
  test(`a honeypot field that is ${name} marks nothing`, async () => {
    const { submission_id } = (await submit({ ...more, email_address: `${name.length}@example.com` })).body;
    const kinds = await kindsOfEvents(submission_id);
    assert.ok(kinds.includes('notification') && !kinds.includes('suspicious'), kinds.join());
  });

test('a suspicious submission is listed and sent to webhooks, but creates neither mail nor subscriber', async () => {
  const email_address = 'bot@example.com';
  const { submission_id } = (await submit({ email_address, website: 'x' })).body;
  const filters = { email_address: { operation: 'eq', value: email_address } };
  const { results } = (await api.post('/api/form_submissions/list', { page: 1, limit: 10, filters })).body;
  assert.deepEqual(
    results.map(({ id, form_code }: { id: string; form_code: string }) => [id, form_code]),
    [[submission_id, code]],
  );
  const delivery = await eventually('the delivery', async () =>
    receiver.received.find(({ text }) => text.includes(submission_id)),
  );
  const { events } = JSON.parse(delivery.text).data;
  assert.ok(
    events.some(({ type }: { type: string }) => type === 'suspicious'),
    'receivers see the mark',
  );
  const found = await api.post('/api/subscribers/list', {
    page: 1,
    limit: 10,
    filters: { email: { operation: 'eq', value: email_address } },
  });
  assert.equal(found.body.total, 0);
  assert.equal((await api.send('GET', `/api/transmissions/${submission_id}`)).status, 404);
});

test('invalid answers with a filled honeypot field are rejected as usual', async () => {
  const { code: error } = (await submit({ website: 'x', form_data: {} }, 400)).body;
  assert.equal(error, 'INVALID_SUBMISSION');
});
