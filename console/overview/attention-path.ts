import type { schemas } from '../../sdk/src/index.ts';
import { type TenantPath, useTenantPath } from '../shell/tenant-path.ts';

type Item = schemas.AttentionItem;

/** Shows the failed deliveries of a webhook that has no screen of its own. */
const failedDeliveries = ({ key }: Item, pathOf: TenantPath) =>
  pathOf('connections/deliveries', { filter: `webhook_id is ${key} and status is failed` });

const PATHS: Readonly<Record<Item['entity_type'], (item: Item, pathOf: TenantPath) => string>> = {
  webhook: ({ key }, pathOf) => pathOf(`connections/webhooks/${key}`),
  email_event_webhook: failedDeliveries,
  entity_webhook: failedDeliveries,
  sending_domain: ({ key }, pathOf) => pathOf(`settings/domains/${encodeURIComponent(key)}`),
};

/** Returns a function that makes the path where an item is fixed. */
export function useAttentionPath(): (item: Item) => string {
  const pathOf = useTenantPath();
  return (item) => PATHS[item.entity_type](item, pathOf);
}
