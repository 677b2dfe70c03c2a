/** Mail with attachments from slow servers of one tenant: other tenants' mail with attachments does not wait. */
import assert from 'node:assert/strict';
import type { ServerResponse } from 'node:http';
import test from 'node:test';
import { createMailTenant, sendAndWait, transmissionBody, waitUntilEnded } from '../harness/mail.ts';
import { eventually } from '../harness/poll.ts';
import { startReceiver } from '../harness/receiver.ts';
import { startOwnApp } from '../harness/test-app.ts';

/** Longer than the test waits, so that only a release ends a slow download. */
const app = await startOwnApp({ WEBHOOK_TIMEOUT_SECONDS: '60' });
const SLOW_MESSAGES = 6;
const FILE = Buffer.alloc(100_000, 'file');

/** Ways in which a server is slow; each sends the whole file once it is released. */
const SLOWNESSES: readonly (readonly [what: string, begin: (response: ServerResponse) => void])[] = [
  ['does not answer', () => {}],
  ['sends headers and no body', (response) => response.flushHeaders()],
  [
    'stops in the middle of the file',
    (response) => {
      response.write(FILE.subarray(0, 50_000));
    },
  ],
  [
    'announces a length and stops',
    (response) => {
      response.writeHead(200, { 'content-length': String(FILE.length) });
      response.flushHeaders();
    },
  ],
];

for (const slowTenants of [1, 2])
  for (const [what, begin] of SLOWNESSES)
    test(`a file server of ${slowTenants} tenant(s) that ${what} delays no mail with attachments of another tenant`, async () => {
      const files = await startReceiver();
      const waiting: ServerResponse[] = [];
      let isReleased = false;
      const finish = (response: ServerResponse) => {
        const sent = what.includes('middle') ? 50_000 : 0;
        response.end(FILE.subarray(sent));
      };
      files.answer = ({ path }, response) => {
        if (!path.startsWith('/slow')) return void response.end(FILE);
        begin(response);
        if (isReleased) finish(response);
        else waiting.push(response);
      };
      const contentOf = (domain: string, path: string) => ({
        ...{ from: `sender@${domain}`, subject: 'S', html: 'x' },
        attachments: [{ name: 'a.txt', type: 'text/plain', url: `${files.url}${path}` }],
      });
      const ids: (readonly [Awaited<ReturnType<typeof createMailTenant>>, string])[] = [];
      for (let tenant = 0; tenant < slowTenants; tenant += 1) {
        const slow = await createMailTenant(app);
        for (let n = 0; n < SLOW_MESSAGES; n += 1) {
          const body = transmissionBody(slow, {
            recipients: [{ address: `ada@slow${n}.example` }],
            content: contentOf(slow.domain, `/slow/${tenant}/${n}`),
          });
          ids.push([slow, (await slow.api.post('/api/transmissions', body)).body.transactionId]);
        }
      }
      await eventually('downloads of each tenant', async () =>
        Array.from({ length: slowTenants }, (_each, tenant) => tenant).every((tenant) =>
          files.received.some(({ path }) => path.startsWith(`/slow/${tenant}/`)),
        ),
      );
      const other = await createMailTenant(app);
      for (let n = 0; n < 3; n += 1) {
        const { counts } = await sendAndWait(other, { content: contentOf(other.domain, `/quick/${n}`) });
        assert.equal(counts.failed, 0);
      }
      assert.equal(waiting.filter((response) => response.writableEnded).length, 0, 'the others still wait');
      isReleased = true;
      for (const response of waiting) finish(response);
      for (const [slow, id] of ids) assert.equal((await waitUntilEnded(slow, id)).counts.failed, 0);
    });
