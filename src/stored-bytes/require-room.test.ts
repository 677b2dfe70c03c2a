import assert from 'node:assert/strict';
import test from 'node:test';
import { createProject } from '../../test/harness/documents.ts';
import { startTestApp } from '../../test/harness/test-app.ts';
import { EXPORT_FILES, PREVIEW_SNAPSHOTS, type StoredKind } from './kinds.ts';
import { storedBytes } from './stored-bytes.ts';

const { app, createTenant } = await startTestApp();

/** Uses up a tenant's quota of a kind. */
function useUp(tenantId: string, kind: StoredKind): void {
  storedBytes(app.platform).add(tenantId, kind, kind.quota(app.platform.config), new Date());
}

test('no preview snapshot is accepted while those of the tenant use up its quota', async () => {
  const [tenant, other] = [await createTenant(), await createTenant()];
  const take = async ({ api }: typeof tenant, id: string, status: number) =>
    api.post(`/api/pages/${id}/document/home/preview-snapshot`, { snapshot: '{}' }, status);
  const { id } = await createProject(tenant.api);
  await take(tenant, id, 200);
  useUp(tenant.tenantId, PREVIEW_SNAPSHOTS);
  const refused = await take(tenant, id, 429);
  assert.equal(refused.body.code, 'RATE_LIMITED');
  assert.match(refused.text, /used up its 2048 MiB for preview snapshots/);
  assert.equal(refused.headers.get('retry-after'), '600');
  await take(other, (await createProject(other.api)).id, 200);
});

test('no export is accepted while the files of earlier ones use up the quota of the tenant', async () => {
  const { api, tenantId } = await createTenant();
  const body = {
    receiver_email: 'who@export.test',
    report_type: 'subscribers',
    output_format: 'csv',
    filters: {},
  };
  await api.post('/api/reports/export', body);
  useUp(tenantId, EXPORT_FILES);
  const refused = await api.post('/api/reports/export', body, 429);
  assert.match(refused.text, /used up its 4096 MiB for files of exports/);
});
