import assert from 'node:assert/strict';
import test from 'node:test';
import { cookieIn, FROM_OWN_PAGE } from '../../../test/harness/browser-session.ts';
import { createMember } from '../../../test/harness/members.ts';
import { PASSWORD, startTestApp } from '../../../test/harness/test-app.ts';
import { readNext } from './next-path.ts';

const app = await startTestApp();
const limited = await startTestApp({ RATE_LIMITS: 'on' });
const tenant = await app.createTenant();
const FORM = { 'content-type': 'application/x-www-form-urlencoded' };
const PAGE = '/console/sign-in';

/** Sends the form of a page. */
function submit(
  fields: Readonly<Record<string, string>>,
  { headers = FROM_OWN_PAGE, path = PAGE, to = app }: Partial<SubmitOptions> = {},
) {
  const rawBody = new URLSearchParams(fields).toString();
  return to.anonymous.send('POST', path, { rawBody, headers: { ...FORM, ...headers } });
}

interface SubmitOptions {
  readonly headers: Readonly<Record<string, string>>;
  readonly path: string;
  readonly to: typeof app;
}

test('the form signs in without scripts and leads to the address that the user asked for', async () => {
  const { email } = await createMember(tenant, []);
  const form = await app.anonymous.get(`${PAGE}?next=%2Fconsole%2Ft%2Facme%3Fa%3D1`);
  assert.match(form.text, /name="next" value="\/console\/t\/acme\?a=1"/);
  const answer = await submit({ email, password: PASSWORD, next: '/console/t/acme?a=1' });
  assert.equal(answer.status, 303);
  assert.equal(answer.headers.get('location'), '/console/t/acme?a=1');
  const cookie = cookieIn(answer);
  assert.equal((await app.anonymous.with({ cookie }).get('/auth/session')).body.user.email, email);
  const again = await app.anonymous.with({ cookie }).get(PAGE, 303);
  assert.equal(again.headers.get('location'), '/console');
  assert.doesNotMatch(answer.headers.get('set-cookie') ?? '', /Max-Age/);
  const remembered = await submit({ email, password: PASSWORD, remember: 'on' });
  assert.match(remembered.headers.get('set-cookie') ?? '', /Max-Age=2592000/);
});

test('a wrong password, an unknown address and an empty form get the same answer', async () => {
  const { email } = await createMember(tenant, []);
  const texts = new Set<string>();
  for (const [address, password] of [
    [email, 'wrong password'],
    ['nobody@example.com', PASSWORD],
    ['', ''],
  ] as const) {
    const { status, text, headers } = await submit({ email: address, password });
    assert.equal(status, 401);
    assert.equal(headers.get('set-cookie'), null);
    const [, alert = ''] = /role="alert">([^<]*)</.exec(text) ?? [];
    texts.add(alert);
  }
  assert.deepEqual([...texts], ['Incorrect email address or password.']);
});

test('after ten failures the page says how long to wait', async () => {
  const { email } = await createMember(await limited.createTenant(), []);
  const wrong = () => submit({ email, password: 'wrong password' }, { to: limited });
  for (let count = 0; count < 10; count += 1) assert.equal((await wrong()).status, 401);
  const { status, text } = await wrong();
  assert.equal(status, 429);
  assert.match(text, /Too many attempts\. Try again in 15 minutes\./);
});

test('a form of another site is refused', async () => {
  const { email } = await createMember(tenant, []);
  const foreign = { 'sec-fetch-site': 'cross-site' };
  assert.equal((await submit({ email, password: PASSWORD }, { headers: foreign })).status, 403);
  assert.equal((await submit({ email }, { headers: foreign, path: '/console/forgot-password' })).status, 403);
});

test('the page leads only to addresses of the console', () => {
  for (const bad of [
    'https://evil.example/console',
    '//evil.example/console',
    '/console//evil.example',
    '/console/../admin',
    '/consoles',
    '\\\\evil.example',
    'javascript:alert(1)',
    '/console/sign-in?next=/console',
    '',
  ])
    assert.equal(readNext(bad), '/console', bad);
  assert.equal(readNext('/console/t/acme?filter=a%26b'), '/console/t/acme?filter=a%26b');
});

test('the answer to a forgotten password is the same for every address', async () => {
  const { email } = await createMember(tenant, []);
  assert.match((await app.anonymous.get('/console/forgot-password')).text, /<form method="post">/);
  const withoutNonce = (text: string) => text.replaceAll(/nonce="[\w-]+"/g, '');
  const answers = await Promise.all(
    [email, 'nobody@example.com', ''].map((address) =>
      submit({ email: address }, { path: '/console/forgot-password' }),
    ),
  );
  assert.deepEqual(new Set(answers.map(({ status, text }) => `${status} ${withoutNonce(text)}`)).size, 1);
  assert.match(answers[0]?.text ?? '', /Check your mail/);
});
