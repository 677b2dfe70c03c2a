import assert from 'node:assert/strict';
import { join } from 'node:path';
import test from 'node:test';
import { fetchAsset, filesBelow, halfUpload, uploadBytes } from '../harness/asset-files.ts';
import { createClient } from '../harness/client.ts';
import { eventually } from '../harness/poll.ts';
import { startProcess } from '../harness/process.ts';
import { createTenant, testEnv } from '../harness/test-app.ts';
import { createTestDatabase } from '../harness/test-database.ts';

export const runsOn = ['embedded'];
export const neverRunsOn = ['cluster'];

const database = await createTestDatabase();
const env = { ...testEnv(database), LOG_LEVEL: 'info' };
const folder = join(database.env.DATA_DIR ?? '', 'assets');

test('a process killed during an upload leaves nothing of it and keeps all acknowledged assets', async () => {
  const first = await startProcess(env);
  const admin = (url: string) => createClient(url, { authorization: `Bearer ${env.ADMIN_TOKEN}` });
  const { api, apiKey } = await createTenant(first.url, admin(first.url));
  const id = await uploadBytes(api, 'kept');
  halfUpload(api);
  await eventually('the draft to be written', async () => (await filesBelow(folder)).length === 2);
  await first.kill('SIGKILL');
  const second = await startProcess(env);
  const again = createClient(second.url, { 'x-api-key': apiKey });
  const { body } = await again.post('/api/assets/list', { page: 1, limit: 10 });
  assert.deepEqual(
    body.results.map((asset: { id: string }) => asset.id),
    [id],
  );
  assert.equal((await fetchAsset(again, `/assets/${id}/a`)).content.toString(), 'kept');
  const left = (await filesBelow(folder)).filter((path) => !path.startsWith('.drafts'));
  assert.equal(left.length, 1);
  // Other processes on a server may write drafts, too, so drafts are swept after an hour.
  if (database.kind === 'embedded') assert.equal((await filesBelow(folder)).length, 1);
  await second.kill('SIGTERM');
  await database.remove();
});

test('a process killed after a deletion removes the files after its restart', async () => {
  const own = await createTestDatabase();
  const ownEnv = { ...testEnv(own), LOG_LEVEL: 'info' };
  const files = join(own.env.DATA_DIR ?? '', 'assets');
  // A process that only serves requests leaves the removal to a worker.
  const serving = await startProcess({ ...ownEnv, ROLE: 'api' });
  const admin = createClient(serving.url, { authorization: `Bearer ${ownEnv.ADMIN_TOKEN}` });
  const { api } = await createTenant(serving.url, admin);
  const id = await uploadBytes(api, 'text');
  await api.delete(`/api/assets/${id}`);
  await serving.kill('SIGKILL');
  assert.equal((await filesBelow(files)).length, 1);
  const working = await startProcess(ownEnv);
  await eventually('the files to go', async () => (await filesBelow(files)).length === 0);
  await working.kill('SIGTERM');
  await own.remove();
});
