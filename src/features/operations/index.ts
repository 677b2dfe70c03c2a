import type { Feature } from '../feature.ts';
import { operations } from './operations/index.ts';
import { tenants } from './tenants/index.ts';

/** The operator's surface: health, metrics, tenants. */
export const operationsFeatures: readonly Feature[] = [operations, tenants];
