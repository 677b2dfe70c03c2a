/** The profile and the password of a user with browser sessions. */
import assert from 'node:assert/strict';
import test from 'node:test';
import { type BrowserUser, cookieIn, signInBrowser } from '../../../../../test/harness/browser-session.ts';
import { createMember, signIn } from '../../../../../test/harness/members.ts';
import { PASSWORD, startTestApp } from '../../../../../test/harness/test-app.ts';

export const runsOn = ['embedded', 'cluster'];

const app = await startTestApp();
const tenant = await app.createTenant();

/** Returns a page of a new browser of a new member of the tenant. */
async function newMember(more: object = {}): Promise<BrowserUser & { readonly email: string }> {
  const { email } = await createMember(tenant, []);
  return { ...(await signInBrowser(app.anonymous, email, more)), email };
}

const NEW_PASSWORD = 'another sentence, just as long';

test('a password change continues this session under a new id and ends all others', async () => {
  const { page, email, csrfToken } = await newMember({ remember: true });
  const { bearer } = await signIn(tenant.api, email);
  const other = await app.createTenant();
  await other.api.post('/api/client/v1/memberships', { email, name: 'Ignored' });
  const elsewhere = await signInBrowser(app.anonymous, email);
  const body = { current_password: PASSWORD, password: NEW_PASSWORD };
  const wrong = { ...body, current_password: 'wrong password' };
  assert.deepEqual((await page.put('/auth/password', wrong, 400)).body.issues, [
    { field: 'current_password', message: 'is not the current password' },
  ]);
  const answer = await page.put('/auth/password', body);
  assert.deepEqual(answer.body, { success: true });
  assert.match(answer.headers.get('set-cookie') ?? '', /; Max-Age=2592000;/);
  await page.get('/auth/session', 401);
  await elsewhere.page.get('/auth/session', 401);
  assert.equal((await bearer.send('GET', '/api/openapi.json')).status, 401);
  const renewed = page.with({ cookie: cookieIn(answer) });
  assert.equal((await renewed.delete('/auth/session', 403)).body.code, 'CSRF_REJECTED');
  const { csrf_token } = (await renewed.get('/auth/session')).body;
  assert.notEqual(csrf_token, csrfToken);
  await renewed.with({ 'x-csrf-token': csrf_token }).delete('/auth/session');
  await signInBrowser(app.anonymous, email, { password: NEW_PASSWORD });
});

test('a password that the operator sets ends the sessions of the user', async () => {
  const { page, email } = await newMember();
  await app.admin.post('/admin/users/password', { email });
  await page.get('/auth/session', 401);
});

test('a user changes name, language, time zone and preferences; absent members stay', async () => {
  const { page, email } = await newMember();
  const preferences = { theme: 'dark', '10': [1.5, null], tables: { forms: ['name'] } };
  const change = { name: 'Ada', locale: 'de-AT', time_zone: 'Europe/Vienna', preferences };
  const { user } = (await page.put('/auth/profile', change)).body;
  assert.deepEqual(user, { id: user.id, email, ...change });
  assert.deepEqual((await page.put('/auth/profile', {})).body.user, user);
  await page.put('/auth/profile', { locale: null, time_zone: null });
  const later = (await signInBrowser(app.anonymous, email)).answer.body.user;
  assert.deepEqual(later, { ...user, locale: null, time_zone: null });
});

test('an invalid profile is refused as a whole', async () => {
  const { page } = await newMember();
  const { issues } = (
    await page.put(
      '/auth/profile',
      {
        ...{ name: '', locale: 'not a tag', time_zone: 'Europe/Nowhere' },
        preferences: { text: 'x'.repeat(16 * 1024) },
      },
      400,
    )
  ).body;
  assert.deepEqual(
    issues.map(({ field }: { field: string }) => field),
    ['name', 'locale', 'time_zone', 'preferences'],
  );
  const { user } = (await page.get('/auth/session')).body;
  assert.deepEqual([user.name, user.locale, user.preferences], ['Member', null, {}]);
});
