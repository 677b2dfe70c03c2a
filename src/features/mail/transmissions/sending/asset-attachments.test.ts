import assert from 'node:assert/strict';
import { mkdir, rename, rmdir } from 'node:fs/promises';
import { join } from 'node:path';
import test from 'node:test';
import sharp from 'sharp';
import { blobOf, image, upload, uploadBytes } from '../../../../../test/harness/asset-files.ts';
import {
  createMailTenant,
  mailsTo,
  makeMessageDue,
  readRecipientHistory,
  sendAndWait,
  transmissionBody,
  waitUntilEnded,
} from '../../../../../test/harness/mail.ts';
import { eventually } from '../../../../../test/harness/poll.ts';
import { startRelay } from '../../../../../test/harness/relay.ts';
import { startTestApp } from '../../../../../test/harness/test-app.ts';

const PUBLIC_URL = 'https://tessera.test/base';
const relay = await startRelay();
// Outbound calls can reach neither that address nor this machine.
const app = await startTestApp({ SMTP_URL: relay.url, PUBLIC_URL, OUTBOUND_ALLOW_PRIVATE: 'false' });
const tenant = await createMailTenant(app);
const { api } = tenant;
const from = `shop@${tenant.domain}`;
const later = {
  options: { transactional: true, scheduled_time: { date: '2100-01-01T09:00:00', timezone: 'UTC' } },
};

let addressCount = 0;
function newAddress(): string {
  addressCount += 1;
  return `person${addressCount}@example.com`;
}

const withFiles = (attachments: readonly object[]) => ({
  content: { from, subject: 'S', html: 'x', attachments },
});

/** Returns the attachments of the mail to an address, as `name type text`. */
async function filesTo(address: string) {
  const [mail] = await mailsTo(relay, address);
  assert.ok(mail, `a mail to ${address}`);
  return mail.attachments.map(({ filename, contentType, content }) => ({ filename, contentType, content }));
}

async function faults(attachments: readonly object[]): Promise<Record<string, string>> {
  const { body } = await api.post(
    '/api/transmissions',
    transmissionBody(tenant, withFiles(attachments)),
    400,
  );
  assert.equal(body.code, 'INVALID_REQUEST');
  return Object.fromEntries(
    body.issues.map(({ field, message }: { field: string; message: string }) => [field, message]),
  );
}

/** Accepts a mail that waits, runs `change`, and sends it. */
async function sendAfter(attachments: readonly object[], change: () => Promise<unknown>) {
  const address = newAddress();
  const recipients = [{ address }];
  const more = { ...withFiles(attachments), ...later, recipients };
  const { body } = await api.post('/api/transmissions', transmissionBody(tenant, more));
  const id = body.transactionId;
  await change();
  const { message_id } = await readRecipientHistory(api, id, address);
  await makeMessageDue(app.app.platform, message_id);
  return { id, address, message_id };
}

test('assets are attached under their own or the given name and type, together with other files', async () => {
  const bytes = await image(30, 20).png().toBuffer();
  const { body: asset } = await upload(api, [['file', blobOf(bytes), 'Füße.png']]);
  const text = Buffer.from('near').toString('base64');
  const recipients = [{ address: newAddress() }, { address: newAddress() }];
  const files = withFiles([
    { asset_id: asset.id },
    { name: 'near.txt', type: 'text/plain', data: text },
    { asset_id: asset.id, name: 'b.bin', type: 'application/x-b' },
  ]);
  await sendAndWait(tenant, { recipients, ...files });
  for (const { address } of recipients)
    assert.deepEqual(await filesTo(address), [
      { filename: 'Füße.png', contentType: 'image/png', content: bytes },
      { filename: 'near.txt', contentType: 'text/plain', content: Buffer.from('near') },
      { filename: 'b.bin', contentType: 'application/x-b', content: bytes },
    ]);
});

