import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import test from 'node:test';
import type { ParsedMail } from 'mailparser';
import { cookieIn, FROM_OWN_PAGE, signInBrowser } from '../../../../test/harness/browser-session.ts';
import { mailsTo } from '../../../../test/harness/mail.ts';
import { createMember, createUnit, toSession } from '../../../../test/harness/members.ts';
import { eventually } from '../../../../test/harness/poll.ts';
import { startRelay } from '../../../../test/harness/relay.ts';
import { PASSWORD, startOwnApp, type TestTenant } from '../../../../test/harness/test-app.ts';

const DAY_MS = 24 * 60 * 60 * 1000;
const MEMBERSHIPS = '/api/client/v1/memberships';
const NEW = 'another sentence, just as long';

/** Offset of the app's clock. */
let ahead = 0;
const relay = await startRelay();
const env = { SMTP_URL: relay.url, PUBLIC_URL: 'https://acme.example/x' };
const app = await startOwnApp(env, { clock: () => new Date(Date.now() + ahead) });
const tenant = await app.createTenant();
const NAME = `Tenant ${tenant.code}`;
const other = await app.createTenant();

const login = (email: string, password: string, more: object = {}) =>
  app.anonymous.send('POST', '/auth/login', { body: { email, password, ...more } });
const accept = (token: string, body: object = {}) =>
  app.anonymous.send('POST', `/auth/invitations/${token}`, { body });
const submit = (token: string, fields: Record<string, string>, headers: Record<string, string> = {}) =>
  app.anonymous.send('POST', `/console/invitation/${token}`, {
    rawBody: new URLSearchParams(fields).toString(),
    headers: { 'content-type': 'application/x-www-form-urlencoded', ...headers },
  });

/** Waits for `count` mails to an address; returns them. */
const mailsAt = (address: string, count: number): Promise<ParsedMail[]> =>
  eventually('the mail', async () => {
    const mails = await mailsTo(relay, address);
    return mails.length >= count ? mails : null;
  });

/** Waits for `count` mails to an address; returns the token in the newest. */
async function tokenAt(address: string, count = 1): Promise<string> {
  const mail = (await mailsAt(address, count)).at(-1);
  const [, token = ''] =
    /https:\/\/acme\.example\/x\/console\/invitation\/(\w[\w-]+)/.exec(mail?.text ?? '') ?? [];
  assert.notEqual(token, '');
  return token;
}

async function findListed(membershipId: string, { api }: TestTenant = tenant) {
  const { results } = (await api.get(MEMBERSHIPS)).body;
  return results.find((each: { membership_id: string }) => each.membership_id === membershipId);
}

/** Creates an invited user; returns the token in the mail. */
async function inviteUser({ to = tenant, email = `i${randomUUID()}@example.com`, more = {} } = {}) {
  const { body } = await to.api.post(MEMBERSHIPS, { email, name: 'Invited', invite: true, ...more });
  const before = (await mailsTo(relay, email)).length;
  return {
    email,
    membershipId: body.membership_id,
    userId: body.user_id,
    token: await tokenAt(email, before || 1),
  };
}

async function hasUser(userId: string): Promise<boolean> {
  const all = app.app.platform.database.everyTenant('tests');
  const found = all.query.selectFrom('users').select('user_id').where('user_id', '=', userId);
  return (await found.executeTakeFirst()) !== undefined;
}

