import assert from 'node:assert/strict';
import { sign } from 'node:crypto';
import dns from 'node:dns';
import { createServer } from 'node:https';
import { syncBuiltinESMExports } from 'node:module';
import test, { after } from 'node:test';
import tls from 'node:tls';
import { CERTIFICATE, CERTIFICATE_KEY, CERTIFIED_HOST } from '../../../../test/harness/certificate.ts';
import {
  createSentMessage,
  readMessageRow,
  type SentMessage,
} from '../../../../test/harness/email-messages.ts';
import { startOwnApp } from '../../../../test/harness/test-app.ts';
import { bounceAddress } from '../../../mail/verp.ts';
import { isCertificateUrl, isSnsUrl } from './providers/sns-message.ts';

/** Requests to the simulated SNS host, and whether it answers. */
const sns = { asked: [] as string[], status: 200 };
const server = createServer({ key: CERTIFICATE_KEY, cert: CERTIFICATE }, (request, response) => {
  sns.asked.push(request.url ?? '');
  response.writeHead(sns.status).end(CERTIFICATE);
});
await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
const address = server.address();
const HOST = `https://${CERTIFIED_HOST}:${typeof address === 'object' ? address?.port : 0}`;

// In this process Amazon's host name resolves to the server above, whose certificate is trusted.
const { lookup } = dns;
const trusted = tls.getCACertificates();
tls.setDefaultCACertificates([...trusted, CERTIFICATE]);
Object.assign(dns, {
  lookup: (name: string, ...rest: unknown[]) =>
    Reflect.apply(lookup, dns, [name === CERTIFIED_HOST ? '127.0.0.1' : name, ...rest]),
});
syncBuiltinESMExports();
after(() => {
  server.close();
  server.closeAllConnections();
  tls.setDefaultCACertificates(trusted);
  Object.assign(dns, { lookup });
  syncBuiltinESMExports();
});

const app = await startOwnApp();
const { platform } = app.app;
const tenant = await app.createTenant();
const PEM = '/SimpleNotificationService-1.pem';
const TOPIC = 'arn:aws:sns:eu-west-1:123456789012:mail';

async function hook(key?: string): Promise<string> {
  const body = { provider: 'ses', ...(key ? { signing_key: key } : {}) };
  const { url } = (await tenant.api.post('/api/email_settings/provider_hooks', body)).body;
  return url.replace(/^http:\/\/localhost:\d+/, '');
}

/** Returns a message as SNS signs and posts it. */
function message(facts: Readonly<Record<string, string>>, names: readonly string[], version = '2'): object {
  const envelope: Readonly<Record<string, string>> = {
    ...{ MessageId: '22b80b92', TopicArn: TOPIC, Timestamp: new Date().toISOString(), Subject: 'Amazon SES' },
    ...facts,
  };
  const text = names.map((name) => `${name}\n${envelope[name]}\n`).join('');
  const signature = sign(version === '1' ? 'sha1' : 'sha256', Buffer.from(text), CERTIFICATE_KEY);
  const url = `${HOST}${PEM}`;
  return {
    SigningCertURL: url,
    ...envelope,
    SignatureVersion: version,
    Signature: signature.toString('base64'),
  };
}

const notification = (notice: object, version = '2') =>
  message(
    { Type: 'Notification', Message: JSON.stringify(notice) },
    ['Message', 'MessageId', 'Subject', 'Timestamp', 'TopicArn', 'Type'],
    version,
  );
const confirmation = (url: string) =>
  message({ Type: 'SubscriptionConfirmation', Message: 'Confirm', Token: '2336412f37', SubscribeURL: url }, [
    ...['Message', 'MessageId', 'SubscribeURL', 'Timestamp', 'Token', 'TopicArn', 'Type'],
  ]);

async function post(path: string, body: object, status = 200) {
  const headers = { 'content-type': 'text/plain; charset=UTF-8' };
  return (await app.anonymous.post(path, undefined, status, { rawBody: JSON.stringify(body), headers })).body;
}

const create = () => createSentMessage(app, tenant);

const bounceOf = ({ address: emailAddress }: SentMessage, mail: object, bounceType = 'Permanent') => ({
  ...{ notificationType: 'Bounce', mail },
  bounce: {
    ...{ bounceType, bounceSubType: 'General', timestamp: new Date().toISOString() },
    bouncedRecipients: [{ emailAddress, diagnosticCode: 'smtp; 550 5.1.1 user unknown' }],
  },
});

async function resultOf(sent: SentMessage): Promise<unknown[]> {
  const { status, bounce_class } = await readMessageRow(platform, sent);
  const answer = await tenant.api.send('GET', `/api/email_settings/suppressions/list/${sent.address}`);
  return [status, bounce_class, answer.status === 200 ? answer.body.type : null];
}

test('a bounce finds its message by our header, by its envelope sender, or by its recipient', async () => {
  const path = await hook();
  const byHeader = (sent: SentMessage) => ({
    headers: [{ name: 'X-Tessera-Message', value: sent.messageId }],
  });
  const bySender = (sent: SentMessage) => ({
    source: bounceAddress(platform, { ...sent, domain: 'shop.test' }),
  });
  for (const mailOf of [byHeader, bySender, () => ({})]) {
    const sent = await create();
    const body = notification(bounceOf(sent, mailOf(sent)));
    assert.deepEqual(await post(path, body), { recorded: 1 });
    assert.deepEqual(await resultOf(sent), ['bounced', 'hard', 'bounce']);
    assert.deepEqual(await post(path, body), { recorded: 0 });
  }
});

