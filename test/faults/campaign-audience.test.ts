import assert from 'node:assert/strict';
import test from 'node:test';
import { becomes, computed, createAudience } from '../harness/audiences.ts';
import { createCampaign, createEmail, waitForStatus } from '../harness/campaigns.ts';
import { createMailTenant, type MailTenant } from '../harness/mail.ts';
import { createSubscriber } from '../harness/subscribers.ts';
import { startTestApp } from '../harness/test-app.ts';

export const runsOn = ['server'];

const app = await startTestApp();
const UNMET =
  'references an audience that cannot have members: filters.additional_fields_data.size.value must be a number';

/** Defines the field `size`, or removes its definition. */
function define({ api }: MailTenant, type: string | null) {
  return api.put('/api/email_settings', {
    sender_identities: [],
    whitelist_recipient_rules: [],
    subscription_types: [],
    subscriber_additional_fields: type === null ? {} : { size: { label: 'Size', type, order: 1 } },
  });
}

test('an email to an audience whose field was redefined reports no recipients and is sent to nobody', async () => {
  const tenant = await createMailTenant(app);
  await define(tenant, 'text');
  for (const size of ['large', 'small'])
    await createSubscriber(tenant, { first_name: size, additional_fields_data: { size } });
  const filters = { 'additional_fields_data.size': { operation: 'eq', value: 'large' } };
  const audienceId = await createAudience(tenant, filters);
  await becomes(tenant, audienceId, ['large']);
  const code = await createCampaign(tenant);
  const email = await createEmail(tenant, code, { audience_ids: [audienceId] });
  const due = { status: 'Scheduled', sent_date: new Date(Date.now() + 1000).toISOString() };
  await define(tenant, 'number');
  const scheduled = await createEmail(tenant, code, { ...due, audience_ids: [audienceId] });
  // At once, before the audience is recomputed with the new definition.
  const refused = await tenant.api.get(`${email.path}/process`, 409);
  const problem = refused.body.issues.find(({ id }: { id: string }) => id === 'audience_invalid');
  assert.deepEqual([problem.field, problem.message], ['audience_ids', UNMET]);
  assert.equal((await computed(tenant, audienceId)).computation.problems.length, 1);
  const { recipients, problems } = (await tenant.api.get(`${email.path}/preflight`)).body;
  const invalid = problems.find(({ id }: { id: string }) => id === 'audience_invalid');
  assert.deepEqual([recipients, invalid.field, invalid.message], [0, 'audience_ids', UNMET]);
  const cancelled = await waitForStatus(tenant, scheduled.path, 'Cancelled');
  assert.ok(cancelled.cancel_reason.includes(UNMET), cancelled.cancel_reason);
  // Without a definition the values stay as they are, so the audience has its members again.
  await define(tenant, null);
  await tenant.api.get(`${email.path}/process`);
  assert.equal((await waitForStatus(tenant, email.path, 'Sent')).metrics.delivered, 1);
});
