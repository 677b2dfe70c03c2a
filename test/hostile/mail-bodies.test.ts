/**
 * Bodies that try to break their processing: each is sent, or fails at once with a reason. An attempt that breaks all
 * the same fails after eight tries (src/features/mail/transmissions/sending/refusals.test.ts).
 */
import assert from 'node:assert/strict';
import test from 'node:test';
import type { Answer } from '../harness/client.ts';
import {
  createMailTenant,
  readRecipientHistory,
  sendAndWait,
  transmissionBody,
  waitUntilEnded,
} from '../harness/mail.ts';
import { startRelay } from '../harness/relay.ts';
import { startTestApp } from '../harness/test-app.ts';

export const runsOn = ['embedded'];
export const neverRunsOn = ['cluster'];

/** Length at which quadratic work exceeds a deadline. */
const LONG = 256 * 1024;
/** Time for all of them on a busy machine, in ms. */
const PATIENCE_MS = 300_000;
const LINK = '<a href="https://shop.example/">x</a>';

/** Repeats a text to that length. */
const much = (text: string) => text.repeat(Math.ceil(LONG / text.length));

/** Bodies for the parsers of tracking and of the message builder. */
const BODIES: Readonly<Record<string, string>> = {
  'a long beginning of spaces': `${' '.repeat(LONG)}<p>x</p>`,
  'a long beginning of tags without a body': much('<html><head></head>\n'),
  'declarations without an end': much('<!doctype html'),
  'comments without an end': much('<!--'),
  'comments for Outlook': much(`<!--[if mso]>${LINK}<![endif]-->`),
  'comments for Outlook without an end': much('<!--[if mso]>'),
  'tags without an end': much('<a '),
  'quotes without an end': much('<a href="'),
  'raw elements without an end': much('<style><title>'),
  'elements nested 100,000 deep': '<div>'.repeat(100_000) + LINK + '</div>'.repeat(100_000),
  'tables nested deep': much('<table><tr><td>'),
  '100,000 links': Array.from({ length: 100_000 }, (_, n) => `<a href="https://x.example/${n}">x</a>`).join(
    '',
  ),
  'one link a hundred thousand times': LINK.repeat(100_000),
  'a long attribute': `<a href="https://x.example/${much('a')}">x</a>`,
  'many references in an attribute': `<a href="${much('&amp;')}">x</a>`,
  'long references': `<a href="&#${much('1')};&${much('a')};">x</a>`,
  'spaces around an address': `<a href="${much(' ')}https://x.example/${much(' ')}x">x</a>`,
  'many attributes': `<a ${much('b=c ')}href=https://x.example>x</a>`,
  'a long name': `<${much('a')} ${much('b')}>`,
  'spaces in a tag': `<a${much(' ')}href=x>`,
  'a long line': much('x'),
  'lines of nothing but spaces': much(' \t\r\n'),
  'line breaks of every kind': much('\r\n\n\r'),
  'dots and beginnings of mailboxes': much('.\r\nFrom x\r\n'),
  'characters of four bytes': much('\u{1f600}'),
  'characters in pieces': much('e\u0301'),
  'ends of what never began': much('</body></a></html>'),
};

const relay = await startRelay();
const app = await startTestApp({ SMTP_URL: relay.url });
const tenant = await createMailTenant(app);

/** Sends each body to a unique address and returns the outcomes. */
async function sendAll(content: (body: string) => object, options: object) {
  const sent: { readonly name: string; readonly address: string; readonly answer: Answer }[] = [];
  for (const [name, body] of Object.entries(BODIES)) {
    const address = `p${sent.length}@example.com`;
    const from = `shop@${tenant.domain}`;
    const answer = await tenant.api.send('POST', '/api/transmissions', {
      body: transmissionBody(tenant, {
        recipients: [{ address }],
        content: { from, subject: 'News', ...content(body) },
        options: { transactional: true, open_tracking: true, click_tracking: true, ...options },
      }),
    });
    sent.push({ name, address, answer });
  }
  return sent;
}

test('any body is sent with its links and its pixel', async () => {
  for (const initial_open of [false, true]) {
    const sent = await sendAll((html) => ({ html, text: html }), {
      perform_substitutions: false,
      initial_open,
    });
    for (const { name, address, answer } of sent) {
      assert.equal(answer.status, 200, `${name}: ${answer.text.slice(0, 300)}`);
      const { counts } = await waitUntilEnded(tenant, answer.body.transactionId, PATIENCE_MS);
      const { error } = await readRecipientHistory(tenant.api, answer.body.transactionId, address);
      assert.deepEqual([counts.sent, error], [1, null], name);
    }
  }
});

test('a body used as a template is rejected, sent, or fails with a reason, and is not retried', async () => {
  for (const { name, address, answer } of await sendAll((html) => ({ html }), { inline_css: true })) {
    assert.ok([200, 400].includes(answer.status), `${name}: ${answer.status} ${answer.text.slice(0, 300)}`);
    if (answer.status === 400) continue;
    const { counts } = await waitUntilEnded(tenant, answer.body.transactionId, PATIENCE_MS);
    const { error, attempts } = await readRecipientHistory(tenant.api, answer.body.transactionId, address);
    assert.equal(Number(counts.sent) + Number(counts.failed), 1, name);
    assert.equal(attempts, 1, `${name}: ${error}`);
  }
});

test('a subject or name that no header can contain is rejected with its field', async () => {
  const text = much('x');
  const from = `shop@${tenant.domain}`;
  const bodies = {
    'content.subject': { content: { from, subject: text, html: 'x' } },
    'content.from.name': { content: { from: { email: from, name: text }, subject: 'x', html: 'x' } },
    'recipients[0].address.name': { recipients: [{ address: { email: 'ada@example.com', name: text } }] },
    'recipients[0].address.header_to': {
      recipients: [{ address: { email: 'ada@example.com', header_to: text } }],
    },
  };
  for (const [field, more] of Object.entries(bodies)) {
    const { body } = await tenant.api.post('/api/transmissions', transmissionBody(tenant, more), 400);
    assert.ok(
      body.issues.some((issue: { field: string }) =>
        issue.field.startsWith(field.slice(0, field.lastIndexOf('.'))),
      ),
      `${field}: ${JSON.stringify(body.issues)}`,
    );
  }
});

test('a subject that becomes too long fails its message with that reason', async () => {
  const { counts, id } = await sendAndWait(tenant, {
    content: { from: `shop@${tenant.domain}`, subject: '{{text}}', html: 'x' },
    recipients: [{ address: 'ada@example.com', substitution_data: { text: 'x'.repeat(70_000) } }],
  });
  const { error } = await readRecipientHistory(tenant.api, id, 'ada@example.com');
  assert.equal(counts.failed, 1);
  assert.match(error ?? '', /^The message cannot be built: the subject has more than 65536 characters/);
});
