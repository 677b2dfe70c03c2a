import { attemptRetention } from '../../work-queue/delivery-attempts.ts';
import type { DeliverySource } from '../../work-queue/delivery-source.ts';
import type { Feature } from '../feature.ts';
import { REQUEST_UNAVAILABLE } from './errors.ts';
import { examples } from './examples.ts';
import { deliverySearch } from './record-search.ts';
import { deliveryRoutes } from './routes.ts';

/** Creates the feature for the deliveries of these kinds of webhooks. */
export function deliveries(sources: readonly DeliverySource[]): Feature {
  return {
    name: 'deliveries',
    examples,
    routes: deliveryRoutes(sources),
    searches: [deliverySearch(sources)],
    retentions: [attemptRetention],
    errors: [REQUEST_UNAVAILABLE],
  };
}
