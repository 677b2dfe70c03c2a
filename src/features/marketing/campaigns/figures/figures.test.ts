import assert from 'node:assert/strict';
import test from 'node:test';
import { sql } from 'kysely';
import { createCampaign, createEmail, createListOf } from '../../../../../test/harness/campaigns.ts';
import { createMailTenant, type MailTenant, waitUntilEnded } from '../../../../../test/harness/mail.ts';
import { startRelay } from '../../../../../test/harness/relay.ts';
import { startOwnApp } from '../../../../../test/harness/test-app.ts';
import { wholeTenant } from '../../../../tenancy/scope.ts';
import { type MessageEvent, recordMessageEvents } from '../../../mail/email-tracking/index.ts';

export const runsOn = ['embedded', 'server'];

const relay = await startRelay();
const app = await startOwnApp({ SMTP_URL: relay.url });
const { platform } = app.app;

interface SentEmail {
  readonly id: string;
  readonly path: string;
  /** Ids of its messages. */
  readonly messages: readonly string[];
}

async function sendTo(tenant: MailTenant, code: string, listIds: readonly string[]): Promise<SentEmail> {
  const email = await createEmail(tenant, code, { list_ids: listIds });
  const { job_id: jobId } = (await tenant.api.get(`${email.path}/process`)).body;
  await waitUntilEnded(tenant, jobId);
  const { body } = await tenant.api.get(`/api/transmissions/${jobId}/recipients?limit=100`);
  return { ...email, messages: body.results.map((each: { message_id: string }) => each.message_id) };
}

/** Creates a campaign of two emails: one to four subscribers, one to these and three others. */
async function sendCampaign() {
  const tenant = await createMailTenant(app);
  const [few, more] = [await createListOf(tenant, 4), await createListOf(tenant, 3)];
  const code = await createCampaign(tenant);
  const first = await sendTo(tenant, code, [few.listId]);
  const second = await sendTo(tenant, code, [few.listId, more.listId]);
  return { tenant, code, first, second, few, more };
}

type Sent = Awaited<ReturnType<typeof sendCampaign>>;

/** Returns all figures of the campaign and its emails. */
async function readFigures({ tenant: { api }, code, first, second }: Sent) {
  const { metrics } = (await api.get(`/api/campaigns/${code}`)).body;
  const emails = [];
  for (const { path } of [first, second]) {
    const query = async (name: string) =>
      (await api.post(`${path}/metrics`, { query: { name } })).body.result;
    const { metrics: shown } = (await api.get(path)).body;
    const { delivered, opened, clicked, unsubscribed, bounced } = shown;
    const { total_opens: opens } = await query('getMarketingEmailOpenRate');
    const { total_clicks: clicks } = await query('getMarketingEmailClickRate');
    const { links } = (await api.get(`${path}/clicked-links-data`)).body;
    for (const link of links) delete link.click_rate;
    emails.push({ delivered, opened, clicked, unsubscribed, bounced, opens, clicks, links });
  }
  return { reached: metrics.total_subscribers_reached, sent: metrics.total_emails_sent, emails };
}

/** Returns the same figures, counted from the messages and their events. */
async function recount({ tenant, first, second }: Sent) {
  const db = platform.scoped(wholeTenant(tenant.tenantId));
  const reached = await db.raw(
    (tenantId) => sql<{ count: number; sent: number }>`
    select count(distinct subscriber_id) filter (where status = 'sent')::int as count,
      count(*) filter (where status in ('sent', 'bounced'))::int as sent
    from email_messages where tenant_id = ${tenantId}::uuid and subscriber_id is not null`,
  );
  const emails = [];
  for (const { messages } of [first, second]) {
    const { rows: counts } = await db.raw(
      (tenantId) => sql<object>`
      select count(*) filter (where status = 'sent')::int as delivered, count(opened_at)::int as opened,
        count(clicked_at)::int as clicked, count(unsubscribed_at)::int as unsubscribed,
        count(*) filter (where status = 'bounced')::int as bounced
      from email_messages where tenant_id = ${tenantId}::uuid and id = any(${messages}::uuid[])`,
    );
    const { rows: visits } = await db.raw(
      (tenantId) => sql<object>`
      select count(*) filter (where type = 'open')::int as opens, count(*) filter (where type = 'click')::int as clicks
      from email_message_events where tenant_id = ${tenantId}::uuid and message_id = any(${messages}::uuid[])
        and machine_reason is null`,
    );
    const { rows: links } = await db.raw(
      (tenantId) => sql<{ first_click: string; last_click: string }>`
      select url, count(*)::int as clicks, count(distinct message_id)::int as unique_clicks,
        min(occurred_at) as first_click, max(occurred_at) as last_click
      from email_message_events where tenant_id = ${tenantId}::uuid and message_id = any(${messages}::uuid[])
        and machine_reason is null and type = 'click' group by url order by clicks desc, url`,
    );
    const clicks = links.map((link) => ({
      ...link,
      first_click: new Date(link.first_click).toISOString(),
      last_click: new Date(link.last_click).toISOString(),
    }));
    emails.push({ ...counts[0], ...visits[0], links: clicks });
  }
  return { reached: reached.rows[0]?.count, sent: reached.rows[0]?.sent, emails };
}

