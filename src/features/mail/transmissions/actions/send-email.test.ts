import assert from 'node:assert/strict';
import test from 'node:test';
import { act, preview } from '../../../../../test/harness/actions.ts';
import { createAutomation, endedRuns } from '../../../../../test/harness/automations.ts';
import { createMailTenant, readRecipientHistory, waitUntilEnded } from '../../../../../test/harness/mail.ts';
import { startTestApp } from '../../../../../test/harness/test-app.ts';
import { AppError } from '../../../../errors/app-error.ts';
import { ActionFailure, type ActionResult } from '../../../../flows/action-type.ts';
import { wholeTenant } from '../../../../tenancy/scope.ts';

const app = await startTestApp();
const { platform } = app.app;
const tenant = await createMailTenant(app);
const site = { platform, tenantId: tenant.tenantId };
const inline = { from: `Shop <shop@${tenant.domain}>`, subject: 'Order 7', html: '<p>It is paid.</p>' };

async function createTemplate(html: string): Promise<string> {
  const from = { from_email: `news@${tenant.domain}`, from_name: 'News' };
  const { id } = (await tenant.api.post('/api/templates', { name: 'Paid', transactional: true, ...from }))
    .body;
  const version = { subject: 'Order {{number}}', html_content: html, active: true };
  await tenant.api.post(`/api/templates/${id}/versions`, version);
  return id;
}

function transactionId(result: ActionResult): string {
  const id =
    typeof result === 'object' && result !== null && 'transactionId' in result && result.transactionId;
  assert.ok(typeof id === 'string');
  return id;
}

/** Returns the captured mail to an address. */
async function mailTo(address: string) {
  const { results } = (await tenant.operator.get(`/admin/outbox?to=${address}`)).body;
  assert.equal(results.length, 1);
  return (await tenant.operator.get(`/admin/outbox/${results[0].id}`)).body;
}

const failure = (code: string, field?: string) => (error: unknown) => {
  assert.ok(error instanceof AppError, String(error));
  assert.equal(error.code, code);
  if (field !== undefined) assert.equal(error.issues?.[0]?.field, field);
  return true;
};

test('inline content is sent to one address, as transactional mail of the Default unit', async () => {
  const id = transactionId(await act(site, 'sendEmail', { to: 'one@inline.test', ...inline }));
  const { state, counts } = await waitUntilEnded(tenant, id);
  assert.deepEqual([state, counts.sent], ['completed', 1]);
  const mail = await mailTo('one@inline.test');
  assert.deepEqual([mail.subject, mail.headers['list-unsubscribe']], ['Order 7', undefined]);
  assert.match(mail.html, /It is paid\./);
  const { body } = await tenant.api.get(`/api/transmissions/${id}`);
  assert.match(body.description, /^Automation tested, run [0-9a-f-]{36}$/);
  const owner = platform.scoped(wholeTenant(tenant.tenantId)).query.selectFrom('transmissions');
  const row = await owner.select('owner_bu_id').where('id', '=', id).executeTakeFirst();
  assert.equal(row?.owner_bu_id, tenant.defaultUnitId);
});

test('several addresses get one mail each', async () => {
  const to = ['two@several.test', 'Three@Several.test'];
  const id = transactionId(await act(site, 'sendEmail', { to, ...inline }));
  assert.equal((await waitUntilEnded(tenant, id)).counts.sent, 2);
  await mailTo('two@several.test');
  await mailTo('three@several.test');
});

test('a template is sent with its data, whose values are escaped', async () => {
  const template_id = await createTemplate('<p>{{name}}</p>');
  const substitution_data = { number: 7, name: '<b>Ada</b>' };
  const params = { to: 'four@template.test', template_id, substitution_data };
  const id = transactionId(await act(site, 'sendEmail', params));
  await waitUntilEnded(tenant, id);
  const mail = await mailTo('four@template.test');
  assert.equal(mail.subject, 'Order 7');
  assert.match(mail.html, /&lt;b&gt;Ada&lt;\/b&gt;/);
});

test('braces in inline content are text, or a template if data is given', async () => {
  const words = { subject: 'For {{name}}', html: '<p>{{name}}</p>' };
  const plain = { to: 'five@braces.test', ...inline, ...words };
  await waitUntilEnded(tenant, transactionId(await act(site, 'sendEmail', plain)));
  assert.equal((await mailTo('five@braces.test')).subject, 'For {{name}}');
  const filled = { ...plain, to: 'six@braces.test', substitution_data: { name: 'Ada' } };
  await waitUntilEnded(tenant, transactionId(await act(site, 'sendEmail', filled)));
  assert.equal((await mailTo('six@braces.test')).subject, 'For Ada');
});

