/**
 * Links of messages, used by a viewer who is not the recipient: a member who can only read mail cannot act for others.
 */
import assert from 'node:assert/strict';
import test from 'node:test';
import { createCampaign, createEmail, createListOf, waitForStatus } from '../harness/campaigns.ts';
import type { Client } from '../harness/client.ts';
import { createJourney, createTemplate } from '../harness/journeys.ts';
import { createMailTenant, type MailTenant, mailsTo } from '../harness/mail.ts';
import { createMember, createUnit } from '../harness/members.ts';
import { eventually } from '../harness/poll.ts';
import { defineTypes, subscriptionType } from '../harness/preferences.ts';
import { startRelay } from '../harness/relay.ts';
import { createSubscriber, getSubscriber } from '../harness/subscribers.ts';
import { startTestApp } from '../harness/test-app.ts';

const relay = await startRelay();
const app = await startTestApp({ SMTP_URL: relay.url });
const HTML = `<p>Hi {{subscriber.first_name}} <a href="{{preferences_url}}">P</a> <a href="{{unsubscribe_url}}">U</a>
  <a href="{{view_in_browser_url}}">V</a> <a href="https://shop.example/own?link={{preferences_url}}">O</a></p>`;
const FORM = { 'content-type': 'application/x-www-form-urlencoded' };

async function createShop(): Promise<MailTenant> {
  const tenant = await createMailTenant(app);
  await defineTypes(tenant, [subscriptionType('news')]);
  return tenant;
}

/** Returns the links of a mail by purpose. */
function linksOf(html: string) {
  const find = (part: string) => new RegExp(`href="([^"]+/${part}/[^"]+)"`).exec(html)?.[1] ?? '';
  const links = { preferences: find('preferences'), leave: find('u'), view: find('view') };
  assert.ok(links.preferences && links.leave && links.view, html);
  return links;
}

/** Performs every action that the links of a mail allow, also those on the page to view it. */
async function abuse(html: string, isPage = false): Promise<void> {
  const { preferences, leave, view } = linksOf(html);
  await fetch(preferences, { method: 'POST', headers: FORM, body: 'nothing=yes' });
  await fetch(leave, { method: 'POST' });
  // A page to view a message has a link to itself.
  const page = isPage ? null : await fetch(view);
  if (page?.status === 200) await abuse(await page.text(), true);
}

/** Sends an email to the only member of a list; returns its path, the recipient, and the received links. */
async function sendTo(tenant: MailTenant) {
  const { listId, subscribers } = await createListOf(tenant, 1);
  const code = await createCampaign(tenant);
  const more = { list_ids: [listId], subscription_type_id: 'news', content: { html: HTML } };
  const { path } = await createEmail(tenant, code, more);
  await tenant.api.get(`${path}/process`);
  await waitForStatus(tenant, path, 'Sent');
  const [recipient] = subscribers;
  assert.ok(recipient);
  return { path, code, recipient, html: await htmlTo(recipient.email) };
}

async function htmlTo(address: string): Promise<string> {
  const mails = await eventually(`mail to ${address}`, async () => {
    const received = await mailsTo(relay, address);
    return received.length > 0 && received;
  });
  return String(mails[0]?.html);
}

/** An unchanged subscriber: no preferences, and no suppression. */
async function assertUntouched(
  tenant: MailTenant,
  { id, email }: { id: string; email: string },
  version = 1,
) {
  const { subscription_preferences, active, ...rest } = await getSubscriber(tenant, id);
  assert.deepEqual([subscription_preferences, active, rest.version], [[], true, version]);
  await tenant.api.get(`/api/email_settings/suppressions/list/${email}`, 404);
}

const tokenOf = (url: string) => url.slice(url.lastIndexOf('/') + 1);
const previewOf = (api: Client, view: string, status = 200) =>
  api.get(`/api/subscribers/email/${tokenOf(view)}/preview`, status);

const [tenant, neighbour] = [await createShop(), await createShop()];