test("an asset's public URL is read from the storage, in the requested size and format", async () => {
  const bytes = await image(40, 20).png().toBuffer();
  const { url } = (await upload(api, [['file', blobOf(bytes), 'a.png']])).body;
  assert.ok(url.startsWith(`${PUBLIC_URL}/assets/`));
  const other = await app.createTenant();
  const foreign = (await upload(other.api, [['file', blobOf('public'), 'a.txt']])).body.url;
  const address = newAddress();
  const files = withFiles([
    { name: 'whole.png', type: 'image/png', url },
    { name: 'small.webp', type: 'image/webp', url: `${url}?w=10&format=webp` },
    { name: 'foreign.txt', type: 'text/plain', url: foreign },
  ]);
  await sendAndWait(tenant, { recipients: [{ address }], ...files });
  const [whole, small, text] = await filesTo(address);
  assert.deepEqual(whole?.content, bytes);
  const { format, width, height } = await sharp(small?.content).metadata();
  assert.deepEqual([format, width, height], ['webp', 10, 5]);
  assert.equal(text?.content.toString(), 'public');
});

test('missing assets and those of another tenant are rejected with the field', async () => {
  const own = await uploadBytes(api, 'own');
  const foreign = await uploadBytes((await app.createTenant()).api, 'foreign');
  const gone = (await upload(api, [['file', blobOf('gone'), 'gone.txt']])).body;
  await api.delete(`/api/assets/${gone.id}`);
  const labels = { name: 'a', type: 'text/plain' };
  const url = (id: string, query = '') => ({ ...labels, url: `${PUBLIC_URL}/assets/${id}/a${query}` });
  const found = await faults([
    ...[{ asset_id: own }, { asset_id: foreign }, { asset_id: gone.id }],
    ...[{ ...labels, url: gone.url }, url('x'), url(own, '?w=0'), url(own, '?w=5'), url(own, '?unknown=1')],
  ]);
  assert.deepEqual(found, {
    'content.attachments[1].asset_id': 'must reference an existing asset',
    'content.attachments[2].asset_id': 'must reference an existing asset',
    'content.attachments[3].url': 'must reference an existing asset',
    'content.attachments[4].url': 'must reference an existing asset',
    'content.attachments[5].url': found['content.attachments[5].url'],
    'content.attachments[6].url': found['content.attachments[6].url'],
  });
  assert.match(found['content.attachments[5].url'] ?? '', /^has a w that /);
  assert.match(found['content.attachments[6].url'] ?? '', /^has a w that is supported for raster images/);
});

test('other URLs of this service and of this machine stay forbidden', async () => {
  const { hostname } = new URL(app.url);
  const labels = { name: 'a', type: 'text/plain' };
  const found = await faults([
    { ...labels, url: `${app.url}/assets/x/a` },
    { ...labels, url: `http://${hostname}/base/assets/x/a` },
  ]);
  for (const message of Object.values(found)) assert.match(message, /blocked by policy/);
  assert.equal(Object.keys(found).length, 2);
});

test('an attachment has one of url, data and asset_id; without an asset it needs name and type', async () => {
  const asset_id = await uploadBytes(api, 'own');
  const labels = { name: 'a', type: 'text/plain' };
  const forms = [
    { ...labels, asset_id, data: 'YQ==' },
    { ...labels, asset_id, url: 'https://example.com/a' },
    labels,
    { data: 'YQ==' },
  ];
  assert.deepEqual(Object.keys(await faults(forms)), [
    'content.attachments[0]',
    'content.attachments[1]',
    'content.attachments[2]',
    'content.attachments[3].name',
    'content.attachments[3].type',
  ]);
  assert.deepEqual(Object.keys(await faults([{ asset_id: 'x' }, { asset_id, name: '' }])), [
    'content.attachments[0].asset_id',
    'content.attachments[1].name',
  ]);
});

