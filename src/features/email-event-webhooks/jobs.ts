import Type from 'typebox';
import { defineJob } from '../../jobs/jobs.ts';
import { deleteEndedDeliveries, listTenantIds } from './queries.ts';

const DAY_MS = 24 * 60 * 60 * 1000;
/** Nobody can read them; they are kept a while for whoever looks into a fault. */
const KEPT_DAYS = 7;
const TENANTS_AT_ONCE = 200;
const BEFORE_ALL = '00000000-0000-0000-0000-000000000000';

/** Removes event deliveries that have ended and are older than 7 days, of all tenants, every hour. */
export const removeOldEventDeliveries = defineJob({
  name: 'email-event-webhooks.remove-old-deliveries',
  payload: Type.Object({}),
  timeoutSeconds: 900,
  schedule: '37 * * * *',
  run: async ({ config, clock, database }) => {
    const before = new Date(clock().getTime() - KEPT_DAYS * DAY_MS);
    let last: string | undefined = BEFORE_ALL;
    while (last !== undefined) {
      const tenantIds: string[] = await listTenantIds(database.everyTenant, last, TENANTS_AT_ONCE);
      for (const tenantId of tenantIds) {
        const deleteSome = () =>
          deleteEndedDeliveries(database.everyTenant, tenantId, before, config.jobBatchSize);
        while ((await deleteSome()) >= config.jobBatchSize);
      }
      last = tenantIds.at(-1);
    }
  },
});
