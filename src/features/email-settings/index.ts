import type { Feature } from '../feature.ts';
import {
  DUPLICATE_SENDER_IDENTITY,
  INVALID_SENDER_IDENTITY,
  SENDER_IDENTITY_NOT_FOUND,
  SUPPRESSION_NOT_FOUND,
} from './errors.ts';
import { settingsRoutes } from './routes.ts';
import { domainRoutes } from './sending-domains/routes.ts';
import { suppressionRoutes } from './suppressions/routes.ts';

export { isWhitelisted } from './collections.ts';
export { INVALID_SENDER_IDENTITY, invalidSenders } from './errors.ts';
export { openEventWebhookSecret } from './event-webhooks.ts';
export { type EmailSettings, listActiveEventWebhooks } from './queries.ts';
export {
  defaultBounceDomain,
  findBounceDomain,
  findDkimKey,
  findUsualDomain,
  findVerifiedDomain,
} from './sending-domains/senders.ts';
export { getEmailSettings } from './service.ts';
export { SOFT_BOUNCES, suppressionBy } from './suppressions/causes.ts';
export { findSuppressions } from './suppressions/service.ts';

/** Who may send, from which domains, and to whom not. */
export const emailSettings: Feature = {
  name: 'email-settings',
  routes: [...settingsRoutes, ...domainRoutes, ...suppressionRoutes],
  errors: [
    DUPLICATE_SENDER_IDENTITY,
    INVALID_SENDER_IDENTITY,
    SENDER_IDENTITY_NOT_FOUND,
    SUPPRESSION_NOT_FOUND,
  ],
};
