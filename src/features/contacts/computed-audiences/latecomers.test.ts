import test from 'node:test';
import { sql } from 'kysely';
import { v7 as uuidv7 } from 'uuid';
import { becomes, computed, createAudience } from '../../../../test/harness/audiences.ts';
import { createSubscriber } from '../../../../test/harness/subscribers.ts';
import { startOwnApp } from '../../../../test/harness/test-app.ts';
import { databaseKind } from '../../../../test/harness/test-database.ts';
import { wholeTenant } from '../../../tenancy/scope.ts';

export const runsOn = ['embedded', 'server'];

const skip = databaseKind() === 'embedded' && 'the embedded database has one connection';

let turned = 0;
const app = await startOwnApp({}, { clock: () => new Date(Date.now() + turned) });

test('a subscriber is found whose creation began before the first audience and ended after its computation', {
  skip,
}, async () => {
  const tenant = await app.createTenant();
  await createSubscriber(tenant, { first_name: 'Ada' });
  const db = app.app.platform.scoped(wholeTenant(tenant.tenantId));
  const id = await db.transaction(async (tx) => {
    await tx.raw(
      (tenantId) => sql`
      insert into subscribers (tenant_id, id, owner_bu_id, version, created_at, updated_at, first_name, email, address_key,
        active)
      values (${tenantId}::uuid, ${uuidv7()}::uuid, ${tenant.defaultUnitId}::uuid, 1, now(), now(), 'Bob',
        'bob@example.com', 'bob@example.com', true)`,
    );
    const audience = await createAudience(tenant, {});
    await computed(tenant, audience);
    await becomes(tenant, audience, ['Ada']);
    return audience;
  });
  turned += 61_000;
  await becomes(tenant, id, ['Ada', 'Bob']);
});
