import { withPatches } from '../http/updates.ts';
import { aiAssistants } from './ai-assistants/index.ts';
import { aiConversations } from './ai-conversations/index.ts';
import { aiIndexes } from './ai-indexes/index.ts';
import { aiReplies } from './ai-replies/index.ts';
import { aiThreads } from './ai-threads/index.ts';
import { apiKeys } from './api-keys/index.ts';
import { assets } from './assets/index.ts';
import { automationHooks } from './automation-hooks/index.ts';
import { automationSchedules } from './automation-schedules/index.ts';
import { automations } from './automations/index.ts';
import { businessUnits } from './business-units/index.ts';
import { campaigns } from './campaigns/index.ts';
import { computedAudiences } from './computed-audiences/index.ts';
import { documentModels } from './document-models/index.ts';
import { documents } from './documents/index.ts';
import { emailEventWebhooks } from './email-event-webhooks/index.ts';
import { emailSettings } from './email-settings/index.ts';
import { emailTemplates } from './email-templates/index.ts';
import { emailTracking } from './email-tracking/index.ts';
import { embed } from './embed/index.ts';
import { entities } from './entities/index.ts';
import { entityHistory, restorersOf } from './entity-history/index.ts';
import { entityRecords, readRelatedRecords } from './entity-records/index.ts';
import { entityWebhooks } from './entity-webhooks/index.ts';
import type { Feature } from './feature.ts';
import { formSubmissions } from './form-submissions/index.ts';
import { formThemes } from './form-themes/index.ts';
import { forms } from './forms/index.ts';
import { invitations } from './invitations/index.ts';
import { journeys } from './journeys/index.ts';
import { mailProviderHooks } from './mail-provider-hooks/index.ts';
import { marketingEvents } from './marketing-events/index.ts';
import { memberships } from './memberships/index.ts';
import { modelUsage } from './model-usage/index.ts';
import { operations } from './operations/index.ts';
import { outbox } from './outbox/index.ts';
import { passwordResets } from './password-resets/index.ts';
import { previewSnapshots } from './preview-snapshots/index.ts';
import { projects } from './projects/index.ts';
import { queues } from './queues/index.ts';
import { redirects } from './redirects/index.ts';
import { reports } from './reports/index.ts';
import { sessions } from './sessions/index.ts';
import { siteSettings } from './site-settings/index.ts';
import { sliceModels } from './slice-models/index.ts';
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
  passwordResets,
  invitations,
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
  journeys,
  entities,
  entityWebhooks,
  entityRecords,
  redirects,
  siteSettings,
  previewSnapshots,
  documentModels,
  sliceModels,
  modelUsage,
  documents,
  assets,
  automationHooks,
  automationSchedules,
  queues,
  aiAssistants,
  aiThreads,
  aiIndexes,
  aiReplies,
  aiConversations,
];

const pageProjects = projects(areas.flatMap((area) => area.projectContents ?? []));

/**
 * Every feature of Tessera: the areas, their history, projects over what lives in them, automations over what they can do, and the
 * export of what they bring to it.
 */
export const features: readonly Feature[] = withPatchRoutes([
  ...areas,
  entityHistory({
    details: areas.flatMap((area) => area.historyDetails ?? []),
    restorers: [...areas, pageProjects].flatMap(restorersOf),
  }),
  pageProjects,
  automations({
    actionTypes: areas.flatMap((area) => area.actionTypes ?? []),
    triggers: areas.flatMap((area) => area.automationTriggers ?? []),
    readRelated: readRelatedRecords,
  }),
  reports(areas.flatMap((area) => area.reports ?? [])),
]);

function withPatchRoutes(all: readonly Feature[]): readonly Feature[] {
  return all.map((feature) => ({ ...feature, routes: withPatches(feature.routes) }));
}
