import assert from 'node:assert/strict';
import test from 'node:test';
import { sql } from 'kysely';
import { createMailTenant, mailsTo, sendAndWait } from '../../../../../test/harness/mail.ts';
import { startRelay } from '../../../../../test/harness/relay.ts';
import { startTestApp } from '../../../../../test/harness/test-app.ts';

const relay = await startRelay();
const app = await startTestApp({ SMTP_URL: relay.url });
const tenant = await createMailTenant(app);
const { api, domain } = tenant;

/** Returns the only mail to an address that no other test uses. */
async function mailTo(address: string) {
  const mails = await mailsTo(relay, address);
  assert.equal(mails.length, 1);
  return mails[0];
}

/** Returns another spelling of an address, with an invisible character. */
function unseen(address: string): string {
  return address.replace('@', '@\u200b');
}

/** Creates a template with an active version. */
async function createTemplate(addresses: { from_email: string; reply_to?: string }): Promise<string> {
  const body = { name: `T ${addresses.from_email}`, transactional: true, ...addresses };
  const { id } = (await api.post('/api/templates', body)).body;
  await api.post(`/api/templates/${id}/versions`, { active: true, subject: 'S', html_content: 'x' });
  return id;
}

test('every accepted spelling of an address can be sent to', async () => {
  const content = {
    from: `Shop <${unseen(`shop@${domain}`)}>`,
    reply_to: unseen('help@example.com'),
    subject: 'S',
    html: 'x',
  };
  const recipients = [
    { address: { email: unseen('ada@example.com'), header_to: unseen('all@example.com') } },
  ];
  const { counts } = await sendAndWait(tenant, { content, recipients });
  assert.equal(counts.sent, 1);
  const mail = await mailTo('ada@example.com');
  assert.equal(mail?.from?.text, `"Shop" <shop@${domain}>`);
  assert.equal(mail?.replyTo?.text, 'help@example.com');
  assert.deepEqual(mail?.to, { ...mail?.to, text: 'all@example.com' });
});

test('a template is sent with the addresses with which it was accepted', async () => {
  const template_id = await createTemplate({
    from_email: unseen(`shop@${domain}`),
    reply_to: unseen('help@example.com'),
  });
  await sendAndWait(tenant, { content: { template_id }, recipients: [{ address: 'bob@example.com' }] });
  const mail = await mailTo('bob@example.com');
  assert.deepEqual([mail?.from?.text, mail?.replyTo?.text], [`shop@${domain}`, 'help@example.com']);
});

test('an empty reply-to of a template is ignored', async () => {
  const template_id = await createTemplate({ from_email: `shop@${domain}`, reply_to: ' ' });
  assert.equal((await api.get(`/api/templates/${template_id}`)).body.reply_to, null);
  // Earlier versions stored it like this.
  await sql`update email_templates set reply_to = '' where id = ${template_id}`.execute(
    app.app.platform.database.everyTenant('tests').query,
  );
  await sendAndWait(tenant, { content: { template_id }, recipients: [{ address: 'eve@example.com' }] });
  assert.equal((await mailTo('eve@example.com'))?.replyTo, undefined);
});

test('in the sandbox a sender of an international domain keeps its local part', async () => {
  const content = { from: 'ada@bücher.example', subject: 'S', html: 'x' };
  const options = { transactional: true, sandbox: true };
  await sendAndWait(tenant, { options, content, recipients: [{ address: 'mia@example.com' }] });
  assert.equal((await mailTo('mia@example.com'))?.from?.text, 'ada@sandbox.localhost');
});
