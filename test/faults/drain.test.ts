import assert from 'node:assert/strict';
import { Agent, request } from 'node:http';
import test from 'node:test';
import { setTimeout as pause } from 'node:timers/promises';
import { startFaultSite, undelivered } from '../harness/fault-site.ts';
import { eventually } from '../harness/poll.ts';
import { startProcess } from '../harness/process.ts';
import { goodAnswers } from '../harness/sample-forms.ts';

export const runsOn = ['embedded'];
export const neverRunsOn = ['cluster'];

const CLIENTS = 20;
const RECEIVER_DELAY_MS = 400;

/** Returns the id of the accepted submission, or null if the listener is closed. Rejects if a request is dropped. */
function submitOver(agent: Agent, url: string, apiKey: string, body: string): Promise<string | null> {
  return new Promise((resolve, reject) => {
    const headers = { 'x-api-key': apiKey, 'content-type': 'application/json' };
    const sent = request(`${url}/api/form_submissions`, { method: 'POST', agent, headers }, (response) => {
      let text = '';
      response.setEncoding('utf8').on('data', (chunk: string) => {
        text += chunk;
      });
      response.on('error', reject).on('end', () => {
        if (response.statusCode === 200) resolve(JSON.parse(text).submission_id);
        else reject(new Error(`${response.statusCode}: ${text}`));
      });
    });
    sent.on('error', (error) =>
      'code' in error && error.code === 'ECONNREFUSED' ? resolve(null) : reject(error),
    );
    sent.end(body);
  });
}

test('SIGTERM under load answers every request, finishes the deliveries and exits with 0', async () => {
  const site = await startFaultSite();
  const { received } = site.receiver;
  let underWay = 0;
  site.receiver.answer = async (_request, response) => {
    underWay += 1;
    await pause(RECEIVER_DELAY_MS);
    underWay -= 1;
    response.end('ok');
  };
  const apiKey = site.at(site.process).headers['x-api-key'] ?? '';
  const body = JSON.stringify({
    form_code: site.formCode,
    email_address: 'ada@example.com',
    form_data: goodAnswers,
  });
  const accepted = new Set<string>();
  const submitUntilRefused = async (): Promise<void> => {
    const agent = new Agent({ keepAlive: true, maxSockets: 1 });
    for (;;) {
      const id = await submitOver(agent, site.process.url, apiKey, body);
      if (id === null) return;
      accepted.add(id);
    }
  };
  const clients = Promise.all(Array.from({ length: CLIENTS }, submitUntilRefused));
  await eventually('deliveries under load', () => accepted.size > 100 && underWay > 0, 30_000);

  const end = await site.process.kill('SIGTERM');
  assert.deepEqual(end, { code: 0, signal: null });
  await clients;
  assert.equal(underWay, 0, 'no delivery was cut');

  site.receiver.answer = (_request, response) => response.end('ok');
  await startProcess(site.env);
  await eventually(
    'the rest to be delivered',
    () => undelivered(accepted, site.receiver).length === 0,
    30_000,
  );
  assert.equal(received.length, accepted.size, 'what was delivered before the end is not delivered again');
});
