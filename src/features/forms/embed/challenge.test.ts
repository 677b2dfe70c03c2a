import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import test from 'node:test';
import { askChallenge, type IssuedChallenge, solve } from '../../../../test/harness/challenge.ts';
import { createForm, goodAnswers, submit } from '../../../../test/harness/sample-forms.ts';
import { startTestApp } from '../../../../test/harness/test-app.ts';
import { newChallenge, requireSolved } from './challenge.ts';
import { usedChallengeRetention } from './used-challenges.ts';

const app = await startTestApp();
const { platform } = app.app;
const { api } = await app.createTenant();
const body = { email_address: 'ada@example.com', form_data: goodAnswers };

async function newForm(more: object = {}) {
  const code = await createForm(api, { challenge: true, ...more });
  const { public_code } = (await api.get(`/api/forms/${code}`)).body;
  const send = (headers: Record<string, string>, status: number, sent: object = body) =>
    app.anonymous.post(`/embed/${public_code}/submissions`, sent, status, { headers });
  const ask = () => askChallenge(app.anonymous, public_code);
  const count = async () => {
    const filters = { form_code: { operation: 'eq', value: code } };
    return (await api.post('/api/form_submissions/list', { page: 1, limit: 1, filters })).body.total;
  };
  return { code, publicCode: String(public_code), send, ask, count };
}

const form = await newForm();

test('a form states if it requires a challenge, and requires none by default', async () => {
  assert.equal((await api.get(`/api/forms/${form.code}`)).body.challenge, true);
  const plain = await newForm({ challenge: undefined });
  assert.equal((await api.get(`/api/forms/${plain.code}`)).body.challenge, false);
  await plain.send({}, 200);
});

test('a solved challenge serves one submission', async () => {
  const { send, ask, count } = await newForm();
  const solved = solve(await ask());
  const { submission_id } = (await send(solved, 200)).body;
  await api.get(`/api/form_submissions/${submission_id}`);
  assert.equal((await send(solved, 403)).body.code, 'CHALLENGE_REQUIRED');
  assert.equal(await count(), 1);
});

test('only one of several concurrent submissions with one challenge is accepted', async () => {
  const { publicCode, ask, count } = await newForm();
  const headers = solve(await ask());
  const path = `/embed/${publicCode}/submissions`;
  const answers = await Promise.all(
    [1, 2, 3, 4].map(() => app.anonymous.send('POST', path, { body, headers })),
  );
  assert.deepEqual(answers.map(({ status }) => status).sort(), [200, 403, 403, 403]);
  assert.equal(await count(), 1);
});

test('rejected answers leave their challenge usable for corrected ones', async () => {
  const { send, ask } = await newForm();
  const solved = solve(await ask());
  await send(solved, 400, { ...body, form_data: {} });
  await send(solved, 200);
});

test('a repeat with an Idempotency-Key gets the first response, with another challenge or without', async () => {
  const { send, ask, count } = await newForm();
  const key = { 'idempotency-key': randomUUID() };
  const first = await send({ ...key, ...solve(await ask()) }, 200);
  for (const headers of [{}, solve(await ask())])
    assert.deepEqual((await send({ ...key, ...headers }, 200)).body, first.body);
  assert.equal(await count(), 1);
});

test('a submission with an API key needs no challenge', async () => {
  await submit(api, form.code);
});

test('a submission with a filled honeypot needs a solved challenge, too', async () => {
  const { send, ask, count } = await newForm();
  const filled = { ...body, website: 'https://spam.example' };
  await send({}, 403, filled);
  await send(solve(await ask()), 200, filled);
  assert.equal(await count(), 1);
});

/** Returns the header of a challenge with another number, or another part. */
const header = (token: string, number: string) => ({ 'tessera-challenge': `${token}.${number}` });
const parts = (solved: Record<string, string>): [string, string] => {
  const [payload = '', mac = '', number = ''] = String(solved['tessera-challenge']).split('.');
  return [`${payload}.${mac}`, number];
};

