/** Records that change between the preparation of a restoration and its write. */
import assert from 'node:assert/strict';
import test from 'node:test';
import { formBody } from '../../../../test/harness/sample-forms.ts';
import { startTestApp } from '../../../../test/harness/test-app.ts';
import type { MemberContext } from '../../../http/context.ts';
import { findCallerByApiKey } from '../../../tenancy/find-caller.ts';
import { scopeOf } from '../../../tenancy/scope.ts';
import { features } from '../../index.ts';
import { prepareRestoration, restoreRecord } from './restore.ts';
import { restorersOf } from './restorers.ts';
import type { RestoreBody } from './schema.ts';

export const runsOn = ['embedded', 'server'];

const { app, createTenant } = await startTestApp();
const { platform } = app;
const { api, apiKey } = await createTenant();
const restorers = new Map(features.flatMap(restorersOf).map((each) => [each.entityType, each]));

async function contextOf(): Promise<MemberContext> {
  const found = await findCallerByApiKey(platform, apiKey);
  assert.ok(found);
  const client = { address: '127.0.0.1', userAgent: null, origin: null, host: 'localhost' };
  return {
    ...{ platform, client, caller: found.caller, db: platform.scoped(scopeOf(found.caller)) },
    ...{ requestId: 'r', method: 'POST', headers: {}, now: platform.clock() },
    setHeader: () => {},
    url: '/',
    disconnectSignal: () => new AbortController().signal,
  };
}

/** Restores a form while `meanwhile` changes it; returns the code of the refusal. */
async function restoreWhile(code: string, more: Partial<RestoreBody>, meanwhile: () => Promise<unknown>) {
  const ctx = await contextOf();
  const body: RestoreBody = { entityType: 'form', entitySortKey: code, ...more };
  const prepared = await prepareRestoration(ctx, restorers, body);
  await meanwhile();
  const writing = ctx.db.transaction((db) => restoreRecord({ ...ctx, db }, prepared));
  return writing.then(
    () => 'restored',
    ({ code: refusal }: { code: string }) => refusal,
  );
}

async function createForm() {
  const { code } = (await api.post('/api/forms', formBody({ name: 'One' }))).body;
  const path = `/api/forms/${code}`;
  await api.patch(path, { name: 'Two' });
  return { code, path };
}

test('a restoration without changes is rejected if the record changes meanwhile', async () => {
  const { code, path } = await createForm();
  const same = { version: 2, expected_version: 2 };
  assert.equal(await restoreWhile(code, same, () => Promise.resolve()), 'restored');
  assert.equal(await restoreWhile(code, same, () => api.patch(path, { name: 'Three' })), 'VERSION_CONFLICT');
  const deleted = restoreWhile(code, { version: 3 }, () => api.delete(path));
  assert.equal(await deleted, 'VERSION_CONFLICT');
});

test('a restoration with changes is rejected if another change comes first', async () => {
  const { code, path } = await createForm();
  assert.equal(
    await restoreWhile(code, { version: 1 }, () => api.patch(path, { name: 'Three' })),
    'VERSION_CONFLICT',
  );
});

test('a record restored meanwhile already exists, or has changed if a version is named', async () => {
  const { code, path } = await createForm();
  const restore = () => api.post('/api/entity/restore', { entityType: 'form', entitySortKey: code });
  await api.delete(path);
  assert.equal(await restoreWhile(code, {}, restore), 'NOT_DELETED');
  await api.delete(path);
  assert.equal(await restoreWhile(code, { version: 1 }, restore), 'VERSION_CONFLICT');
  await api.delete(path);
  const again = async () => {
    await restore();
    await api.delete(path);
  };
  assert.equal(await restoreWhile(code, {}, again), 'VERSION_CONFLICT');
});
