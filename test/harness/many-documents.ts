/** Large numbers of documents, written by SQL instead of the API. */
import { sql } from 'kysely';
import type { Platform } from '../../src/platform.ts';
import { wholeTenant } from '../../src/tenancy/scope.ts';
import { tenantRow } from '../../src/tenancy/tenant-row.ts';
import type { TestTenant } from './test-app.ts';

/** Fills a project with documents `d1`, `d2` ... of the model `page`, in the tenant's Default unit, without history. */
export async function fillProject(
  platform: Pick<Platform, 'scoped'>,
  { tenantId, defaultUnitId }: Pick<TestTenant, 'tenantId' | 'defaultUnitId'>,
  projectId: string,
  count: number,
): Promise<void> {
  await platform.scoped(wholeTenant(tenantId)).raw(
    (tenant) => sql`
      insert into documents (tenant_id, project_id, id, owner_bu_id, document_model_id, uid, name, status, data, version,
        created_at, updated_at)
      select tenant_row.tenant_id, ${projectId}, 'd' || n, ${defaultUnitId}::uuid, 'page', 'd' || n, 'Document ' || n, 'live',
        '{"title":"' || md5(n::text) || '"}', 1, timestamptz '2020-01-01Z' + n * interval '1 second',
        timestamptz '2020-01-01Z' + n * interval '1 second'
      from generate_series(1, ${count}::int) n cross join ${tenantRow(tenant)}`,
  );
}

/** Counts the stored documents of a project's id, even if the project no longer exists. */
export async function countStored(
  platform: Pick<Platform, 'scoped'>,
  { tenantId }: Pick<TestTenant, 'tenantId'>,
  projectId: string,
): Promise<number> {
  const { rows } = await platform.scoped(wholeTenant(tenantId)).raw(
    (tenant) => sql<{ count: number }>`
      select count(*)::int as count from documents where tenant_id = ${tenant}::uuid and project_id = ${projectId}`,
  );
  return rows[0]?.count ?? 0;
}

/** True if a job for the contents of a project is queued or running. */
export async function isBeingDeleted(
  platform: Pick<Platform, 'scoped'>,
  { tenantId }: Pick<TestTenant, 'tenantId'>,
  projectId: string,
): Promise<boolean> {
  const { rows } = await platform.scoped(wholeTenant(tenantId)).raw(
    (tenant) => sql`
      select from jobs where tenant_id = ${tenant}::uuid and state = 'pending'
        and payload ->> 'projectId' = ${projectId}`,
  );
  return rows.length > 0;
}
