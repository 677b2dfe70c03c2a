/** Refusals of the sender or account: they do not affect recipients, and sendings wait. */
import assert from 'node:assert/strict';
import test from 'node:test';
import { createCampaign, createEmail, createListOf } from '../../../../../test/harness/campaigns.ts';
import {
  createMailTenant,
  makeMessageDue,
  readRecipientHistory,
  sendAndWait,
  transmissionBody,
} from '../../../../../test/harness/mail.ts';
import { eventually } from '../../../../../test/harness/poll.ts';
import { startRelay } from '../../../../../test/harness/relay.ts';
import { startTestApp } from '../../../../../test/harness/test-app.ts';

const relay = await startRelay();
// More connections than consecutive refusals here, so that the relay does not count as unavailable.
const app = await startTestApp({ SMTP_URL: relay.url, SMTP_CONNECTIONS: '50' });
const tenant = await createMailTenant(app);
const { api } = tenant;

type Outcome = 'sending' | 'failed';
const REPLIES: readonly (readonly [number, string, 'RCPT' | 'DATA', Outcome])[] = [
  [550, 'You have exceeded your daily relay quota', 'RCPT', 'sending'],
  [550, '5.4.5 Daily user sending limit exceeded.', 'DATA', 'sending'],
  [452, '4.5.3 Too many messages sent this hour', 'RCPT', 'sending'],
  [554, 'Sending paused for this account. For more information, check your inbox', 'DATA', 'sending'],
  [550, '5.7.1 Authentication required for relay', 'RCPT', 'sending'],
  [554, '5.7.1 <someone@example.com>: Relay access denied', 'RCPT', 'sending'],
  [553, 'sorry, that domain is not in my list of allowed rcpthosts', 'RCPT', 'sending'],
  [550, 'Your account has been suspended for non-payment', 'RCPT', 'sending'],
  [550, '5.7.1 Client host [192.0.2.1] blocked using zen.spamhaus.org', 'RCPT', 'sending'],
  [550, '5.7.705 Access denied, tenant has exceeded threshold', 'DATA', 'sending'],
  [451, 'Authentication failed: Maximum credits exceeded', 'RCPT', 'sending'],
  [550, '5.1.1 203.0.113.2 has sent to too many recipients this hour', 'RCPT', 'sending'],
  [550, 'Ihr Versandlimit ist erreicht', 'DATA', 'sending'],
  [550, '5.7.1 Authentification requise', 'RCPT', 'sending'],
  [550, '5.7.1 Relay nicht erlaubt', 'RCPT', 'sending'],
  [553, 'https://www.spamhaus.org/query/ip/192.0.2.1', 'RCPT', 'sending'],
  [554, '5.7.1 Sorry, too many emails', 'DATA', 'sending'],
  [550, '5.7.1 Mittente non autorizzato', 'RCPT', 'failed'],
  [554, 'Message rejected: Email address is not verified: shop@x.example', 'DATA', 'failed'],
  [553, '5.7.1 <shop@x.example>: Sender address rejected: not owned by user x', 'RCPT', 'failed'],
  [550, '5.7.60 Client does not have permissions to send as this sender', 'DATA', 'failed'],
  [550, '5.7.26 Unauthenticated email is not accepted due to the DMARC policy', 'DATA', 'failed'],
];

test('a rejection of the sender is not a bounce and suppresses no address', async () => {
  const replies = new Map(REPLIES.map((reply, index) => [`us${index}@example.com`, reply]));
  const answerFor = (command: 'RCPT' | 'DATA', to: string) => {
    const [code, text, at] = replies.get(to) ?? [];
    return code !== undefined && text !== undefined && at === command ? { code, text } : null;
  };
  relay.onRecipient = (to) => answerFor('RCPT', to);
  relay.onMessage = ({ rcptTo: [to = ''] }) => answerFor('DATA', to);
  await Promise.all(
    [...replies].map(async ([address, [, text, , outcome]]) => {
      const { body } = await api.post(
        '/api/transmissions',
        transmissionBody(tenant, { recipients: [{ address }] }),
      );
      const history = await eventually(`the try of ${text}`, async () => {
        const now = await readRecipientHistory(api, body.transactionId, address);
        return now.attempts === 1 ? now : null;
      });
      assert.equal(history.status, outcome, text);
      assert.ok(history.error?.includes(text), `${history.error}`);
      await api.get(`/api/email_settings/suppressions/list/${address}`, 404);
    }),
  );
  relay.onRecipient = () => null;
  relay.onMessage = () => null;
});

test('a message that waits for a quota is sent when the relay accepts it again', async () => {
  const address = 'later@example.com';
  relay.onRecipient = (to) => (to === address ? { code: 550, text: 'Hourly sending limit exceeded' } : null);
  const { body } = await api.post(
    '/api/transmissions',
    transmissionBody(tenant, { recipients: [{ address }] }),
  );
  const history = await eventually('the first try', async () => {
    const now = await readRecipientHistory(api, body.transactionId, address);
    return now.attempts === 1 ? now : null;
  });
  assert.match(history.error ?? '', /^The relay refuses to send: 550 Hourly sending limit exceeded/);
  relay.onRecipient = () => null;
  await makeMessageDue(app.app.platform, history.message_id);
  await eventually('the mail', async () => {
    const now = await readRecipientHistory(api, body.transactionId, address);
    return now.status === 'sent' ? now : null;
  });
});

test('a campaign whose sender is rejected pauses with the reason, and the operator is notified', async () => {
  const owner = await createMailTenant(app);
  const { listId } = await createListOf(owner, 80);
  let asked = 0;
  const text = 'Sender address rejected: domain is not verified';
  relay.onMailFrom = (address) => {
    if (!address.includes(owner.domain)) return null;
    asked += 1;
    return { code: 550, text };
  };
  const email = await createEmail(owner, await createCampaign(owner), { list_ids: [listId] });
  await owner.api.get(`${email.path}/process`);
  const shown = await eventually('the pause', async () => {
    const { body } = await owner.api.get(email.path);
    return body.sending_problem?.startsWith('Sending is paused') ? body : null;
  });
  assert.ok(shown.sending_problem.includes(text), shown.sending_problem);
  assert.equal(shown.status, 'Sending');
  assert.ok(asked < 80, `${asked} of 80 were tried`);
  // Another sender is not delayed.
  assert.equal((await sendAndWait(tenant, { recipients: [{ address: 'free@example.com' }] })).counts.sent, 1);
  const metrics = await (await fetch(`${app.url}/metrics`)).text();
  assert.match(metrics, /tessera_relay_refusals_total\{refused="sender"\} \d/);
  relay.onMailFrom = () => null;
});
