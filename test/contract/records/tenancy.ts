import { randomUUID } from 'node:crypto';
import { signInBrowser } from '../../harness/browser-session.ts';
import { createClient } from '../../harness/client.ts';
import { createMember, signIn } from '../../harness/members.ts';
import { createTenant, type TestTenant } from '../../harness/test-app.ts';
import type { Maker, Makers } from '../record-maker.ts';
import { mailTo } from './mail.ts';

const otherTenant: Maker = async ({ tenant: { operator } }) =>
  (await createTenant(operator.url, operator)).code;

/** Invites a new user, and returns the address and the membership. */
async function invite({ api }: TestTenant) {
  const email = `i${randomUUID()}@example.com`;
  const { body } = await api.post('/api/client/v1/memberships', { email, name: 'Invited', invite: true });
  return { email, membershipId: String(body.membership_id) };
}

/** Returns the token in the link of a mail. */
async function tokenIn(tenant: TestTenant, email: string): Promise<string> {
  const { text } = (await tenant.operator.get(`/admin/outbox/${await mailTo(tenant, email)}`)).body;
  return /\/console\/\w+\/([\w.-]+)/.exec(text)?.[1] ?? '';
}

/** Tenants, members and their sessions, and deleted records. */
export const tenancyRecords: Makers = {
  tenant: otherTenant,
  deletable_tenant: otherTenant,
  membership: async ({ tenant, record }) =>
    (await createMember(tenant, [{ bu_id: await record('unit'), role: 'editor' }])).membershipId,
  spare_membership: async ({ tenant }) => (await createMember(tenant, [])).membershipId,
  invited_membership: async ({ tenant }) => (await invite(tenant)).membershipId,
  invitation_token: async ({ tenant }) => tokenIn(tenant, (await invite(tenant)).email),
  reset_token: async ({ tenant }) => {
    const { email } = await createMember(tenant, []);
    await createClient(tenant.api.url).post('/auth/password-resets', { email });
    return tokenIn(tenant, email);
  },
  user: async ({ tenant }) => (await createMember(tenant, [])).email,
  refresh_token: async ({ tenant, record }) => (await signIn(tenant.api, await record('user'))).refreshToken,
  session_cookie: async ({ tenant: { api, ownerEmail } }) => (await signInBrowser(api, ownerEmail)).cookie,
  session_csrf_token: async ({ tenant: { api }, record }) => {
    const browser = createClient(api.url, { cookie: await record('session_cookie') });
    return (await browser.get('/auth/session')).body.csrf_token;
  },
  browser_session: async ({ tenant: { api, ownerEmail } }) => {
    const { page } = await signInBrowser(api, ownerEmail);
    const { results } = (await page.get('/auth/sessions')).body;
    return results.find((each: { is_current: boolean }) => each.is_current).id;
  },
  // Named by its key, which all new items have.
  draft: async ({ tenant: { api } }) => {
    await api.put('/api/client/v1/drafts/form/new', { data: { name: 'Contact' }, base_version: 1 });
    return 'new';
  },
  deleted_theme: async ({ tenant: { api }, body }) => {
    const { code } = (await api.post('/api/form_themes', await body('form_themes.create'))).body;
    await api.delete(`/api/form_themes/${code}`);
    return code;
  },
};
