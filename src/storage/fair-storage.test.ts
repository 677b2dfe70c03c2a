import assert from 'node:assert/strict';
import test from 'node:test';
import { fetchAsset, uploadBytes } from '../../test/harness/asset-files.ts';
import { eventually } from '../../test/harness/poll.ts';
import { startReceiver } from '../../test/harness/receiver.ts';
import { startOwnApp } from '../../test/harness/test-app.ts';
import { STORAGE_SLOTS } from './fair-storage.ts';

/** Starts a service that stores files, and delays reads of one tenant until the test allows them. */
const service = await startReceiver();
const files = new Map<string, string>();
const blocked = new Set<() => void>();
let slowTenant = '';
service.answer = ({ method, path, text }, response) => {
  const [name = ''] = path.split('?');
  if (method === 'PUT') files.set(name, text);
  const answer = () => {
    const content = files.get(name);
    response.setHeader('etag', '"1"');
    if (content === undefined) response.writeHead(404).end();
    else response.end(method === 'GET' ? content : undefined);
  };
  if (method !== 'GET' || !name.includes(slowTenant)) return answer();
  blocked.add(answer);
  response.on('close', () => blocked.delete(answer));
};

const app = await startOwnApp({ S3_URL: `http://KEY:KEY@127.0.0.1:${service.port}/files` });

async function createSite() {
  const { api, tenantId } = await app.createTenant();
  const id = await uploadBytes(api, 'text', 'a.txt');
  const { url } = (await api.get(`/api/assets/${id}`)).body;
  return { api, tenantId, read: (init: RequestInit = {}) => fetchAsset(api, url, init) };
}

test('a bucket that is slow for one tenant delays no other', async () => {
  const [slow, other] = [await createSite(), await createSite()];
  slowTenant = slow.tenantId;
  const { perTenant } = STORAGE_SLOTS;
  const reads = Array.from({ length: perTenant + 5 }, () => slow.read());
  await eventually(
    'the reads of the slow tenant to reach the bucket',
    async () => blocked.size === perTenant,
  );
  assert.equal((await other.read()).content.toString(), 'text');
  assert.equal(await uploadBytes(other.api, 'more').then((id) => typeof id), 'string');
  slowTenant = 'none';
  for (const answer of blocked) answer();
  assert.deepEqual(new Set((await Promise.all(reads)).map(({ status }) => status)), new Set([200]));
});

test('a caller who waits too long for a slot gets an error, and slots of disconnected readers are free again', async () => {
  const site = await createSite();
  slowTenant = site.tenantId;
  const { perTenant } = STORAGE_SLOTS;
  const reader = new AbortController();
  const reads = Array.from({ length: perTenant }, () => site.read({ signal: reader.signal }));
  await eventually('the reads to reach the bucket', async () => blocked.size === perTenant);
  const refused = await site.read();
  assert.deepEqual([refused.status, refused.headers.get('retry-after')], [429, '5']);
  assert.match(refused.content.toString(), /at most 20 at once/);
  reader.abort();
  await Promise.allSettled(reads);
  slowTenant = 'none';
  for (const answer of blocked) answer();
  assert.equal((await site.read()).status, 200);
});
