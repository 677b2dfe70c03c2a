import type { Feature } from '../feature.ts';
import { emailEventWebhooks } from './email-event-webhooks/index.ts';
import { emailTemplates } from './email-templates/index.ts';
import { emailTracking } from './email-tracking/index.ts';
import { mailProviderHooks } from './mail-provider-hooks/index.ts';
import { outbox } from './outbox/index.ts';
import { templateSnippets } from './template-snippets/index.ts';
import { transmissions } from './transmissions/index.ts';

/** Email templates, transmissions, and the events of messages. */
export const mailFeatures: readonly Feature[] = [
  emailTemplates,
  templateSnippets,
  transmissions,
  emailTracking,
  emailEventWebhooks,
  mailProviderHooks,
  outbox,
];