test('without a valid proof a submission is rejected before its answers are checked', async () => {
  const other = await newForm();
  const solved = solve(await form.ask());
  const [token, number] = parts(solved);
  const [payload = '', mac = ''] = token.split('.');
  const easy = Buffer.from(payload, 'base64url').toString().replace('"17"', '"0"');
  assert.match(easy, /"bits":"0"/);
  const wrong: Record<string, Record<string, string>> = {
    'no header': {},
    'an empty one': { 'tessera-challenge': '' },
    'no number': header(token, ''),
    'a number that solves nothing': header(token, `${number}1`),
    'a number with a zero before it': header(token, `0${number}`),
    'a negative number': header(token, `-${number}`),
    'a number without end': header(token, '9'.repeat(5000)),
    'no token': header('', number),
    'an altered signature': header(`${payload}.${mac.slice(0, -4)}AAAA`, number),
    'an easier challenge of one’s own': header(`${Buffer.from(easy).toString('base64url')}.${mac}`, number),
    'a challenge of another form': solve(await other.ask()),
    'a token of another kind': header(
      platform.tokens.sign(
        'business-unit',
        { form: form.publicCode, seed: 's', bits: '0' },
        new Date(Date.now() + 1e6),
      ),
      '1',
    ),
  };
  for (const [what, headers] of Object.entries(wrong)) {
    const answer = await form.send(headers, 403, { ...body, form_data: { nobody_asked: 1 } });
    assert.equal(answer.body.code, 'CHALLENGE_REQUIRED', what);
  }
  assert.equal(await form.count(), 1, 'the one with a key');
  await form.send(solved, 200);
});

test('a challenge expires after ten minutes', () => {
  const now = new Date();
  const challenge: IssuedChallenge = newChallenge({ platform, now }, 'code');
  const headers = solve(challenge);
  assert.equal(Date.parse(challenge.expires_at), now.getTime() + 600_000);
  const at = (ms: number) => requireSolved({ platform, now: new Date(now.getTime() + ms), headers }, 'code');
  assert.equal(at(599_999), challenge.seed);
  assert.throws(() => at(600_000), /requires a solved challenge/);
});

test('a form that accepts no submissions has no challenge', async () => {
  const inactive = await newForm({ active: false });
  for (const code of ['unknown', inactive.publicCode])
    assert.equal((await app.anonymous.get(`/embed/${code}/challenge`, 404)).body.code, 'FORM_NOT_FOUND');
});

test('pages of allowed origins may request challenges and submit, others may not', async () => {
  const { publicCode } = await newForm({ allowed_origins: ['https://shop.example'] });
  const path = `/embed/${publicCode}/challenge`;
  const of = (origin: string) => ({ headers: { origin } });
  const { headers } = await app.anonymous.get(path, 200, of('https://shop.example'));
  assert.equal(headers.get('access-control-allow-origin'), 'https://shop.example');
  assert.equal(headers.get('cache-control'), 'no-store');
  await app.anonymous.get(path, 403, of('https://evil.example'));
  const preflight = await app.anonymous.send(
    'OPTIONS',
    `/embed/${publicCode}/submissions`,
    of('https://shop.example'),
  );
  assert.match(preflight.headers.get('access-control-allow-headers') ?? '', /tessera-challenge/);
});

test('used challenges are deleted long after they expired', async () => {
  const own = await app.createTenant();
  const all = platform.database.everyTenant('tests').query;
  const insert = (seed: string, hoursAgo: number) =>
    all
      .insertInto('used_challenges')
      .values({ tenant_id: own.tenantId, seed, created_at: new Date(Date.now() - hoursAgo * 3_600_000) })
      .execute();
  await insert('old', 25);
  await insert('new', 23);
  await usedChallengeRetention.removeOld(platform);
  const left = await all
    .selectFrom('used_challenges')
    .select('seed')
    .where('tenant_id', '=', own.tenantId)
    .execute();
  assert.deepEqual(left, [{ seed: 'new' }]);
});