test('a viewer who simulates a journey with a subscriber gets no link that acts for the subscriber', async () => {
  const { id, body } = await createSubscriber(tenant);
  // The same address in a unit that the viewer cannot read: a choice by a link would apply there, too.
  const unit = await createUnit(tenant, 'Elsewhere');
  const twin = await createSubscriber(tenant, { email: body.email, business_unit: unit });
  const template_id = await createTemplate(tenant, { version: { html_content: HTML } });
  const steps = [{ key: 'hello', type: 'send_email', template_id, subscription_type_id: 'news' }];
  const journey = await createJourney(tenant, steps, { active: false });
  const { api } = await createMember(tenant, [{ bu_id: tenant.defaultUnitId, role: 'viewer' }]);
  const simulated = (await api.post(`/api/journeys/${journey}/simulate`, { subscriber_id: id })).body;
  const { html } = simulated.steps[0].email;
  assert.match(html, new RegExp(`Hi ${body.first_name}`));
  await abuse(html);
  for (const each of [id, twin.id]) await assertUntouched(tenant, { id: each, email: body.email });
  const choice = { subscription_updates: [], replace_all: true };
  const path = `/api/subscribers/preferences/${tokenOf(linksOf(html).preferences)}`;
  await api.put(path, choice, 404);
  await api.get(path, 404);
});

test('previews and tests contain no working links; the recipient’s own page and links work', async () => {
  const { path, recipient, html } = await sendTo(tenant);
  const { view, leave } = linksOf(html);
  const shown = (await previewOf(tenant.api, view)).body.html_content;
  assert.match(shown, /Hi P0/);
  await abuse(shown);
  await tenant.api.post(`${path}/test`, { to: ['tester@example.com'] });
  const tested = await htmlTo('tester@example.com');
  assert.match(tested, /Hi P0/);
  await abuse(tested);
  await assertUntouched(tenant, recipient);
  assert.deepEqual(linksOf(await (await fetch(view)).text()), linksOf(html));
  await fetch(leave, { method: 'POST' });
  const { subscription_preferences: left } = await getSubscriber(tenant, recipient.id);
  assert.deepEqual([left[0].subscription_type_id, left[0].subscribed], ['news', false]);
});

test('another tenant and a caller without a key cannot use the tokens of a message', async () => {
  const { recipient, html } = await sendTo(tenant);
  const { view, preferences } = linksOf(html);
  const path = `/api/subscribers/preferences/${tokenOf(preferences)}`;
  const choice = { subscription_updates: [], replace_all: true };
  for (const [client, status] of [
    [neighbour.api, 404],
    [app.anonymous, 401],
  ] as const) {
    await previewOf(client, view, status);
    await client.get(path, status);
    await client.put(path, choice, status);
  }
  await assertUntouched(tenant, recipient);
  assert.equal((await tenant.api.get(path)).body.subscriber.email, recipient.email);
});

test('a reported click contains no token of its link', async () => {
  const { path, code, recipient, html } = await sendTo(tenant);
  const click = /href="([^"]+\/t\/c\/[^"]+)"/.exec(html)?.[1] ?? '';
  const answer = await fetch(click, { redirect: 'manual' });
  assert.match(answer.headers.get('location') ?? '', /own\?link=[^&]+preferences%2F[\w-]{60}/);
  const links = await eventually('the click', async () => {
    const { body } = await tenant.api.get(`${path}/clicked-links-data`);
    return body.total_clicks === 1 ? body.links : null;
  });
  assert.match(links[0].url, /own\?link=[^&]+preferences%2Fhidden$/);
  const page = { page: 1, limit: 10, filters: { campaignCode: code } };
  const { results } = (await tenant.api.post(`/api/subscribers/${recipient.id}/engagements`, page)).body;
  assert.equal(results[0].clicked_links[0].url, links[0].url);
  const history = await tenant.api.get(`${path}/recipients/${recipient.email}`);
  assert.ok(!history.text.includes(tokenOf(linksOf(html).preferences)));
});

test('a link of a former address acts for that address, no longer for the subscriber', async () => {
  const { recipient, html } = await sendTo(tenant);
  const neighbourMail = await sendTo(neighbour);
  const { view } = linksOf(html);
  const email = `new-${recipient.email}`;
  const { subscription_preferences: _chosen, ...subscriber } = await getSubscriber(tenant, recipient.id);
  await tenant.api.put(`/api/subscribers/${recipient.id}`, { ...subscriber, email });
  assert.equal((await fetch(view)).status, 404);
  await previewOf(tenant.api, view, 404);
  await abuse(html);
  await assertUntouched(tenant, { id: recipient.id, email }, 2);
  const { type } = (await tenant.api.get(`/api/email_settings/suppressions/list/${recipient.email}`)).body;
  assert.equal(type, 'unsubscribe');
  await assertUntouched(neighbour, neighbourMail.recipient);
  assert.equal((await fetch(linksOf(neighbourMail.html).view)).status, 200);
});
