import assert from 'node:assert/strict';
import test from 'node:test';
import { createCampaign, createEmail, createListOf, waitForStatus } from '../harness/campaigns.ts';
import { createMailTenant, type MessageHistory, makeMessageDue } from '../harness/mail.ts';
import { eventually } from '../harness/poll.ts';
import { startRelay } from '../harness/relay.ts';
import { startTestApp } from '../harness/test-app.ts';

export const runsOn = ['server'];

const SUBSCRIBERS = 50;
const SHARE = SUBSCRIBERS / 10;

const relay = await startRelay();
const app = await startTestApp({ SMTP_URL: relay.url });

test('permanent and temporary refusals of one in ten recipients are reported, counted and retried as such', async () => {
  const tenant = await createMailTenant(app);
  const { listId, subscribers } = await createListOf(tenant, SUBSCRIBERS);
  const numberOf = (address: string) => Number(/^p(\d+)-/.exec(address)?.[1]);
  const isUnknown = (address: string) => numberOf(address) % 10 === 0;
  const isLate = (address: string) => numberOf(address) % 10 === 1;
  relay.onRecipient = (address) => {
    if (isUnknown(address)) return { code: 550, text: '5.1.1 No such user' };
    return isLate(address) ? { code: 451, text: '4.2.1 Come back later' } : null;
  };
  const code = await createCampaign(tenant);
  const email = await createEmail(tenant, code, { list_ids: [listId] });
  await tenant.api.get(`${email.path}/process`);
  const storyOf = async (address: string): Promise<MessageHistory> =>
    (await tenant.api.get(`${email.path}/recipients/${address}`)).body.messages[0];
  const storiesOf = (isAmong: (address: string) => boolean) =>
    Promise.all(subscribers.filter((each) => isAmong(each.email)).map((each) => storyOf(each.email)));
  await eventually('the first tries', async () => {
    const { delivered, bounced } = (await tenant.api.get(email.path)).body.metrics;
    return delivered === SUBSCRIBERS - 2 * SHARE && bounced === SHARE;
  });
  const late = await eventually('a second try to be planned', async () => {
    const stories = await storiesOf(isLate);
    return (
      stories.every(({ next_attempt_at, error }) => next_attempt_at !== null && error !== null) && stories
    );
  });
  assert.match(String(late[0]?.error), /4\.2\.1 Come back later/);
  assert.equal((await tenant.api.get(email.path)).body.status, 'Sending', 'some are still to be sent');
  relay.onRecipient = () => null;
  for (const { message_id: id } of late) await makeMessageDue(app.app.platform, id);
  const { metrics } = await waitForStatus(tenant, email.path, 'Sent');
  assert.deepEqual([metrics.delivered, metrics.bounced], [SUBSCRIBERS - SHARE, SHARE]);
  assert.ok((await storiesOf(isLate)).every(({ status, attempts }) => status === 'sent' && attempts === 2));
  const refused = await storiesOf(isUnknown);
  assert.ok(refused.every(({ status, attempts }) => status === 'bounced' && attempts === 1));
  const suppressed = (await tenant.api.get('/api/email_settings/suppressions/list?pageSize=100')).body
    .results;
  assert.deepEqual(
    suppressed.map(({ recipient }: { recipient: string }) => recipient).sort(),
    subscribers
      .map((each) => each.email)
      .filter(isUnknown)
      .sort(),
  );
  const figures = (await tenant.api.get(`/api/campaigns/${code}`)).body.metrics;
  assert.deepEqual(
    [figures.total_emails_sent, figures.total_subscribers_reached],
    [SUBSCRIBERS, SUBSCRIBERS - SHARE],
  );
  const rates = await tenant.api.post(`${email.path}/metrics`, {
    query: { name: 'getMarketingEmailBounceRate' },
  });
  assert.equal(rates.body.result.bounce_rate, 0.1);
  assert.equal(relay.messages.length, SUBSCRIBERS - SHARE, 'nobody got it twice');
});
