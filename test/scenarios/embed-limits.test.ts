import assert from 'node:assert/strict';
import test from 'node:test';
import { type Answer, type Client, createClient } from '../harness/client.ts';
import { startFaultSite } from '../harness/fault-site.ts';
import { startProcess } from '../harness/process.ts';
import { REDIS_URL, withoutRedis } from '../harness/redis.ts';
import { createForm, goodAnswers } from '../harness/sample-forms.ts';
import { startTestApp } from '../harness/test-app.ts';

export const neverRunsOn = ['cluster'];

const LIMIT = 60;
const goodBody = { email_address: 'ada@example.com', form_data: goodAnswers };

const direct = await startTestApp({ RATE_LIMITS: 'on' });
const proxied = await startTestApp({ RATE_LIMITS: 'on', TRUST_PROXY: 'true' });

async function newPath(api: Client): Promise<string> {
  const { body } = await api.get(`/api/forms/${await createForm(api)}`);
  return `/embed/${body.public_code}/submissions`;
}

/** Uses up the limit; malformed submissions count, too. */
async function useUp(client: Client, path: string): Promise<void> {
  const answers = await Promise.all(
    Array.from({ length: LIMIT }, () => client.send('POST', path, { body: {} })),
  );
  assert.deepEqual([...new Set(answers.map(({ status }) => status))], [400]);
}

function assertLimited(answer: Answer): void {
  assert.equal(answer.body.code, 'RATE_LIMITED');
  const seconds = Number(answer.headers.get('retry-after'));
  assert.ok(seconds >= 1 && seconds <= 60, `Retry-After ${seconds}`);
}

test('an address may submit to a form 60 times a minute, whatever it claims to be', async () => {
  const { api } = await direct.createTenant();
  const [path, other] = [await newPath(api), await newPath(api)];
  await useUp(direct.anonymous, path);
  assertLimited(await direct.anonymous.post(path, goodBody, 429));
  const claimed = { headers: { 'x-forwarded-for': '203.0.113.9' } };
  assertLimited(await direct.anonymous.post(path, goodBody, 429, claimed));
  await direct.anonymous.post(other, goodBody);
});

test('a page of an allowed origin can read that it must wait', async () => {
  const { api } = await direct.createTenant();
  const path = await newPath(api);
  await useUp(direct.anonymous, path);
  const origin = { headers: { origin: 'https://shop.example' } };
  const answer = await direct.anonymous.post(path, goodBody, 429, origin);
  assert.equal(answer.headers.get('access-control-allow-origin'), 'https://shop.example');
  assert.equal(answer.headers.get('access-control-expose-headers'), 'retry-after, warning');
});

test('behind a trusted proxy each forwarded address has its own limit', async () => {
  const { api } = await proxied.createTenant();
  const path = await newPath(api);
  const visitor = proxied.anonymous.with({ 'x-forwarded-for': '203.0.113.1' });
  await useUp(visitor, path);
  assertLimited(await visitor.post(path, goodBody, 429));
  const other = proxied.anonymous.with({ 'x-forwarded-for': '203.0.113.2' });
  const { body } = await other.post(path, goodBody);
  const submission = await api.get(`/api/form_submissions/${body.submission_id}`);
  assert.equal(submission.body.ip_address, '203.0.113.2');
});

test('behind a trusted proxy the address from the proxy counts, not one from the visitor', async () => {
  const { api } = await proxied.createTenant();
  const path = await newPath(api);
  const visitor = proxied.anonymous.with({ 'x-forwarded-for': '198.51.100.7, 203.0.113.3' });
  const { body } = await visitor.post(path, goodBody);
  const submission = await api.get(`/api/form_submissions/${body.submission_id}`);
  assert.equal(submission.body.ip_address, '203.0.113.3');
});

test('processes with one Redis share the limit', { skip: await withoutRedis() }, async () => {
  const site = await startFaultSite({ RATE_LIMITS: 'on', REDIS_URL });
  const { body } = await site.at(site.process).get(`/api/forms/${site.formCode}`);
  const path = `/embed/${body.public_code}/submissions`;
  await useUp(createClient(site.process.url), path);
  // One after the other, because only one process can open an embedded database.
  await site.process.kill('SIGTERM');
  const next = await startProcess(site.env);
  assertLimited(await createClient(next.url).post(path, goodBody, 429));
});
