import assert from 'node:assert/strict';
import test from 'node:test';
import { sql } from 'kysely';
import { pino } from 'pino';
import { closeConnections } from '../../../../test/harness/client.ts';
import {
  createSentMessage,
  readMessageRow,
  type SentMessage,
} from '../../../../test/harness/email-messages.ts';
import { eventually } from '../../../../test/harness/poll.ts';
import { createBrandedTenant } from '../../../../test/harness/preferences.ts';
import { startOwnApp, startTestApp } from '../../../../test/harness/test-app.ts';
import { startApp } from '../../../app.ts';
import { loadConfig } from '../../../config.ts';
import { wholeTenant } from '../../../tenancy/scope.ts';
import { unsubscribeLinks } from './links.ts';
import { listMessageEvents, recordMessageEvents } from './message-events.ts';
import { trackHtml } from './track-html.ts';
import { linkSigners } from './tracking-tokens.ts';

const app = await startTestApp();
const { platform } = app.app;
const tenant = await app.createTenant();
const { anonymous } = app;

/** Sends a message; returns it with the paths of the links in its HTML. */
async function send(href = 'https://shop.test/?utm_source=news&amp;utm_medium=e-mail#top') {
  const message = await createSentMessage(app, tenant, { address: `ada.${crypto.randomUUID()}@example.com` });
  const trackingOptions = { ...message, openTracking: true, initialOpen: false, clickTracking: true };
  const html = trackHtml(`<a href="${href}">x</a>`, trackingOptions, linkSigners(platform));
  const path = (pattern: RegExp) => new URL(pattern.exec(html)?.[1] ?? '').pathname;
  const unsubscribe = new URL(unsubscribeLinks(platform, message.tenantId, message.messageId).url).pathname;
  return { message, open: path(/src="([^"]+)"/), click: path(/href="([^"]+)"/), unsubscribe };
}

const eventsOf = ({ tenantId, messageId }: SentMessage) =>
  listMessageEvents(platform.scoped(wholeTenant(tenantId)), [messageId]);

/** Waits until the message has `count` events and returns them. */
const waitForEvents = (message: SentMessage, count: number) =>
  eventually(`${count} events`, async () => {
    const events = await eventsOf(message);
    return events.length >= count && events;
  });

const BROWSER = { 'user-agent': 'Mozilla/5.0 (X11; Linux x86_64) Firefox/130.0' };

/** Returns the path with one character of its token changed. */
function alter(path: string, at: number) {
  const place = path.length + at;
  return path.slice(0, place) + (path[place] === 'A' ? 'B' : 'A') + path.slice(place + 1);
}

test('the pixel is an image that is never cached, and the open is recorded with its client', async () => {
  const { message, open } = await send();
  const answer = await anonymous.get(open, 200, { headers: BROWSER });
  assert.equal(answer.headers.get('content-type'), 'image/gif');
  assert.match(answer.headers.get('cache-control') ?? '', /no-store/);
  assert.match(answer.text, /^GIF89a/);
  const [event] = await waitForEvents(message, 1);
  assert.deepEqual(
    [event?.type, event?.ip_address, event?.user_agent, event?.machine_reason],
    ['open', '127.0.0.1', BROWSER['user-agent'], null],
  );
  assert.notEqual((await readMessageRow(platform, message)).opened_at, null);
});

test('a link redirects to its exact URL, and the click is recorded', async () => {
  const { message, click } = await send();
  const answer = await anonymous.get(click, 302, { headers: BROWSER });
  assert.equal(answer.headers.get('location'), 'https://shop.test/?utm_source=news&utm_medium=e-mail#top');
  assert.match(answer.headers.get('cache-control') ?? '', /no-store/);
  const [event] = await waitForEvents(message, 1);
  assert.deepEqual(
    [event?.type, event?.url],
    ['click', 'https://shop.test/?utm_source=news&utm_medium=e-mail#top'],
  );
});

test('a URL beyond ASCII is percent-encoded in the redirect', async () => {
  const { click } = await send('https://shop.test/über?q=ö');
  const answer = await anonymous.get(click, 302);
  assert.equal(answer.headers.get('location'), 'https://shop.test/%C3%BCber?q=%C3%B6');
});

test('an altered token answers 404, redirects nowhere and records nothing', async () => {
  const { message, open, click } = await send();
  for (const path of [open, click]) {
    for (const at of [-1, -10, -40, -60]) {
      const answer = await anonymous.get(alter(path, at), 404);
      assert.equal(answer.headers.get('location'), null);
      if (path === click) assert.match(answer.text, /<h1>This link is not valid<\/h1>/);
    }
    await anonymous.get(path.slice(0, -1), 404);
    await anonymous.get(`${path}A`, 404);
  }
  await anonymous.get(open.replace('/t/o/', '/t/c/'), 404);
  await anonymous.get(click.replace('/t/c/', '/t/o/'), 404);
  await anonymous.get(`/t/c/${Buffer.from('https://evil.test/').toString('base64url')}`, 404);
  await anonymous.get(open);
  assert.equal((await waitForEvents(message, 1)).length, 1);
});

