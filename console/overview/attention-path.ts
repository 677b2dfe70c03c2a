import type { schemas } from '../../sdk/src/index.ts';
import { useFoundRecordPath } from '../shell/record-path.ts';
import { useTenantPath } from '../shell/tenant-path.ts';

type Item = schemas.AttentionItem;

/** Returns a function that makes the path where an item is fixed; null if there is no screen for it. */
export function useAttentionPath(): (item: Item) => string | null {
  const pathOf = useTenantPath();
  const recordPath = useFoundRecordPath();
  return ({ entity_type, key }) => {
    switch (entity_type) {
      case 'email_event_webhook':
      case 'entity_webhook':
        // An item has the id, but the screen of event webhooks finds them by name; those of records have only a list.
        return pathOf('connections/deliveries', { filter: `webhook_id is ${key} and status is failed` });
      case 'operation':
        return pathOf(`operations/${key}`);
      default:
        return recordPath(entity_type, key);
    }
  };
}
