import { roleCovers, roleIn } from '../../../tenancy/caller.ts';
import type { DeliverySource } from '../../../work-queue/delivery-source.ts';
import { webhookDeliveries } from './delivery.ts';
import { listNamedWebhooks } from './queries.ts';

/** Deliveries of submissions, visible like their webhooks. */
export const submissionDeliveries: DeliverySource = {
  kind: 'form',
  queue: webhookDeliveries,
  subject: 'submission_id',
  reach: (caller) => {
    if (caller.reachesAllUnits) return 'all';
    return caller.units.length === 0 ? 'none' : 'some';
  },
  listWebhooks: ({ db }, ids) => listNamedWebhooks(db, ids),
  mayRedeliver: (caller, { owner_bu_id }) => {
    const role = owner_bu_id === null ? null : roleIn(caller, owner_bu_id);
    return role !== null && roleCovers(role, 'editor');
  },
};