test('an invited user sets name and password through the link of a mail and is signed in', async () => {
  const unit = await createUnit(tenant, `North ${randomUUID()}`);
  const { email, membershipId, userId, token } = await inviteUser({
    more: { grants: [{ bu_id: unit, role: 'editor' }] },
  });
  const waiting = await findListed(membershipId);
  assert.equal(waiting.status, 'inactive');
  const { sent_at, expires_at } = waiting.invitation;
  assert.equal(Date.parse(expires_at) - Date.parse(sent_at), 7 * DAY_MS);
  assert.deepEqual((await app.anonymous.get(`/auth/invitations/${token}`)).body, {
    tenant: NAME,
    email,
    needs_password: true,
  });
  const { body, status } = await accept(token, { name: 'Grace', password: NEW });
  assert.equal(status, 200);
  assert.deepEqual(Object.keys(body), ['token', 'refresh_token', 'user']);
  assert.deepEqual(body.user, { id: userId, email, name: 'Grace' });
  await toSession(app.url, body).bearer.get('/api/entities_not_there', 404);
  const joined = await findListed(membershipId);
  assert.deepEqual([joined.status, joined.name, joined.invitation], ['active', 'Grace', undefined]);
  assert.equal((await login(email, NEW)).status, 200);
});

test("the mail is from the installation, names the tenant, and is not counted as the tenant's", async () => {
  const { email, token } = await inviteUser();
  const [mail] = await mailsTo(relay, email);
  assert.equal(mail?.from?.text, 'noreply@acme.example');
  assert.equal(mail?.subject, `Invitation to ${NAME}`);
  assert.ok(String(mail?.html).includes(`href="https://acme.example/x/console/invitation/${token}"`));
  assert.deepEqual((await tenant.api.get('/api/transmissions')).body.results, []);
});

test('an invited user cannot sign in before accepting, and an owner cannot activate the membership', async () => {
  const { email, membershipId } = await inviteUser();
  for (const password of [' ', 'null', PASSWORD]) assert.equal((await login(email, password)).status, 401);
  const { body } = await tenant.api.put(`${MEMBERSHIPS}/${membershipId}`, { status: 'active' }, 422);
  assert.equal(body.issues[0].field, 'status');
  await tenant.api.put(`${MEMBERSHIPS}/${membershipId}`, { is_tenant_admin: true });
  assert.equal((await findListed(membershipId)).status, 'inactive');
});

test('an invitation has no password, and a user without one needs one to accept', async () => {
  const body = { email: `i${randomUUID()}@example.com`, name: 'Invited', invite: true, password: NEW };
  assert.equal((await tenant.api.post(MEMBERSHIPS, body, 400)).body.issues[0].field, 'password');
  const { token } = await inviteUser();
  for (const wrong of [{}, { password: 'short' }])
    assert.equal((await accept(token, wrong)).body.issues[0].field, 'password');
  assert.equal((await accept(token, { password: NEW })).body.user.name, 'Invited');
});

test('a user of another tenant joins with their name and password, without effect on that tenant', async () => {
  const member = await createMember(other, []);
  const { bearer } = toSession(app.url, (await login(member.email, PASSWORD)).body);
  const { token, userId } = await inviteUser({ email: member.email });
  assert.equal(userId, member.userId);
  assert.equal((await app.anonymous.get(`/auth/invitations/${token}`)).body.needs_password, false);
  assert.equal((await accept(token, { name: 'Mallory', password: NEW })).body.user.name, 'Member');
  assert.equal((await login(member.email, NEW, { tenant_code: tenant.code })).status, 401);
  assert.equal((await login(member.email, PASSWORD, { tenant_code: tenant.code })).status, 200);
  await bearer.get('/api/entities_not_there', 404);
  const listed = await findListed(member.membershipId, other);
  assert.deepEqual([listed.name, listed.status, listed.invitation], ['Member', 'active', undefined]);
});

test('the password that a user sets for one tenant is kept for the next', async () => {
  const { email, token } = await inviteUser();
  await other.api.post(MEMBERSHIPS, { email, name: 'Other', invite: true });
  const second = await tokenAt(email, 2);
  assert.notEqual(second, token);
  assert.equal((await accept(token, { name: 'Grace', password: NEW })).status, 200);
  assert.equal((await app.anonymous.get(`/auth/invitations/${second}`)).body.needs_password, false);
  assert.equal((await accept(second)).body.user.name, 'Grace');
});

