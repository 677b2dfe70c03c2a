import type { Feature } from '../feature.ts';
import { INVALID_STATUS } from './errors.ts';
import { routes } from './routes.ts';
import { messageLedgers } from './sending/ledger.ts';

/** Mail to many recipients, and the ledger that can answer for every message. */
export const transmissions: Feature = {
  name: 'transmissions',
  routes,
  ledgers: messageLedgers,
  errors: [INVALID_STATUS],
};
