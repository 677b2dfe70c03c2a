import assert from 'node:assert/strict';
import test from 'node:test';
import { createMailTenant, transmissionBody, waitUntilEnded } from '../../../../test/harness/mail.ts';
import { createMember, createUnit } from '../../../../test/harness/members.ts';
import { startTestApp } from '../../../../test/harness/test-app.ts';

const app = await startTestApp();
const tenant = await createMailTenant(app);
const { api } = tenant;
const north = await createUnit(tenant, 'North');
const member = await createMember(tenant, [{ bu_id: north, role: 'editor' }]);

for (const [name, content] of [
  ['greeting', 'Dear {{{snippet title}}}'],
  ['title', 'colleague'],
])
  await api.post('/api/template_snippets', { name, content });

async function createTemplate(shared: boolean, client = api): Promise<string> {
  const body = { name: 'T', from_email: `a@${tenant.domain}`, transactional: true, shared };
  const { id } = (await client.post('/api/templates', body)).body;
  const version = { active: true, subject: 'S', html_content: '{{{snippet greeting}}}' };
  await client.post(`/api/templates/${id}/versions`, version);
  return id;
}

/** Sends the template as the member; returns the sent content or the error. */
async function sentByMember(templateId: string, address: string): Promise<string> {
  const content = { template_id: templateId };
  const body = transmissionBody(tenant, { content, recipients: [{ address }] });
  const { transactionId } = (await member.api.post('/api/transmissions', body)).body;
  await waitUntilEnded(member, transactionId);
  const [{ error }] = (await member.api.get(`/api/transmissions/${transactionId}/recipients`)).body.results;
  if (error !== null) return error;
  const [{ id }] = (await app.admin.get(`/admin/outbox?to=${address}`)).body.results;
  return (await app.admin.get(`/admin/outbox/${id}`)).body.html;
}

test('a shared template uses the snippets of its own unit, whoever sends it', async () => {
  const id = await createTemplate(true);
  assert.match(await sentByMember(id, 'shared@receiver.example'), /Dear colleague/);
});

test('a template of one unit cannot use the snippets of another', async () => {
  const id = await createTemplate(false, member.api);
  assert.match(await sentByMember(id, 'own@receiver.example'), /snippet "greeting" does not exist/);
});

test('content with too long snippets in total is rejected with the name of the snippet', async () => {
  for (const name of ['large a', 'large b']) {
    const content =
      name === 'large a' ? `{{{snippet "large b"}}}${'x'.repeat(6_000_000)}` : 'x'.repeat(6_000_000);
    await api.post('/api/template_snippets', { name, content });
  }
  const html = '{{{snippet "large a"}}}';
  const content = { from: `a@${tenant.domain}`, subject: 'S', html };
  const answers = [
    await api.send('POST', '/api/transmissions', { body: transmissionBody(tenant, { content }) }),
    await api.send('POST', '/api/templates/preview/inline', { body: { content } }),
  ];
  for (const { status, text } of answers) {
    assert.equal(status, 422, text);
    assert.match(text, /the limit is reached at \\"large b\\"/);
  }
});