test('a link works once, also when it is used twice concurrently', async () => {
  const { token } = await inviteUser();
  const answers = await Promise.all([accept(token, { password: NEW }), accept(token, { password: NEW })]);
  assert.deepEqual(answers.map(({ status }) => status).sort(), [200, 404]);
  assert.equal((await app.anonymous.get(`/auth/invitations/${token}`, 404)).body.code, 'TOKEN_INVALID');
});

test('a repeated invitation has a new link, and the old one ends', async () => {
  const { email, membershipId, token } = await inviteUser();
  ahead += DAY_MS;
  const { body } = await tenant.api.post(`${MEMBERSHIPS}/${membershipId}/invitation`, undefined);
  assert.equal(body.expires_at, (await findListed(membershipId)).invitation.expires_at);
  const next = await tokenAt(email, 2);
  await app.anonymous.get(`/auth/invitations/${token}`, 404);
  assert.equal((await accept(next, { password: NEW })).status, 200);
  await tenant.api.post(`${MEMBERSHIPS}/${membershipId}/invitation`, undefined, 422);
});

test('a link ends after seven days and when the invitation is withdrawn, and the user is then unknown', async () => {
  const { token, membershipId } = await inviteUser();
  const withdrawn = await inviteUser();
  await tenant.api.delete(`${MEMBERSHIPS}/${withdrawn.membershipId}`);
  await app.anonymous.get(`/auth/invitations/${withdrawn.token}`, 404);
  await eventually('the person to go', async () => !(await hasUser(withdrawn.userId)) || null);
  ahead += 7 * DAY_MS - 60_000;
  await app.anonymous.get(`/auth/invitations/${token}`);
  ahead += 60_000;
  for (const bad of [token, `${token}x`, 'nothing', withdrawn.token])
    for (const answer of [await app.anonymous.get(`/auth/invitations/${bad}`, 404), await accept(bad)])
      assert.deepEqual([answer.status, answer.body.code], [404, 'TOKEN_INVALID']);
  assert.equal((await findListed(membershipId)).status, 'inactive');
});

test('a user is deleted with the last membership, not before', async () => {
  const member = await createMember(other, []);
  const { membershipId, token } = await inviteUser({ email: member.email });
  await accept(token);
  await tenant.api.delete(`${MEMBERSHIPS}/${membershipId}`);
  const next = await createMember(tenant, []);
  await tenant.api.delete(`${MEMBERSHIPS}/${next.membershipId}`);
  await eventually('the other person to go', async () => !(await hasUser(next.userId)) || null);
  assert.equal((await login(member.email, PASSWORD)).status, 200);
});

test('the operator and a reset link set the password of a user without one', async () => {
  const invited = await inviteUser();
  await app.admin.post('/admin/users/password', { email: invited.email, password: NEW });
  assert.equal((await app.anonymous.get(`/auth/invitations/${invited.token}`)).body.needs_password, false);
  assert.equal((await accept(invited.token)).status, 200);
  const email = `p${randomUUID()}@example.com`;
  await tenant.api.post(MEMBERSHIPS, { email, name: 'Without a password' });
  assert.equal((await login(email, PASSWORD)).status, 401);
  await app.anonymous.post('/auth/password-resets', { email });
  const [mail] = await mailsAt(email, 1);
  const [, token = ''] = /\/console\/reset\/([\w.-]+)/.exec(mail?.text ?? '') ?? [];
  await app.anonymous.post(`/auth/password-resets/${token}`, { password: NEW });
  assert.equal((await login(email, NEW)).status, 200);
});

test('no table contains a token', async () => {
  const { token } = await inviteUser();
  const all = app.app.platform.database.everyTenant('tests');
  const rows = await all.query.selectFrom('jobs').selectAll().execute();
  assert.ok(!JSON.stringify(rows).includes(token.slice(-43)));
});

