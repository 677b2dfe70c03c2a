/** Parts of the overview: failing webhooks, and figures of deliveries. */

import { type FindAttention, NO_ATTENTION, type TodayFigure } from '../../../overview/overview-part.ts';
import { readsShared } from '../../../resources/ownership.ts';
import { toAttention } from '../../../work-queue/failing-webhooks.ts';
import { listFailingWebhooks } from './queries.ts';

/** Finds the webhooks of the caller's units whose deliveries fail. */
export const findFailingWebhooks: FindAttention = async ({ db, caller }, limit) =>
  readsShared(caller) ? toAttention('webhook', await listFailingWebhooks(db, limit)) : NO_ATTENTION;

/** Finished deliveries of all kinds of webhooks; they are counted for the tenant, so not for members of some units. */
export const deliveryFigures: readonly TodayFigure[] = (['deliveries', 'failed_deliveries'] as const).map(
  (name) => ({
    name,
    subjectsOf: ({ reachesAllUnits, tenantId }) => (reachesAllUnits ? [tenantId] : []),
  }),
);
