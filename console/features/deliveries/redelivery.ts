import type { schemas } from '../../../sdk/src/index.ts';
import type { Condition } from '../../filters/condition.ts';

/** Filters of deliveries. */
export type DeliveryFilters = NonNullable<schemas.DeliveryListQuery['filters']>;

/** Deliveries that are being sent again. */
export interface RedeliveryRun {
  readonly id: number;
  readonly filters: DeliveryFilters;
  readonly count: number;
}

/** Returns the filters of what is sent again: failed deliveries, unless the list is limited to a status. */
export function toRedelivery(conditions: readonly Condition[], filters: DeliveryFilters): DeliveryFilters {
  const hasStatus = conditions.some(({ field }) => field === 'status');
  return hasStatus ? filters : { ...filters, status: { eq: 'failed' } };
}

/** Returns the filters of deliveries with another status. */
export function withStatus(filters: DeliveryFilters, status: schemas.Delivery['status']): DeliveryFilters {
  return { ...filters, status: { eq: status } };
}