const START = Date.UTC(2030, 0, 1);

/** Opens, clicks (also in bursts of bots), bounces and unsubscribes of all messages, in mixed batches. */
function batchesOf({ tenant: { tenantId }, first, second }: Sent): MessageEvent[][] {
  const messages = [...first.messages, ...second.messages];
  const batches: MessageEvent[][] = Array.from({ length: 8 }, () => []);
  const add = (
    batch: number,
    message: number,
    event: Omit<MessageEvent, 'tenantId' | 'messageId' | 'occurredAt'>,
  ) =>
    batches[batch % batches.length]?.push({
      ...event,
      tenantId,
      messageId: messages[message % messages.length] ?? '',
      occurredAt: new Date(START + (batch % 8) * 3_600_000 + message * 10),
    });
  for (let n = 0; n < 80; n += 1) {
    const [batch, message] = [n * 5 + 1, n * 3];
    add(batch, message, { type: 'open', ...(n % 7 === 0 ? { machineReason: 'apple_mail_privacy' } : {}) });
    add(batch, message, { type: 'click', url: `https://shop.example/${n % 3}` });
    add(batch + 1, message + 1, { type: 'click', url: `https://shop.example/${n % 2}` });
    if (n % 9 === 0) add(batch, message, { type: 'unsubscribe' });
    if (n % 11 === 0) add(batch, message, { type: 'bounce', bounceClass: 'soft' });
    if (n % 23 === 0) add(batch, message, { type: 'bounce', bounceClass: 'hard' });
    if (n % 13 === 0) add(batch, message, { type: 'complaint' });
  }
  return batches;
}

test('figures match the messages, also with concurrent events', async () => {
  const sent = await sendCampaign();
  assert.deepEqual(await readFigures(sent), await recount(sent));
  await Promise.all(batchesOf(sent).map((events) => recordMessageEvents(platform, events)));
  const figures = await readFigures(sent);
  assert.deepEqual(figures, await recount(sent));
  for (const { opens, clicks, bounced, unsubscribed } of figures.emails)
    assert.ok(opens > 0 && clicks > 0 && bounced > 0 && unsubscribed > 0);
});

test("clicks that are later classified as a bot's no longer count", async () => {
  const sent = await sendCampaign();
  const [first = '', other = ''] = sent.first.messages;
  const click = (n: number, occurredAt: Date, messageId = first): MessageEvent => ({
    ...{ tenantId: sent.tenant.tenantId, messageId, type: 'click', occurredAt },
    url: `https://shop.example/${n}`,
  });
  const at = (ms: number) => new Date(START + ms);
  await recordMessageEvents(platform, [click(1, at(-3_600_000)), click(2, at(-3_600_000), other)]);
  await recordMessageEvents(platform, [click(1, at(10)), click(2, at(20))]);
  assert.equal((await readFigures(sent)).emails[0]?.clicks, 4);
  await recordMessageEvents(platform, [click(3, at(30)), click(4, at(40)), click(5, at(50))]);
  const figures = await readFigures(sent);
  assert.deepEqual(figures, await recount(sent));
  const moment = at(-3_600_000).toISOString();
  const once = { clicks: 1, unique_clicks: 1, first_click: moment, last_click: moment };
  assert.deepEqual(figures.emails[0]?.links, [
    { url: 'https://shop.example/1', ...once },
    { url: 'https://shop.example/2', ...once },
  ]);
});

