/** Clients that request much and read nothing: their memory is bounded, their connections end, others are served. */
import assert from 'node:assert/strict';
import test from 'node:test';
import { eventually } from '../harness/poll.ts';
import { startOwnApp } from '../harness/test-app.ts';
import { isCutOff, requestUnread, unsentBytes, withStatus } from '../harness/unread.ts';

export const runsOn = ['embedded', 'server'];
export const neverRunsOn = ['cluster'];

const MIB = 1024 * 1024;
const TEXT = 'x'.repeat(9 * MIB);
const CONNECTIONS = 30;
/** Bytes that one credential may leave unread. */
const MAX_UNSENT = 48 * MIB;

const app = await startOwnApp({ STALLED_WRITE_SECONDS: '12' });

/** Creates a tenant with a text of megabytes. */
async function createSite() {
  const { api, apiKey } = await app.createTenant();
  const { body } = await api.post('/api/template_snippets', { name: 'large', content: TEXT });
  return { api, apiKey, path: `/api/template_snippets/${body.data?.id ?? body.id}` };
}

/** Waits until responses were held in memory and no longer are; returns the most bytes seen. */
async function peakOfUnsentBytes(): Promise<number> {
  let peak = 0;
  await eventually(
    'memory taken and given back',
    async () => {
      const bytes = await unsentBytes(app.url);
      peak = Math.max(peak, bytes);
      return peak > 0 && bytes === 0;
    },
    120_000,
  );
  return peak;
}

test('a client that does not read its large responses gets no further ones and is disconnected; others are served', async () => {
  const [attacker, other] = [await createSite(), await createSite()];
  const peak = peakOfUnsentBytes();
  const answers = await Promise.all(
    Array.from({ length: CONNECTIONS }, () => requestUnread(attacker.api, attacker.path)),
  );
  const sent = withStatus(answers, 200);
  const refused = withStatus(answers, 429);
  assert.ok(refused.length > 0);
  // On a busy machine some wait too long for a connection to the database.
  const late = withStatus(answers, 503);
  assert.equal(sent.length + refused.length + late.length, CONNECTIONS);
  const theirs = await other.api.get(other.path);
  assert.ok(theirs.text.length > TEXT.length);

  const unsent = await peak;
  // The figure is that of the process: it also counts the response to the other tenant while that is on its way.
  const response = Buffer.byteLength(theirs.text);
  assert.ok(unsent <= MAX_UNSENT + response, `${unsent} bytes unsent`);
  for (const answer of sent) assert.ok(await isCutOff(answer));
  assert.ok((await attacker.api.get(attacker.path)).text.length > TEXT.length);
});
