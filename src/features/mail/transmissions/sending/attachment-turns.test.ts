import assert from 'node:assert/strict';
import test from 'node:test';
import {
  createMailTenant,
  sendAndWait,
  transmissionBody,
  waitUntilEnded,
} from '../../../../../test/harness/mail.ts';
import { eventually } from '../../../../../test/harness/poll.ts';
import { startReceiver } from '../../../../../test/harness/receiver.ts';
import { startOwnApp } from '../../../../../test/harness/test-app.ts';

/** Maximum number of concurrent downloads of one tenant. */
const PER_TENANT = 4;
const app = await startOwnApp({ WEBHOOK_TIMEOUT_SECONDS: '60' });

test('slow attachments of one tenant delay no ordinary mail of another, and all are sent', async () => {
  const files = await startReceiver();
  let release = () => {};
  const released = new Promise<void>((resolve) => {
    release = resolve;
  });
  files.answer = ({ path }, response) => {
    const answer = () => response.end('file');
    if (path.startsWith('/slow')) void released.then(answer);
    else answer();
  };
  const contentOf = (domain: string, path: string) => {
    const attachments = [{ name: 'a.txt', type: 'text/plain', url: `${files.url}${path}` }];
    return { from: `sender@${domain}`, subject: 'S', html: 'x', attachments };
  };
  const [slow, other] = [await createMailTenant(app), await createMailTenant(app)];
  const ids: string[] = [];
  for (let n = 0; n < PER_TENANT + 4; n += 1) {
    const body = transmissionBody(slow, {
      recipients: [{ address: `ada@slow${n}.example` }],
      content: contentOf(slow.domain, `/slow/${n}`),
    });
    ids.push((await slow.api.post('/api/transmissions', body)).body.transactionId);
  }
  await eventually('a download to begin', async () => files.received.length > 0);
  const { counts } = await sendAndWait(other);
  assert.equal(counts.failed, 0);
  assert.ok(files.received.filter(({ path }) => path.startsWith('/slow')).length <= PER_TENANT);
  release();
  for (const id of ids) assert.equal((await waitUntilEnded(slow, id)).counts.failed, 0);
});