test('a subscriber counts once for a campaign while any of their messages is delivered', async () => {
  const sent = await sendCampaign();
  const { tenantId } = sent.tenant;
  const bounce = (messageId = ''): MessageEvent => ({
    ...{ tenantId, messageId, type: 'bounce', bounceClass: 'hard', occurredAt: new Date() },
  });
  assert.equal((await readFigures(sent)).reached, 7);
  await recordMessageEvents(platform, [bounce(sent.first.messages[0])]);
  assert.equal((await readFigures(sent)).reached, 7);
  await recordMessageEvents(platform, sent.second.messages.map(bounce));
  assert.equal((await readFigures(sent)).reached, 3);
  assert.deepEqual(await readFigures(sent), await recount(sent));
});

test('messages to an erased subscriber are counted, without visits', async () => {
  const sent = await sendCampaign();
  await Promise.all(batchesOf(sent).map((events) => recordMessageEvents(platform, events)));
  await sent.tenant.api.delete(`/api/subscribers/${sent.few.subscribers[0]?.id}`);
  assert.deepEqual(await readFigures(sent), await recount(sent));
});

test('engagement is listed newest first, page by page, filtered by clicks', async () => {
  const sent = await sendCampaign();
  const { tenantId, api } = sent.tenant;
  const clicked = [sent.first.messages[1], sent.second.messages[0], sent.second.messages[5]];
  await recordMessageEvents(
    platform,
    clicked.map((messageId = '') => ({
      ...{ tenantId, messageId, type: 'click', occurredAt: new Date(), url: 'https://shop.example/' },
    })),
  );
  const read = async (filters: object) => {
    const results: { subscriber_id: string; marketing_email_id: string; email_clicked_at: string | null }[] =
      [];
    for (let page = 1; ; page += 1) {
      const query = { page, limit: 2, filters };
      const { body } = await api.post(`/api/campaigns/${sent.code}/engagements`, query);
      results.push(...body.results);
      if (page >= body.totalPages) return { total: body.total, results };
    }
  };
  const all = await read({});
  assert.equal(all.total, 11);
  assert.equal(new Set(all.results.map((each) => each.marketing_email_id + each.subscriber_id)).size, 11);
  assert.deepEqual(
    all.results.map(({ marketing_email_id }) => marketing_email_id),
    [...Array(7).fill(sent.second.id), ...Array(4).fill(sent.first.id)],
  );
  for (const hasClickedLinks of [true, false]) {
    const { total, results } = await read({ hasClickedLinks });
    const wanted = all.results.filter((each) => (each.email_clicked_at !== null) === hasClickedLinks);
    assert.deepEqual([total, results], [wanted.length, wanted]);
  }
  const own = await read({ marketingEmailId: sent.first.id, hasClickedLinks: true });
  assert.equal(own.total, 1);
});

test('engagement is listed by cursor in both orders, over all emails and for one subscriber', async () => {
  const sent = await sendCampaign();
  const person = sent.few.subscribers[0]?.id;
  const lists = [
    { path: `/api/campaigns/${sent.code}/engagements`, filters: {}, total: 11 },
    { path: `/api/campaigns/${sent.code}/engagements`, filters: { subscriberId: person }, total: 2 },
    { path: `/api/subscribers/${person}/engagements`, filters: {}, total: 2 },
  ];
  for (const { path, filters, total } of lists) {
    const read = async (sort: string, limit: number) => {
      const results: object[] = [];
      let place: object = {};
      for (;;) {
        const { body } = await sent.tenant.api.post(path, { page: 1, limit, filters, sort, ...place });
        assert.equal(body.total, total);
        results.push(...body.results);
        if (body.next === null) return results;
        place = { after: body.next };
      }
    };
    const whole = (await sent.tenant.api.post(path, { page: 1, limit: 100, filters })).body.results;
    assert.equal(whole.length, total);
    assert.deepEqual(await read('-created_at', 1), whole);
    assert.deepEqual(await read('created_at', 3), whole.toReversed());
  }
});