test('a HEAD request is answered like GET and counts as a machine', async () => {
  const { message, click } = await send();
  const answer = await anonymous.send('HEAD', click, { headers: BROWSER });
  assert.deepEqual([answer.status, answer.text], [302, '']);
  assert.match(answer.headers.get('location') ?? '', /^https:\/\/shop\.test\//);
  assert.equal((await waitForEvents(message, 1))[0]?.machine_reason, 'head_request');
  assert.equal((await readMessageRow(platform, message)).clicked_at, null);
});

test('a request of a mail proxy is recorded with its reason and does not count as an open', async () => {
  const { message, open } = await send();
  await anonymous.get(open, 200, { headers: { 'user-agent': 'Mozilla/5.0' } });
  await anonymous.get(open, 200, { headers: { ...BROWSER, 'sec-purpose': 'prefetch' } });
  const reasons = (await waitForEvents(message, 2)).map(({ machine_reason }) => machine_reason);
  assert.deepEqual(reasons.sort(), ['apple_mail_privacy', 'prefetch']);
  assert.equal((await readMessageRow(platform, message)).opened_at, null);
});

test('the unsubscribe page shows its recipient and changes nothing, however often it is viewed', async () => {
  const { message, unsubscribe } = await send();
  const answer = await anonymous.get(unsubscribe);
  assert.match(answer.headers.get('content-type') ?? '', /^text\/html/);
  assert.match(answer.text, /<form method="post">/);
  assert.match(answer.text, /a•••@example\.com/);
  assert.equal(answer.text.includes(message.address), false);
  assert.match(answer.headers.get('content-security-policy') ?? '', /frame-ancestors 'none'/);
  await anonymous.send('HEAD', unsubscribe);
  await anonymous.get(unsubscribe, 200, { headers: { purpose: 'prefetch' } });
  assert.equal((await readMessageRow(platform, message)).unsubscribed_at, null);
  assert.deepEqual(await eventsOf(message), []);
});

const FORM = 'List-Unsubscribe=One-Click';
const BODIES: Readonly<Record<string, { rawBody?: string; headers?: Record<string, string> }>> = {
  'a form': { rawBody: FORM, headers: { 'content-type': 'application/x-www-form-urlencoded' } },
  'a multipart form': {
    rawBody: `--x\r\nContent-Disposition: form-data; name="List-Unsubscribe"\r\n\r\nOne-Click\r\n--x--\r\n`,
    headers: { 'content-type': 'multipart/form-data; boundary=x' },
  },
  'no body': {},
};

for (const [kind, options] of Object.entries(BODIES)) {
  test(`one click with ${kind} unsubscribes immediately, and only once`, async () => {
    const { message, unsubscribe } = await send();
    for (let n = 0; n < 2; n += 1) {
      const answer = await anonymous.send('POST', unsubscribe, options);
      assert.deepEqual([answer.status, /You are unsubscribed/.test(answer.text)], [200, true]);
    }
    assert.notEqual((await readMessageRow(platform, message)).unsubscribed_at, null);
    assert.equal((await eventsOf(message)).length, 1);
    const path = `/api/email_settings/suppressions/list/${encodeURIComponent(message.address)}`;
    assert.equal((await tenant.api.get(path)).body.type, 'unsubscribe');
  });
}

test('an altered unsubscribe link answers 404 and unsubscribes nobody', async () => {
  const { message, unsubscribe, open } = await send();
  for (const path of [alter(unsubscribe, -1), alter(unsubscribe, -50), open.replace('/t/o/', '/u/')]) {
    assert.match((await anonymous.get(path, 404)).text, /not valid/);
    assert.equal((await anonymous.post(path, undefined, 404)).body.code, 'TOKEN_INVALID');
  }
  assert.equal((await readMessageRow(platform, message)).unsubscribed_at, null);
});

const suppressionOf = (message: SentMessage, status: number) =>
  tenant.api.get(`/api/email_settings/suppressions/list/${encodeURIComponent(message.address)}`, status);

test('a recipient who returns to the link sees that it was used and can undo it', async () => {
  const { message, unsubscribe } = await send();
  const done = (await anonymous.send('POST', unsubscribe)).text;
  const again = (await anonymous.get(unsubscribe)).text;
  assert.match(again, /You are unsubscribed/);
  for (const page of [done, again]) {
    const [, action = ''] = /action="([^"]+)"/.exec(page) ?? [];
    assert.equal(new URL(action, app.url + unsubscribe).pathname, `${unsubscribe}/resubscribe`);
  }
  const back = await anonymous.post(`${unsubscribe}/resubscribe`, undefined);
  assert.match(back.text, /You are subscribed again/);
  await suppressionOf(message, 404);
  assert.match((await anonymous.get(unsubscribe)).text, /Unsubscribe\?/);
  await anonymous.send('POST', unsubscribe);
  assert.equal((await suppressionOf(message, 200)).body.type, 'unsubscribe');
});

