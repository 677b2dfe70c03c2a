import assert from 'node:assert/strict';
import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { json } from 'node:stream/consumers';
import test from 'node:test';
import { englishTexts } from '../../src/features/forms/embed/page-texts.ts';
import { type SubmissionOutcome, sendAnswers } from './submission.ts';

const answers = { email_address: 'a@b.no', form_data: { q: 1 } };

/** Sends the answers to a server that responds as configured. */
async function sendTo(
  answer: (response: ServerResponse, request: IncomingMessage) => void | Promise<void>,
): Promise<SubmissionOutcome> {
  const server = createServer((request, response) => void answer(response, request)).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const address = server.address();
  assert.ok(typeof address === 'object' && address !== null);
  try {
    return await sendAnswers(`http://127.0.0.1:${address.port}/`, answers, 'trap', englishTexts);
  } finally {
    server.closeAllConnections();
    server.close();
  }
}

function answerWith(
  status: number,
  body: string,
  headers: Record<string, string> = {},
): Promise<SubmissionOutcome> {
  return sendTo((response) => void response.writeHead(status, headers).end(body));
}

test('answers are sent as JSON with the time zone and the honeypot field', async () => {
  let received: unknown;
  const outcome = await sendTo(async (response, request) => {
    received = { type: request.headers['content-type'], method: request.method, body: await json(request) };
    response.writeHead(201).end('{"submission_id":"s","actions":[]}');
  });
  assert.deepEqual(received, {
    type: 'application/json',
    method: 'POST',
    body: {
      ...answers,
      time_zone: Intl.DateTimeFormat().resolvedOptions().timeZone,
      website: 'trap',
    },
  });
  assert.deepEqual(outcome, { kind: 'accepted', receipt: { submission_id: 's', actions: [] } });
});

test('a rejection contains its valid issues', async () => {
  const issues = [{ field: 'q', message: 'No.' }, { message: 'Nowhere.' }, { field: 'x' }, 'text'];
  const outcome = await answerWith(
    400,
    JSON.stringify({ message: 'Not valid.', code: 'INVALID_SUBMISSION', issues }),
  );
  assert.deepEqual(outcome, {
    kind: 'refused',
    message: englishTexts.refused,
    issues: [
      { field: 'q', message: 'No.' },
      { field: '', message: 'Nowhere.' },
    ],
  });
});

test('a 200 response without a receipt is a failure', async () => {
  assert.equal((await answerWith(200, '<html>Log in to this network</html>')).kind, 'failed');
});

test('failures of the service and the network allow another attempt', async () => {
  assert.equal((await answerWith(500, 'oops')).kind, 'failed');
  assert.equal((await answerWith(503, '{}')).kind, 'failed');
  const broken = await sendTo((response) => void response.destroy());
  assert.deepEqual(broken, await answerWith(502, ''));
});

test('a rate limit tells how long to wait', async () => {
  const outcome = await answerWith(429, '{}', { 'retry-after': '42' });
  assert.ok(outcome.kind === 'failed');
  assert.match(outcome.message, /about 42 seconds/);
});

test("the service's own message is not shown, as it is not in the page's language", async () => {
  const late = await answerWith(403, '{"code":"CHALLENGE_REQUIRED","message":"None."}');
  assert.deepEqual(late, { kind: 'refused', message: englishTexts.unproved, issues: [] });
  const refused = await answerWith(403, '{"code":"FORBIDDEN","message":"None."}');
  assert.deepEqual(refused, { kind: 'refused', message: englishTexts.refused, issues: [] });
});