test('an erased subscriber is no longer listed, neither with clicks nor without', async () => {
  const sent = await sendCampaign();
  const { tenantId, api } = sent.tenant;
  const click = (messageId = ''): MessageEvent => ({
    ...{ tenantId, messageId, type: 'click', occurredAt: new Date(), url: 'https://shop.example/' },
  });
  await recordMessageEvents(platform, sent.first.messages.map(click));
  const figures = (await readFigures(sent)).emails;
  const erased = sent.few.subscribers[0]?.id;
  const read = async (filters: object) => {
    const query = { page: 1, limit: 20, filters };
    const { total, results } = (await api.post(`/api/campaigns/${sent.code}/engagements`, query)).body;
    assert.equal(results.length, total);
    return results.map(({ subscriber_id }: { subscriber_id: string }) => subscriber_id);
  };
  const before = await Promise.all([
    read({}),
    read({ hasClickedLinks: true }),
    read({ hasClickedLinks: false }),
  ]);
  await api.delete(`/api/subscribers/${erased}`);
  const others = before.map((subscribers) => subscribers.filter((id: string) => id !== erased));
  assert.deepEqual(
    others.map(({ length }) => length),
    [9, 3, 6],
  );
  const after = await Promise.all([
    read({}),
    read({ hasClickedLinks: true }),
    read({ hasClickedLinks: false }),
  ]);
  assert.deepEqual(after, others);
  assert.deepEqual(await read({ subscriberId: erased }), []);
  const delivered = (emails: typeof figures) => emails.map((email) => email.delivered);
  assert.deepEqual(delivered((await readFigures(sent)).emails), delivered(figures));
});

/** Two subscribers visit and buy, one of them after both emails. */
async function tellBehaviour({ tenant: { api }, first, second, few: { subscribers } }: Sent): Promise<void> {
  const did = (person: number, email: SentEmail, type: string, day: number, more: object = {}) => ({
    ...{ type, subscriber_id: subscribers[person]?.id, marketing_email_id: email.id, ...more },
    occurred_at: `2026-01-0${day}T00:00:00.000Z`,
  });
  const visits = [
    did(0, first, 'page_view', 3),
    did(0, first, 'page_view', 2),
    did(1, first, 'page_view', 4),
  ];
  await api.post('/api/marketing_events', {
    events: [...visits, did(0, first, 'purchase', 5, { amount: 1.5 })],
  });
  const later = [did(0, first, 'page_view', 1), did(0, first, 'engagement_time', 6, { seconds: 9 })];
  const bought = [did(0, second, 'purchase', 7, { amount: 2 }), did(1, second, 'purchase', 8, { amount: 3 })];
  await api.post('/api/marketing_events', { events: [...later, ...bought] });
}

async function readBehaviour({ tenant: { api }, code, first, few: { subscribers } }: Sent) {
  const { metrics } = (await api.get(`/api/campaigns/${code}`)).body;
  const query = { page: 1, limit: 10, filters: { marketingEmailId: first.id } };
  const { results } = (await api.post(`/api/subscribers/${subscribers[0]?.id}/engagements`, query)).body;
  return { metrics, record: results[0] };
}

test('events of subscribers after emails are summed, and erased with the subscribers', async () => {
  const sent = await sendCampaign();
  await tellBehaviour(sent);
  const { metrics, record } = await readBehaviour(sent);
  assert.deepEqual([metrics.total_conversions, metrics.revenue_generated], [2, 6.5]);
  const at = (day: number) => `2026-01-0${day}T00:00:00.000Z`;
  assert.deepEqual(
    [record.page_view_count, record.first_page_view_at, record.last_page_view_at],
    [3, at(1), at(3)],
  );
  assert.deepEqual([record.purchase_count, record.total_purchase_amount], [1, 1.5]);
  assert.deepEqual([record.first_purchase_at, record.total_engagement_time_seconds], [at(5), 9]);
  await sent.tenant.api.delete(`/api/subscribers/${sent.few.subscribers[0]?.id}`);
  const left = (await sent.tenant.api.get(`/api/campaigns/${sent.code}`)).body.metrics;
  assert.deepEqual([left.total_conversions, left.revenue_generated], [1, 3]);
});