test('the page lets an invited user join without JavaScript', async () => {
  const { email, token } = await inviteUser();
  const form = await app.anonymous.get(`/console/invitation/${token}`);
  assert.equal(form.headers.get('referrer-policy'), 'same-origin');
  assert.equal(form.headers.get('cache-control'), 'no-store');
  assert.ok(form.text.includes(`<strong>${email}</strong>`));
  const wrong = await submit(token, { name: '', password: 'short' });
  assert.equal(wrong.status, 400);
  assert.match(wrong.text, /Enter your name[\s\S]*Too short: use at least 8 characters/);
  const done = await submit(token, { name: 'Grace', password: NEW });
  assert.equal(done.status, 200);
  assert.match(done.text, /You have joined Tenant/);
  assert.equal((await login(email, NEW)).status, 200);
  assert.equal((await submit(token, { name: 'Grace', password: NEW })).status, 404);
});

test('a user who sets a password on the page is signed in to the console', async () => {
  const { email, token } = await inviteUser();
  const answer = await submit(token, { name: 'Grace', password: NEW }, FROM_OWN_PAGE);
  assert.equal(answer.status, 303);
  assert.equal(answer.headers.get('location'), `/x/console/t/${tenant.code}`);
  assert.match(answer.headers.get('set-cookie') ?? '', /^__Host-tessera=tsb_/);
  const cookie = cookieIn(answer);
  assert.equal((await app.anonymous.with({ cookie }).get('/auth/session')).body.user.email, email);
});

test('a user with an account joins on the page with its password, and is signed in', async () => {
  const member = await createMember(other, []);
  const { membershipId, token } = await inviteUser({ email: member.email });
  const { text } = await app.anonymous.get(`/console/invitation/${token}`);
  assert.match(text, /<input type="password"[^>]* autocomplete="current-password"/);
  assert.doesNotMatch(text, /name="name"/);
  for (const password of ['', 'not the password']) {
    const wrong = await submit(token, { password }, FROM_OWN_PAGE);
    assert.equal(wrong.status, 401);
    assert.match(wrong.text, /role="alert">Incorrect password\./);
  }
  assert.equal((await findListed(membershipId)).status, 'inactive');
  const answer = await submit(token, { name: 'Mallory', password: PASSWORD }, FROM_OWN_PAGE);
  assert.equal(answer.status, 303);
  assert.equal(answer.headers.get('location'), `/x/console/t/${tenant.code}`);
  const { body } = await app.anonymous.with({ cookie: cookieIn(answer) }).get('/auth/session');
  assert.equal(body.user.name, 'Member');
  assert.equal(body.memberships.length, 2);
});

test('a user who is signed in joins with one button, from a page of this origin only', async () => {
  const member = await createMember(other, []);
  const { membershipId, token } = await inviteUser({ email: member.email });
  const { cookie } = await signInBrowser(app.anonymous, member.email);
  const { text } = await app.anonymous.with({ cookie }).get(`/console/invitation/${token}`);
  assert.doesNotMatch(text, /<input/);
  const foreign = { cookie, 'sec-fetch-site': 'cross-site' };
  assert.equal((await submit(token, {}, foreign)).status, 403);
  assert.equal((await findListed(membershipId)).status, 'inactive');
  const answer = await submit(token, {}, { cookie, ...FROM_OWN_PAGE });
  assert.equal(answer.headers.get('location'), `/x/console/t/${tenant.code}`);
  assert.equal((await findListed(membershipId)).status, 'active');
});

test('a user who is signed in as somebody else is asked for the password', async () => {
  const member = await createMember(other, []);
  const { membershipId, token } = await inviteUser({ email: member.email });
  const { cookie } = await signInBrowser(app.anonymous, tenant.ownerEmail);
  assert.equal((await submit(token, {}, { cookie, ...FROM_OWN_PAGE })).status, 401);
  assert.equal((await findListed(membershipId)).status, 'inactive');
});