test("the server's reply classifies a permanent bounce, without a reply SES does", async () => {
  const path = await hook();
  const cases = [
    ['smtp; 550 5.7.1 IP address blacklisted by recipient', 'soft'],
    ['smtp; 552 5.2.2 Over quota', 'soft'],
    ['smtp; 550 Administrative prohibition', 'soft'],
    ["smtp; 554 delivery error: dd This user doesn't have a yahoo.com account", 'hard'],
    ['', 'hard'],
  ] as const;
  for (const [diagnosticCode, bounceClass] of cases) {
    const sent = await create();
    const notice = bounceOf(sent, {});
    const bouncedRecipients = [{ emailAddress: sent.address, status: '5.1.1', diagnosticCode }];
    await post(path, notification({ ...notice, bounce: { ...notice.bounce, bouncedRecipients } }));
    const suppression = bounceClass === 'hard' ? 'bounce' : null;
    assert.deepEqual(await resultOf(sent), ['bounced', bounceClass, suppression], diagnosticCode);
  }
});

test('a transient bounce is soft, a complaint suppresses, a delivery and foreign mail change nothing', async () => {
  const path = await hook(TOPIC);
  const [soft, complained, untouched] = [await create(), await create(), await create()];
  await post(path, notification(bounceOf(soft, {}, 'Transient'), '1'));
  assert.deepEqual(await resultOf(soft), ['bounced', 'soft', null]);
  const complaint = {
    timestamp: new Date().toISOString(),
    complainedRecipients: [{ emailAddress: complained.address }],
  };
  await post(path, notification({ eventType: 'Complaint', mail: {}, complaint }));
  assert.deepEqual(await resultOf(complained), ['sent', null, 'complaint']);
  await post(path, notification({ eventType: 'Delivery', mail: {}, delivery: {} }));
  await post(path, notification(bounceOf(untouched, { headers: [{ name: 'Subject', value: 'Hi' }] })));
  assert.deepEqual(await resultOf(untouched), ['sent', null, null]);
});

test('a notice without an SNS signature, or of another topic, is rejected and changes nothing', async () => {
  const [path, sent] = [await hook(TOPIC), await create()];
  const good = notification(bounceOf(sent, {}));
  await post(path, { ...good, MessageId: 'another' }, 401);
  await post(path, { ...good, SignatureVersion: '1' }, 401);
  await post(path, { ...good, Signature: '' }, 401);
  await post(await hook('arn:aws:sns:eu-west-1:123456789012:other'), good, 401);
  assert.deepEqual(await resultOf(sent), ['sent', null, null]);
});

test('a certificate is fetched only from SNS hosts over TLS, and cached', async () => {
  const [path, sent] = [await hook(), await create()];
  const good = notification(bounceOf(sent, {}));
  sns.asked.length = 0;
  const others = [
    'http://sns.eu-west-1.amazonaws.com/a.pem',
    'https://sns.eu-west-1.amazonaws.com.evil.test/a.pem',
    'https://sns-eu-west-1.s3.amazonaws.com/a.pem',
    'https://evil.test/sns.eu-west-1.amazonaws.com/a.pem',
    'https://evil.test#@sns.eu-west-1.amazonaws.com/a.pem',
    // Buckets named `sns`, which a customer can own.
    'https://sns.s3.amazonaws.com/SimpleNotificationService-1.pem',
    'https://sns.s3-us-west-2.amazonaws.com/SimpleNotificationService-1.pem',
    'file:///etc/passwd',
    '',
  ];
  for (const url of others) {
    assert.equal(isSnsUrl(url), false, url);
    await post(path, { ...good, SigningCertURL: url }, 401);
  }
  // Responses of the API may quote anybody's certificate.
  for (const place of [
    '/',
    '/a.pem',
    '/?SimpleNotificationService-1.pem',
    `${PEM}?Action=ListTagsForResource`,
  ]) {
    assert.equal(isCertificateUrl(`${HOST}${place}`), false, place);
    await post(path, { ...good, SigningCertURL: `${HOST}${place}` }, 401);
  }
  assert.deepEqual(sns.asked, []);
  assert.ok(isCertificateUrl(`https://sns.cn-north-1.amazonaws.com.cn${PEM}`));
  assert.ok(isCertificateUrl(`https://sns.us-gov-west-1.amazonaws.com${PEM}`));
  const fresh = { ...good, SigningCertURL: `${HOST}/SimpleNotificationService-2.pem` };
  await post(path, fresh);
  await post(path, fresh);
  assert.deepEqual(sns.asked, ['/SimpleNotificationService-2.pem']);
  sns.status = 503;
  const { code } = await post(
    path,
    { ...good, SigningCertURL: `${HOST}/SimpleNotificationService-3.pem` },
    503,
  );
  assert.equal(code, 'PROVIDER_UNREACHABLE');
  sns.status = 404;
  await post(path, { ...good, SigningCertURL: `${HOST}/SimpleNotificationService-3.pem` }, 401);
  sns.status = 200;
});

test('a subscription is confirmed if SNS signed it, only at its own URL', async () => {
  const path = await hook(TOPIC);
  await post(path, notification({ mail: {} }));
  sns.asked.length = 0;
  await post(path, { ...confirmation(`${HOST}/?Action=ConfirmSubscription`), Token: 'another' }, 401);
  await post(path, confirmation('https://evil.test/'), 400);
  assert.deepEqual(sns.asked, []);
  await post(path, confirmation(`${HOST}/?Action=ConfirmSubscription`));
  assert.deepEqual(sns.asked, ['/?Action=ConfirmSubscription']);
  sns.status = 500;
  await post(path, confirmation(`${HOST}/?Action=ConfirmSubscription`), 503);
  sns.status = 200;
});
