/** Webhooks on the overview: those whose deliveries fail (docs/specification/overview.md#webhooks). */
import type { Attention, AttentionType } from '../overview/overview-part.ts';

/** A webhook that meets `IS_FAILING`, with the number of all that do. */
export interface FailingWebhook {
  readonly id: string;
  readonly name: string;
  readonly owner_bu_id: string | null;
  readonly failing_since: string | null;
  readonly failed_attempts: number;
  readonly failed_deliveries: number;
  readonly total: number;
}

/** Returns what the overview says about webhooks. */
export function toAttention(entityType: AttentionType, webhooks: readonly FailingWebhook[]): Attention {
  const items = webhooks.map((webhook) => {
    const { id: key, name: title, owner_bu_id: ownerBuId, failing_since, failed_deliveries: lost } = webhook;
    const about = { entityType, key, title, ownerBuId, since: failing_since ?? '' };
    return lost > 0
      ? ({ ...about, severity: 'error', reason: 'deliveries_failed', count: lost } as const)
      : ({
          ...about,
          severity: 'warning',
          reason: 'deliveries_retried',
          count: webhook.failed_attempts,
        } as const);
  });
  return { items, total: webhooks[0]?.total ?? 0 };
}
