import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import test from 'node:test';
import { createJourney, journeyBody } from '../harness/journeys.ts';
import { createMailTenant } from '../harness/mail.ts';
import { createMember, createUnit } from '../harness/members.ts';
import { startTestApp } from '../harness/test-app.ts';

const app = await startTestApp();
const { createTenant } = app;

const newPerson = () => ({ ...person, ...inOwn, email: `${randomUUID()}@example.com` });
const mapping = (more: object) => ({
  ...formOf(''),
  ...inOwn,
  post_submit_actions: [],
  subscriber_mapping: { enabled: true, ...more },
});
const emails = (code: string) => `/api/campaigns/${code}/emails`;
const draft = { name: 'E', subject: 'S' };
const journey = (steps: readonly object[], trigger: object = { type: 'manual' }): [string, object] => [
  '/api/journeys',
  { ...journeyBody(steps, { trigger }), ...inOwn },
];
const campaignBody = () => ({
  ...{ name: 'C', colour: '#0f766e', start_date: '2026-03-01', audience: 'All' },
  code: `C-${randomUUID().toUpperCase()}`,
});
const audienceOf = (filters: object) => ({ name: `A${randomUUID()}`, filters, ...inOwn });
const webhookOf = (form_code: string) => ({
  name: 'W',
  event: { event_type: 'form.submission', form_code },
  target: { url: 'https://shop.example/hook', headers: [] },
  ...inOwn,
});
const templateBody = () => ({
  name: `T${randomUUID()}`,
  from_email: `a@${tenant.domain}`,
  transactional: false,
});
const llmConfiguration = { system: '', temperature: 0, model: 'm', max_tokens: 10 };
const threadBody = { version: 1, created_at: '2026-01-01T00:00:00.000Z', user_id: 'u', messages: [] };
const assistantBody = () => ({ name: 'A', description: '', llmConfiguration });
/** Ids, codes and times of created records. */
const OWN = /[0-9a-f]{8}-[0-9a-f-]{27}|(?<="code":")[0-9a-z]{12}|\d{4}-\d\d-\d\dT[\d:.]+Z/g;
/** A name of the same form that does not exist. */
const absentName = (kind: string) =>
  kind === 'campaign' ? campaignBody().code : kind === 'form' ? `form-${randomUUID()}` : randomUUID();

/** A form whose submissions trigger a journey. */
const formOf = (journeyId: string) => ({
  name: 'Form',
  form_type: 'embedded_form',
  active: true,
  allowed_origins: [],
  formBuilderOptions: { pages: [{ elements: [{ type: 'text', name: 'word' }] }] },
  post_submit_actions: [{ type: 'trigger_journey', journey_id: journeyId }],
});

test('a form rejects a journey of another unit, of another tenant and a missing one with the same error', async () => {
  const [tenant, other] = [await createTenant(), await createTenant()];
  const unit = await createUnit(tenant, 'Mine');
  const editor = await createMember(tenant, [{ bu_id: unit, role: 'editor' }]);
  const ofDefault = await createJourney(tenant, [{ key: 'out', type: 'exit' }]);
  const foreign = await createJourney(other, [{ key: 'out', type: 'exit' }]);
  const answers = await Promise.all(
    [ofDefault, foreign, randomUUID(), 'none'].map((id) => editor.api.post('/api/forms', formOf(id), 422)),
  );
  const [first, ...others] = answers.map(({ body }) => body);
  for (const body of others) assert.deepEqual(body, first);
  await tenant.api.post('/api/forms', formOf(ofDefault));
});

const tenant = await createMailTenant(app);
const own = await createUnit(tenant, 'Own');
const editor = await createMember(tenant, [{ bu_id: own, role: 'editor' }]);
const inOwn = { business_unit: own };
const exit = [{ key: 'out', type: 'exit' }];
const { code: campaign } = (await editor.api.post('/api/campaigns', { ...campaignBody(), ...inOwn })).body;
const person = { first_name: 'Ada', active: true, lists: [], audiences: [] };

/** Creates a record of the Default unit, which the editor cannot read; returns its name. */
const makers = {
  list: async () => (await tenant.api.post('/api/lists', { name: `L${randomUUID()}` })).body.id,
  audience: async () => (await tenant.api.post('/api/audiences', { name: `A${randomUUID()}` })).body.id,
  template: async () => (await tenant.api.post('/api/templates', templateBody())).body.id,
  form: async () =>
    (await tenant.api.post('/api/forms', { ...formOf(''), post_submit_actions: [] })).body.code,
  journey: () => createJourney(tenant, exit),
  campaign: async () => (await tenant.api.post('/api/campaigns', campaignBody())).body.code,
  subscriber: async () =>
    (await tenant.api.post('/api/subscribers', { ...person, email: `${randomUUID()}@example.com` })).body.id,
  assistant: async () => (await tenant.api.post('/api/ai/assistants', assistantBody())).body.id,
};

/** A request of the editor, with a reference in each possible member. */
const REFERENCES: readonly [string, keyof typeof makers, (name: string) => [string, object]][] = [
  ['lists of a subscriber', 'list', (id) => ['/api/subscribers', { ...newPerson(), lists: [id] }]],
  [
    'audiences of a subscriber',
    'audience',
    (id) => ['/api/subscribers', { ...newPerson(), audiences: [id] }],
  ],
  ['lists of a form', 'list', (id) => ['/api/forms', mapping({ lists: [id] })]],
  ['audiences of a form', 'audience', (id) => ['/api/forms', mapping({ audiences: [id] })]],
  [
    'the confirmation of a form',
    'template',
    (id) => ['/api/forms', mapping({ double_opt_in: true, double_opt_in_template_id: id })],
  ],
  ['a journey of a form', 'journey', (id) => ['/api/forms', { ...formOf(id), ...inOwn }]],
  ['lists of an email', 'list', (id) => [emails(campaign), { ...draft, list_ids: [id] }]],
  ['audiences of an email', 'audience', (id) => [emails(campaign), { ...draft, audience_ids: [id] }]],
  [
    'the template of an email',
    'template',
    (id) => [emails(campaign), { ...draft, content: { template_id: id } }],
  ],
  ['the campaign of an email', 'campaign', (code) => [emails(code), draft]],
  [
    'the template of a journey',
    'template',
    (template_id) => journey([{ key: 'mail', type: 'send_email', template_id }]),
  ],
  ['a list that sets off a journey', 'list', (list_id) => journey(exit, { type: 'list_joined', list_id })],
  [
    'an audience that sets off a journey',
    'audience',
    (audience_id) => journey(exit, { type: 'audience_entered', audience_id }),
  ],
  [
    'a form that sets off a journey',
    'form',
    (form_code) => journey(exit, { type: 'form_submission', form_code }),
  ],
  [
    'the template of a transmission',
    'template',
    (template_id) => [
      '/api/transmissions',
      {
        recipients: [{ address: 'a@example.com' }],
        content: { template_id },
        options: { transactional: true },
      },
    ],
  ],
  ['the form of a webhook', 'form', (form_code) => ['/api/webhooks', webhookOf(form_code)]],
  [
    'the assistant of a thread',
    'assistant',
    (assistant_id) => ['/api/ai/threads', { ...threadBody, assistant_id }],
  ],
  [
    'the assistant of a conversation',
    'assistant',
    (assistant_id) => ['/api/ai/engage-conversation', { key: 'k', payload: { assistant_id } }],
  ],
  [
    'the person of an event',
    'subscriber',
    (subscriber_id) => [
      '/api/marketing_events',
      { events: [{ type: 'page_view', subscriber_id, url: 'https://shop.example/' }] },
    ],
  ],
  [
    'a list of an audience',
    'list',
    (value) => ['/api/audiences', audienceOf({ lists: { operation: 'eq', value } })],
  ],
];

for (const [what, kind, request] of REFERENCES) {
  test(`${what}: a record of an unreadable unit gets the same response as a missing one`, async () => {
    const send = async (name: string) => {
      const [path, body] = request(name);
      const { status, text } = await editor.api.send('POST', path, { body });
      // Ids and times of a response's own record differ each time.
      return { status, text: text.replaceAll(name, 'NAME').replaceAll(OWN, 'OWN') };
    };
    const absent = await send(absentName(kind));
    assert.deepEqual(await send(await makers[kind]()), absent);
  });
}
