import test from 'node:test';
import { becomes, computed, createAudience } from '../../../../test/harness/audiences.ts';
import { createSentMessage } from '../../../../test/harness/email-messages.ts';
import { createUnit } from '../../../../test/harness/members.ts';
import { createSubscriber } from '../../../../test/harness/subscribers.ts';
import { startOwnApp, type TestTenant } from '../../../../test/harness/test-app.ts';
import { recordMessageEvents } from '../../mail/email-tracking/index.ts';

const MINUTE_MS = 60_000;
const DAY_MS = 24 * 60 * MINUTE_MS;

let turned = 0;
const clock = () => new Date(Date.now() + turned);
const app = await startOwnApp({}, { clock });

// A sweep that ran while the clock changed runs again in the next minute, which comes soon here.
const passing = setInterval(() => {
  turned += MINUTE_MS;
}, 2000);
test.after(() => clearInterval(passing));

/** Records an open or click of a message to an address. */
async function engage(
  tenant: Pick<TestTenant, 'tenantId' | 'defaultUnitId'>,
  address: string,
  type: 'open' | 'click',
): Promise<void> {
  const { tenantId, messageId } = await createSentMessage(app, tenant, { address });
  await recordMessageEvents(app.app.platform, [{ tenantId, messageId, type, occurredAt: clock() }]);
}

const engagement = (rule: object) => ({ engagement: rule });

test('a subscriber who opens or clicks joins an audience within a minute, and leaves it after the days of the filter', async () => {
  const tenant = await app.createTenant();
  const ada = await createSubscriber(tenant, { first_name: 'Ada' });
  const bob = await createSubscriber(tenant, { first_name: 'Bob' });
  await createSubscriber(tenant, { first_name: 'Clara' });
  await engage(tenant, bob.body.email.toUpperCase(), 'open');
  const opened = await createAudience(tenant, engagement({ opened_since_days: 10 }));
  const clicked = await createAudience(tenant, engagement({ clicked_since_days: 2 }));
  const silent = await createAudience(tenant, {
    ...engagement({ not_opened_since_days: 10 }),
    first_name: { operation: 'ne', value: 'Clara' },
  });
  for (const id of [opened, clicked, silent]) await computed(tenant, id);
  await becomes(tenant, opened, ['Bob']);
  await becomes(tenant, silent, ['Ada']);
  turned += DAY_MS;
  await engage(tenant, ada.body.email, 'open');
  await engage(tenant, ada.body.email, 'click');
  turned += MINUTE_MS;
  await becomes(tenant, opened, ['Ada', 'Bob']);
  await becomes(tenant, clicked, ['Ada']);
  await becomes(tenant, silent, []);
  turned += 2 * DAY_MS;
  await becomes(tenant, clicked, []);
  await becomes(tenant, opened, ['Ada', 'Bob']);
  turned += 7 * DAY_MS;
  await becomes(tenant, opened, ['Ada']);
  await becomes(tenant, silent, ['Bob']);
  turned += DAY_MS;
  await becomes(tenant, opened, []);
  await becomes(tenant, silent, ['Ada', 'Bob']);
});

test('messages of another unit or tenant do not count', async () => {
  const [tenant, other] = [await app.createTenant(), await app.createTenant()];
  const ada = await createSubscriber(tenant, { first_name: 'Ada' });
  await engage(other, ada.body.email, 'open');
  const defaultUnitId = await createUnit(tenant, 'North');
  await engage({ ...tenant, defaultUnitId }, ada.body.email, 'open');
  const id = await createAudience(tenant, engagement({ opened_since_days: 1 }));
  const ids = await createAudience(tenant, engagement({ not_opened_since_days: 1 }));
  await becomes(tenant, ids, ['Ada']);
  await computed(tenant, id);
  await becomes(tenant, id, []);
});