test('assets count towards the 10 MB of a message, at the request or when a URL is read', async () => {
  const MB = 1024 * 1024;
  const six = await uploadBytes(api, Buffer.alloc(6 * MB, 'a'));
  const large = (await upload(api, [['file', blobOf(Buffer.alloc(10 * MB + 1, 'a')), 'a.txt']])).body;
  const refused = { 'content.attachments': 'must not exceed 10 MB in total' };
  assert.deepEqual(await faults([{ asset_id: large.id }]), refused);
  assert.deepEqual(await faults([{ asset_id: six }, { asset_id: six }]), refused);
  const address = newAddress();
  const files = withFiles([{ name: 'a', type: 'text/plain', url: large.url }]);
  const { id } = await sendAndWait(tenant, { recipients: [{ address }], ...files });
  assert.match((await readRecipientHistory(api, id, address)).error ?? '', /exceed 10 MB in total/);
});

test('an asset deleted before sending fails its messages with the reason', async () => {
  const { body: asset } = await upload(api, [['file', blobOf('text'), 'gone.txt']]);
  const { id, address } = await sendAfter([{ asset_id: asset.id }], () =>
    api.delete(`/api/assets/${asset.id}`),
  );
  assert.equal((await waitUntilEnded(tenant, id)).state, 'failed');
  const { error } = await readRecipientHistory(api, id, address);
  assert.equal(error, 'The attachment "gone.txt" could not be fetched: The asset does not exist.');
});

test('while the storage fails a message waits, and is sent with its file afterwards', async () => {
  const { body: asset } = await upload(api, [['file', blobOf('text'), 'a.txt']]);
  const folder = join(app.app.platform.config.dataDir, 'assets', tenant.tenantId, asset.id);
  const original = join(folder, 'original');
  const { id, address, message_id } = await sendAfter([{ asset_id: asset.id }], async () => {
    await rename(original, join(folder, 'kept'));
    await mkdir(original);
  });
  await eventually('a failed try', async () => (await readRecipientHistory(api, id, address)).error !== null);
  await rmdir(original);
  await rename(join(folder, 'kept'), original);
  await makeMessageDue(app.app.platform, message_id);
  assert.equal((await waitUntilEnded(tenant, id)).state, 'completed');
  assert.equal((await filesTo(address))[0]?.content.toString(), 'text');
});

test('a template sends assets, and rejects missing ones', async () => {
  const { body: asset } = await upload(api, [['file', blobOf('terms'), 'terms.txt']]);
  const foreign = await uploadBytes((await app.createTenant()).api, 'foreign');
  const template = { name: 'T', from_email: from, transactional: true };
  const { body: made } = await api.post('/api/templates', template);
  const version = (attachments: readonly object[]) => ({
    ...{ active: true, subject: 'S', html_content: 'x' },
    attachments,
  });
  const path = `/api/templates/${made.id}/versions`;
  const { body: refused } = await api.post(
    path,
    version([{ asset_id: foreign }, { asset_id: asset.id, url: 'https://example.com/a' }, { name: 'a' }]),
    400,
  );
  assert.equal(refused.error.code, 'INVALID_TEMPLATE');
  assert.deepEqual(
    refused.error.details.map(({ field }: { field: string }) => field),
    ['attachments[0].asset_id', 'attachments[1]', 'attachments[2].type', 'attachments[2].url'],
  );
  const { body: kept } = await api.post(path, version([{ asset_id: asset.id }]));
  assert.deepEqual((await api.get(`${path}/${kept.id}`)).body.attachments, [{ asset_id: asset.id }]);
  const address = newAddress();
  const send = { recipients: [{ address }], content: { template_id: made.id } };
  await sendAndWait(tenant, send);
  assert.deepEqual(await filesTo(address), [
    { filename: 'terms.txt', contentType: 'text/plain', content: Buffer.from('terms') },
  ]);
  await api.delete(`/api/assets/${asset.id}`);
  const { id } = await sendAndWait(tenant, send);
  assert.match((await readRecipientHistory(api, id, address)).error ?? '', /The asset does not exist/);
});
