import type { Feature } from '../feature.ts';
import { entities } from './entities/index.ts';
import { entityRecords } from './entity-records/index.ts';
import { entityWebhooks } from './entity-webhooks/index.ts';

/** Entities that tenants define, their records and webhooks. */
export const recordsFeatures: readonly Feature[] = [entities, entityRecords, entityWebhooks];
