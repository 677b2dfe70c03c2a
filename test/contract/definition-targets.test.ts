/** URLs in definitions are checked when the definition is saved (docs/specification/webhooks.md#outbound-addresses). */
import assert from 'node:assert/strict';
import test from 'node:test';
import { action, automation } from '../harness/automations.ts';
import type { Client } from '../harness/client.ts';
import { createJourney, journeyBody } from '../harness/journeys.ts';
import { signIn } from '../harness/members.ts';
import { startTestApp } from '../harness/test-app.ts';

const app = await startTestApp();
const tenant = await app.createTenant();
const { api } = tenant;
const { bearer } = await signIn(api, tenant.ownerEmail);

const form = (more: object) => ({
  ...{ name: 'F', form_type: 'embedded_form', active: true, allowed_origins: [], ...more },
  formBuilderOptions: { pages: [{ elements: [{ type: 'text', name: 'word' }] }] },
});
const { code } = (await api.post('/api/forms', form({}))).body;
const step = (url: string) => ({ key: 'call', type: 'http_request', method: 'GET', url });
const call = (url: string) => action('call', 'httpRequest', { method: 'GET', url });
const journeyId = await createJourney(tenant, [step('https://hooks.example/{{subscriber.id}}')]);
const conditional = (url: string) => [{ condition: { combinator: 'and', rules: [] }, actions: [call(url)] }];

const settings = (await api.get('/api/email_settings')).body;

/** Locations of URLs in definitions: the call that saves the definition, and the field that the error names. */
const DEFINITIONS: readonly [Client, 'post' | 'put', string, (url: string) => object, string][] = [
  [api, 'post', '/api/journeys', (url) => journeyBody([step(url)]), 'steps[0].url'],
  [api, 'put', `/api/journeys/${journeyId}`, (url) => journeyBody([step(url)]), 'steps[0].url'],
  [api, 'post', '/api/automations', (url) => automation('a', [call(url)]), 'actions[0].params.url'],
  [
    api,
    'post',
    '/api/automations',
    (url) => automation('a', [], { conditionalActions: conditional(url) }),
    'conditionalActions[0].actions[0].params.url',
  ],
  [
    api,
    'post',
    '/api/automations',
    (url) => automation('a', [], { on_failure: [call(url)] }),
    'on_failure[0].params.url',
  ],
  [
    api,
    'post',
    '/api/webhooks',
    (url) => ({
      name: 'W',
      event: { event_type: 'form.submission', form_code: code },
      target: { url },
      active: true,
    }),
    'target.url',
  ],
  [bearer, 'post', '/api/webhooks', (url) => ({ url, events: ['x.created'], secret: 'a secret' }), 'url'],
  [
    api,
    'put',
    '/api/email_settings',
    (target) => ({
      ...settings,
      event_webhooks: [{ name: 'W', target, events: ['delivery'], active: true }],
    }),
    'event_webhooks[0].target',
  ],
  [
    api,
    'post',
    '/api/forms',
    (url) => form({ post_submit_actions: [{ type: 'redirect', url }] }),
    'post_submit_actions[0].url',
  ],
];

for (const url of ['nonsense', 'ftp://files.example/x', 'http://169.254.169.254/', 'http://[fd00:ec2::254]/'])
  test(`no definition accepts the URL ${url}`, async () => {
    for (const [client, method, path, body, field] of DEFINITIONS) {
      const { body: refusal } = await client[method](path, body(url), 400);
      const issues: readonly { field: string }[] = refusal.issues ?? refusal.errors ?? refusal.error.details;
      assert.ok(
        issues.some((issue) => issue.field === field),
        `${path} ${JSON.stringify(refusal)}`,
      );
    }
  });

test('a URL with an expression is checked when it is called', async () => {
  await api.put(`/api/journeys/${journeyId}`, journeyBody([step('{{trigger.url}}')]));
  await api.post('/api/automations', automation('later', [call('{{trigger.url}}')]));
});
