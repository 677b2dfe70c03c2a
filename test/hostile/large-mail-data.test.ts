import assert from 'node:assert/strict';
import test from 'node:test';
import { createMailTenant, sendAndWait } from '../harness/mail.ts';
import { startRelay } from '../harness/relay.ts';
import { startTestApp } from '../harness/test-app.ts';

const relay = await startRelay();
const app = await startTestApp({ SMTP_URL: relay.url });
const tenant = await createMailTenant(app);
const RECIPIENTS = 6;
const KB = 1024;

test('small and large recipient data arrives, including data too large to load with a claim', async () => {
  const recipients = Array.from({ length: RECIPIENTS }, (_, n) => ({
    address: `large${n}@example.com`,
    metadata: { number: n },
    substitution_data: { text: 'x'.repeat(n === 0 ? 10 : 40 * KB) },
  }));
  const content = {
    from: `shop@${tenant.domain}`,
    subject: '{{number}}',
    html: `<p>${'{{text}} '.repeat(2)}</p>`,
  };
  await sendAndWait(tenant, { recipients, content });
  for (const [n, { address, substitution_data: data }] of recipients.entries()) {
    const [message, ...more] = relay.messages.filter(({ rcptTo }) => rcptTo.includes(address));
    assert.equal(more.length, 0);
    const raw = message?.raw.toString('latin1') ?? '';
    assert.match(raw, new RegExp(`^Subject: ${n}\\r$`, 'm'));
    assert.ok(raw.length > 2 * data.text.length, `${address} got its own text`);
  }
});
