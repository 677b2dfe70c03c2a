import { normalizeDomain } from '../../mail/domain-name.ts';
import { searchOf } from '../../resources/record-search.ts';
import type { Feature } from '../feature.ts';
import { findFailingEventWebhooks, findUnverifiedDomains } from './attention.ts';
import {
  DUPLICATE_SENDER_IDENTITY,
  INVALID_SENDER_IDENTITY,
  SENDER_IDENTITY_NOT_FOUND,
  SUPPRESSION_NOT_FOUND,
} from './errors.ts';
import { sealedSecrets } from './event-webhooks.ts';
import { examples } from './examples.ts';
import { settings } from './resource.ts';
import { settingsRoutes } from './routes.ts';
import { sealedDkimKeys } from './sending-domains/dkim-key.ts';
import { sendingDomains } from './sending-domains/resource.ts';
import { domainRoutes } from './sending-domains/routes.ts';
import { suppressionBulk } from './suppressions/bulk.ts';
import { sealedHashKeys } from './suppressions/erased.ts';
import { importRetention } from './suppressions/import.ts';
import { suppressionRoutes } from './suppressions/routes.ts';

export { readOptions as settingsReadOptions, writeOptions as settingsWriteOptions } from './area.ts';
export { requireDistinctTypes } from './collections.ts';
export { type DefaultSender, findDefaultSender } from './default-sender.ts';
export { INVALID_SENDER_IDENTITY, invalidSenders } from './errors.ts';
export { openEventWebhookSecret } from './event-webhooks.ts';
export type { FoundSuppression } from './queries.ts';
export {
  findEventWebhook,
  getSubscriberSettings,
  insertSuppressions,
  listNamedEventWebhooks,
  type NewSuppression,
  type SubscriberSettings,
} from './queries.ts';
export type { EmailSettings } from './resource.ts';
export { type SubscriptionType, SubscriptionTypes } from './schema.ts';
export {
  defaultBounceDomain,
  defaultSendingDomain,
  findBounceDomain,
  findDkimKey,
  isVerifiedSender,
} from './sending-domains/senders.ts';
export { getEmailSettings, subscriberFieldsChange } from './service.ts';
export { SOFT_BOUNCES, suppressionDescription } from './suppressions/causes.ts';
export { eraseSuppression } from './suppressions/erased.ts';
export {
  type AddressRules,
  type CheckedMail,
  findAddressRules,
  findRecipientRules,
} from './suppressions/recipient-rules.ts';
export { erasedHashSql, findSuppressions, isSuppressed, liftUnsubscribe } from './suppressions/service.ts';

/** Email settings: senders, sending domains, event webhooks and suppressions. */
export const emailSettings: Feature = {
  name: 'email-settings',
  examples,
  tags: {
    'Email settings': 'Senders and sending domains, subscription types, event webhooks, suppressions.',
  },
  routes: [...settingsRoutes, ...domainRoutes, ...suppressionRoutes],
  bulks: [suppressionBulk],
  searches: [
    searchOf(sendingDomains, {
      kind: 'sending_domain',
      title: ['domain'],
      named: 'domain',
      toKey: normalizeDomain,
    }),
  ],
  restores: [{ resource: settings, createdBy: 'email_settings.replace' }],
  retentions: [importRetention],
  overview: { attention: [findUnverifiedDomains, findFailingEventWebhooks] },
  sealed: [sealedSecrets, sealedDkimKeys, sealedHashKeys],
  errors: [
    DUPLICATE_SENDER_IDENTITY,
    INVALID_SENDER_IDENTITY,
    SENDER_IDENTITY_NOT_FOUND,
    SUPPRESSION_NOT_FOUND,
  ],
};