test('undoing an unsubscribe does not lift a bounce, and viewing the page changes nothing', async () => {
  const { message, unsubscribe } = await send();
  await anonymous.send('POST', unsubscribe);
  await anonymous.get(`${unsubscribe}/resubscribe`, 405);
  await suppressionOf(message, 200);
  const bounce = { type: 'bounce', bounceClass: 'hard', occurredAt: new Date() } as const;
  await recordMessageEvents(platform, [{ ...message, ...bounce }]);
  const page = (await anonymous.get(unsubscribe)).text;
  assert.match(page, /You are unsubscribed/);
  assert.equal(page.includes('Subscribe again'), false);
  assert.match((await anonymous.post(`${unsubscribe}/resubscribe`, undefined)).text, /You are unsubscribed/);
  assert.equal((await suppressionOf(message, 200)).body.type, 'bounce');
  assert.equal(
    (await anonymous.post(`${alter(unsubscribe, -1)}/resubscribe`, undefined, 404)).body.code,
    'TOKEN_INVALID',
  );
});

test('the page names the sender of the mail, else the tenant', async () => {
  const { message, unsubscribe } = await send();
  const { name } = (await tenant.api.get('/api/tenant/info')).body;
  assert.ok((await anonymous.get(unsubscribe)).text.includes(`<strong>${name}</strong>`));
  for (const [from, shown] of [
    [{ name: 'Ada & Söhne', address: 'news@ada.test' }, '<strong>Ada &amp; Söhne</strong> (news@ada.test)'],
    [{ name: '{{shop}}', address: 'news@ada.test' }, `<strong>${name}</strong> (news@ada.test)`],
  ] as const) {
    await sql`update transmissions set content = ${JSON.stringify({ from })} where id = ${message.transmissionId}`.execute(
      platform.database.everyTenant('tests').query,
    );
    assert.ok((await anonymous.get(unsubscribe)).text.includes(shown));
  }
});

test('opens just before a process ends are recorded', async () => {
  const own = await startOwnApp();
  const [tenantOfOwn, env] = [await own.createTenant(), own.env];
  const message = await createSentMessage(own, tenantOfOwn);
  const trackingOptions = { ...message, openTracking: true, initialOpen: false, clickTracking: false };
  const html = trackHtml('', trackingOptions, linkSigners(own.app.platform));
  const path = new URL(/src="([^"]+)"/.exec(html)?.[1] ?? '').pathname;
  await Promise.all(Array.from({ length: 50 }, () => own.anonymous.get(path)));
  await closeConnections();
  await own.app.stop();
  const next = await startApp(loadConfig(env), { log: pino({ level: 'silent' }) });
  try {
    const db = next.platform.scoped(wholeTenant(message.tenantId));
    assert.equal((await listMessageEvents(db, [message.messageId])).length, 50);
  } finally {
    await next.stop();
  }
});

test("the pages use the recipient's language, else the tenant's, and the tenant's brand", async () => {
  const branded = await createBrandedTenant(app, 'Shop', {
    logo_url: 'https://shop.example/logo.png',
    primary_color: '#0f766e',
    locale: 'fr',
  });
  const message = await createSentMessage(app, branded, {
    address: `ada.${crypto.randomUUID()}@example.com`,
  });
  const path = new URL(unsubscribeLinks(platform, message.tenantId, message.messageId).url).pathname;
  const german = await anonymous.get(path, 200, { headers: { 'accept-language': 'de' } });
  assert.match(german.text, /Abmelden\?/);
  assert.match(german.text, /--fill: rgb\(15, 118, 110\)/);
  assert.match(german.text, /src="https:\/\/shop\.example\/logo\.png" alt="Shop"/);
  assert.match(german.headers.get('content-security-policy') ?? '', /img-src data: https:\/\/shop\.example/);
  assert.match((await anonymous.get(path, 200, { headers: { 'accept-language': 'fi' } })).text, /désabonner/);
  const bad = await anonymous.get('/u/none', 404, { headers: { 'accept-language': 'es' } });
  assert.match(bad.text, /Este enlace no es válido/);
});
