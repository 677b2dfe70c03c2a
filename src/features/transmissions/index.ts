import type { Feature } from '../feature.ts';
import { INVALID_STATUS } from './errors.ts';
import { reference } from './reference.ts';
import { routes } from './routes.ts';
import { messageLedgers } from './sending/ledger.ts';

export { deleteTransmissions, eraseMessagesTo } from './erasure.ts';
export { acceptOwnMail, type OwnMail } from './own-mail.ts';

/** Mail to many recipients, and the ledger that can answer for every message. */
export const transmissions: Feature = {
  name: 'transmissions',
  reference,
  routes,
  ledgers: messageLedgers,
  errors: [INVALID_STATUS],
};
