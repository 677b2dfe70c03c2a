/** Large numbers of deliveries, written by SQL instead of the API. */
import { sql } from 'kysely';
import type { Platform } from '../../src/platform.ts';
import { wholeTenant } from '../../src/tenancy/scope.ts';
import { tenantRow } from '../../src/tenancy/tenant-row.ts';
import type { TestTenant } from './test-app.ts';

/** Copies the deliveries of a tenant `count` times, with their attempts: the same submissions to the same webhooks. */
export async function copyDeliveries(
  platform: Pick<Platform, 'scoped'>,
  { tenantId }: Pick<TestTenant, 'tenantId'>,
  count: number,
): Promise<void> {
  await platform.scoped(wholeTenant(tenantId)).raw(
    (tenant) => sql`
      with copies as materialized (
        select d.*, tessera_uuidv7(d.created_at) as copy_id
        from webhook_deliveries d cross join generate_series(1, ${count}::int)
        where d.tenant_id = ${tenant}::uuid
      ), copied as (
        insert into webhook_deliveries (tenant_id, id, target_id, submission_id, state, due_at, attempts, last_status_code,
          last_error, created_at)
        select tenant_row.tenant_id, copy_id, target_id, submission_id, state, due_at, attempts, last_status_code,
          last_error, created_at
        from copies cross join ${tenantRow(tenant)}
      )
      insert into delivery_attempts (tenant_id, delivery_id, started_at, duration_ms, status_code, error, blocked_by,
        response_headers, response_body)
      select tenant_row.tenant_id, c.copy_id, a.started_at, a.duration_ms, a.status_code, a.error, a.blocked_by,
        a.response_headers, a.response_body
      from copies c join delivery_attempts a on a.tenant_id = ${tenant}::uuid and a.delivery_id = c.id
      cross join ${tenantRow(tenant)}`,
  );
}
