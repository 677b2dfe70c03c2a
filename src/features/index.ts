import { apiKeys } from './api-keys/index.ts';
import { businessUnits } from './business-units/index.ts';
import { campaigns } from './campaigns/index.ts';
import { computedAudiences } from './computed-audiences/index.ts';
import { emailEventWebhooks } from './email-event-webhooks/index.ts';
import { emailSettings } from './email-settings/index.ts';
import { emailTemplates } from './email-templates/index.ts';
import { emailTracking } from './email-tracking/index.ts';
import { embed } from './embed/index.ts';
import { entities } from './entities/index.ts';
import { entityHistory } from './entity-history/index.ts';
import { entityRecords } from './entity-records/index.ts';
import { entityWebhooks } from './entity-webhooks/index.ts';
import type { Feature } from './feature.ts';
import { formSubmissions } from './form-submissions/index.ts';
import { formThemes } from './form-themes/index.ts';
import { forms } from './forms/index.ts';
import { mailProviderHooks } from './mail-provider-hooks/index.ts';
import { marketingEvents } from './marketing-events/index.ts';
import { memberships } from './memberships/index.ts';
import { operations } from './operations/index.ts';
import { outbox } from './outbox/index.ts';
import { reports } from './reports/index.ts';
import { sessions } from './sessions/index.ts';
import { subscriberGroups } from './subscriber-groups/index.ts';
import { subscribers } from './subscribers/index.ts';
import { templateSnippets } from './template-snippets/index.ts';
import { tenants } from './tenants/index.ts';
import { transmissions } from './transmissions/index.ts';
import { webhooks } from './webhooks/index.ts';

/** The areas, one line each. */
const areas: readonly Feature[] = [
  operations,
  tenants,
  businessUnits,
  memberships,
  apiKeys,
  sessions,
  entityHistory,
  webhooks,
  emailSettings,
  emailTemplates,
  templateSnippets,
  emailTracking,
  emailEventWebhooks,
  mailProviderHooks,
  embed,
  formSubmissions,
  formThemes,
  forms,
  outbox,
  subscriberGroups,
  subscribers,
  computedAudiences,
  transmissions,
  campaigns,
  marketingEvents,
  entities,
  entityWebhooks,
  entityRecords,
];

/** Every feature of Tessera: the areas, and the export of what they bring to it. */
export const features: readonly Feature[] = [...areas, reports(areas.flatMap((area) => area.reports ?? []))];