test('an automation does not resolve the braces of a template', async () => {
  const params = {
    ...{ to: '{{trigger.to}}', ...inline, subject: 'For {{name}}' },
    html: '<p>{{#if vip}}Dear {{/if}}{{name}}, {{trigger.city}}</p>',
    substitution_data: { name: '{{trigger.name}}', vip: true },
  };
  await createAutomation(tenant.api, 'mails', {
    ...{ triggerType: 'webhook', triggerParams: {} },
    actions: [{ key: 'mail', name: 'Mail', actionTypeKey: 'sendEmail', params }],
  });
  const trigger = { to: 'seven@braces.test', name: 'Ada & Bo', city: 'Bern' };
  await tenant.api.post('/api/automations/mails/run', { trigger }, 202);
  const [run] = await endedRuns(tenant.api, 'mails', 1);
  await waitUntilEnded(tenant, String(Object(run?.actions[0]?.result).transactionId));
  const mail = await mailTo('seven@braces.test');
  assert.match(mail.html, /<p>Dear Ada &amp; Bo, Bern<\/p>/);
});

test('a mail whose result cannot be stored is not sent', async () => {
  const before = (await tenant.api.get('/api/transmissions')).body.total;
  const lost = new Error('The run could not be noted.');
  const note = () => Promise.reject(lost);
  await assert.rejects(act(site, 'sendEmail', { to: 'ada@example.com', ...inline }, note), lost);
  assert.equal((await tenant.api.get('/api/transmissions')).body.total, before);
});

for (const [what, code, field, params] of [
  ['no address', 'INVALID_REQUEST', 'recipients[0].address', { ...inline, to: 'nobody' }],
  ['a template and content of its own', 'INVALID_REQUEST', 'content', { ...inline, template_id: 'x' }],
  ['neither', 'INVALID_REQUEST', 'content', {}],
  ['content without a sender', 'INVALID_REQUEST', 'content.from', { subject: 'a', html: 'b' }],
  ['an unknown template', 'TEMPLATE_NOT_FOUND', undefined, { template_id: crypto.randomUUID() }],
  ['an unverified sender', 'INVALID_SENDER_IDENTITY', 'content.from', { ...inline, from: 'a@other.test' }],
  [
    'data that are too large',
    'INVALID_REQUEST',
    'substitution_data',
    { ...inline, substitution_data: { text: 'x'.repeat(110_000) } },
  ],
  [
    'what is no template',
    'INVALID_REQUEST',
    'content.html',
    { ...inline, html: '{{#if', substitution_data: {} },
  ],
] as const) {
  test(`${what} is rejected as in the API, in a run and in a dry run`, async () => {
    const mail = { to: 'ada@example.com', ...params };
    await assert.rejects(act(site, 'sendEmail', mail), failure(code, field));
    await assert.rejects(preview(site, 'sendEmail', mail), failure(code, field));
  });
}

test('invalid parameters fail permanently', async () => {
  for (const params of [{ ...inline }, { ...inline, to: [] }, { ...inline, to: null }])
    await assert.rejects(
      act(site, 'sendEmail', params),
      (error) => error instanceof ActionFailure && error.isFinal,
    );
});

test('a dry run shows the mail and sends none', async () => {
  const template_id = await createTemplate('<p>{{name}} at {{address.email}}</p>');
  const before = (await tenant.api.get('/api/transmissions')).body.total;
  const params = { to: 'seven@preview.test', template_id, substitution_data: { number: 8, name: 'Ada' } };
  assert.deepEqual(await preview(site, 'sendEmail', params), {
    transactionId: null,
    subject: 'Order 8',
    html: '<p>Ada at seven@preview.test</p>',
  });
  assert.deepEqual(await preview(site, 'sendEmail', { to: 'a@b.test', ...inline, subject: 'As {{it}} is' }), {
    transactionId: null,
    subject: 'As {{it}} is',
    html: inline.html,
  });
  const unfit = { ...params, substitution_data: {} };
  await assert.rejects(
    preview(site, 'sendEmail', unfit),
    failure('TEMPLATE_RENDER_ERROR', 'content.subject'),
  );
  assert.equal((await tenant.api.get('/api/transmissions')).body.total, before);
});

test('a template that does not match its data fails the message with the reason', async () => {
  const template_id = await createTemplate('<p>{{name}}</p>');
  const id = transactionId(await act(site, 'sendEmail', { to: 'eight@unfit.test', template_id }));
  await waitUntilEnded(tenant, id);
  const { status, error } = await readRecipientHistory(tenant.api, id, 'eight@unfit.test');
  assert.equal(status, 'failed');
  assert.match(error ?? '', /number|name/);
});
