import type { Feature } from '../feature.ts';
import { operations } from './operations/index.ts';
import { tenants } from './tenants/index.ts';

/** Health, metrics, the pages of the service, and tenants with their administration by the operator. */
export const operationsFeatures: readonly Feature[] = [operations, tenants];
