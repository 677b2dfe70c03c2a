/** Expired and invalid links and forms: their pages have the brand of their tenant. */
import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import test from 'node:test';
import { v7 as uuidv7 } from 'uuid';
import { confirmUrl } from '../../src/features/contacts/subscribers/sign-up/confirmation-tokens.ts';
import { unsubscribeLinks } from '../../src/features/mail/email-tracking/index.ts';
import { viewUrl } from '../../src/features/marketing/campaigns/preview/view-token.ts';
import { createBrandedTenant, preferencesToken } from '../harness/preferences.ts';
import { createForm } from '../harness/sample-forms.ts';
import { startTestApp } from '../harness/test-app.ts';

const app = await startTestApp();
const { platform } = app.app;
const tenant = await createBrandedTenant(app, 'Garden <Shop>', {
  logo_url: 'https://cdn.example/logo.png',
  primary_color: '#0f766e',
  locale: 'fr',
});
const longAgo = new Date(Date.now() - 100 * 24 * 60 * 60 * 1000);
const subscriber = { id: randomUUID(), email: 'ada@example.com', address_key: 'ada@example.com' };
const messageId = uuidv7({ msecs: longAgo.getTime() });

const LINKS: Readonly<Record<string, string | Promise<string>>> = {
  'preferences link that has expired': `/preferences/${preferencesToken(app, tenant, subscriber, { createdAt: longAgo })}`,
  'preferences link of an erased subscriber': `/preferences/${preferencesToken(app, tenant, subscriber)}`,
  'confirmation link that has expired': pathOf(
    confirmUrl(platform, tenant.tenantId, 'form', subscriber, longAgo),
  ),
  'confirmation link of an erased subscriber': pathOf(
    confirmUrl(platform, tenant.tenantId, 'form', subscriber, new Date()),
  ),
  'browser view that has expired': pathOf(viewUrl(platform, { tenantId: tenant.tenantId, messageId })),
  'browser view of a message that is gone': pathOf(
    viewUrl(platform, { tenantId: tenant.tenantId, messageId: uuidv7() }),
  ),
  'unsubscribe link of a message that is gone': pathOf(
    unsubscribeLinks(platform, tenant.tenantId, messageId).url,
  ),
  'form that is not active': createForm(tenant.api, { active: false }).then(async (code) => {
    const { body } = await tenant.api.get(`/api/forms/${code}`);
    return `/embed/${body.public_code}`;
  }),
};

function pathOf(url: string): string {
  return new URL(url).pathname;
}

for (const [name, path] of Object.entries(LINKS)) {
  test(`the page of this shows the tenant's logo, name and colour: ${name}`, async () => {
    const answer = await fetch(app.url + (await path));
    const page = await answer.text();
    assert.equal(answer.status, name.startsWith('unsubscribe') ? 200 : 404);
    assert.match(page, /<img src="https:\/\/cdn\.example\/logo\.png" alt="Garden &lt;Shop&gt;">/);
    assert.match(page, /--fill: rgb\(15, 118, 110\)/);
    assert.match(answer.headers.get('content-security-policy') ?? '', /img-src [^;]*https:/);
    if (!name.startsWith('form')) assert.match(page, /<html lang="fr" dir="ltr">/);
  });
}

test('an altered link and an unknown form show no brand', async () => {
  for (const path of ['/preferences/x', '/confirm/x.y', '/view/x', '/u/x', '/t/c/x', '/embed/x'])
    assert.doesNotMatch(await (await fetch(app.url + path)).text(), /class="brand"/, path);
});

test('no page shows the brand of a suspended tenant', async () => {
  await app.admin.put(`/admin/tenants/${tenant.code}`, { status: 'suspended' });
  for (const [name, path] of Object.entries(LINKS)) {
    const answer = await fetch(app.url + (await path));
    assert.equal(answer.status, 404, name);
    assert.doesNotMatch(await answer.text(), /Garden/, name);
  }
});
