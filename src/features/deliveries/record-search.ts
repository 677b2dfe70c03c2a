import { isUuid } from '../../resources/keys.ts';
import { type RecordSearch, shortened } from '../../resources/record-search.ts';
import type { DeliverySource } from '../../work-queue/delivery-source.ts';
import { findVisibleDelivery } from './service.ts';

/** Finds deliveries by id. Their title is the name of the webhook. */
export function deliverySearch(sources: readonly DeliverySource[]): RecordSearch {
  const entityType = 'webhook_delivery';
  return {
    entityType,
    findExact: async (ctx, text) => {
      const key = text.toLowerCase();
      const found = isUuid(key) ? await findVisibleDelivery(ctx, sources, key) : undefined;
      if (found === undefined) return [];
      const { name = key, owner_bu_id: ownerBuId = null } = found.webhook ?? {};
      return [{ entityType, key, title: shortened(name), subtitle: null, ownerBuId }];
    },
    findNamed: async () => [],
  };
}
