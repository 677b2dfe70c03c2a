import { searchOf } from '../../../resources/record-search.ts';
import { groupUsage, groupUses } from '../../contacts/api.ts';
import type { Feature } from '../../feature.ts';
import { findStoppedEmails } from './attention.ts';
import { findGroupUses, findUsingEmails } from './emails/queries.ts';
import { emails } from './emails/resource.ts';
import { restorableEmail } from './emails/service.ts';
import {
  CAMPAIGN_HAS_ACTIVE_EMAILS,
  CAMPAIGN_NOT_FOUND,
  DUPLICATE_CAMPAIGN_CODE,
  EMAIL_NOT_FOUND,
  INVALID_CAMPAIGN,
} from './errors.ts';
import { examples } from './examples.ts';
import { previewRoutes } from './preview/routes.ts';
import { campaignReport, emailReport } from './reports.ts';
import { campaigns as campaignRecords } from './resource.ts';
import { routes } from './routes.ts';
import { snapshotAudience } from './sending/audience-snapshot.ts';
import { watchEmails } from './sending/jobs.ts';
import { campaignRecipientResolver } from './sending/recipient-resolver.ts';
import { campaignUnsubscribeHandler } from './sending/unsubscribe-handler.ts';

export {
  findMailSubscribers,
  type MailSubscriber,
  SAMPLE_SUBSCRIBER,
  subscriberTemplateData,
} from './sending/mail-subscribers.ts';
export { platformWriter } from './sending/platform-writer.ts';
export { dryRunData } from './sending/recipient-resolver.ts';

/** Marketing campaigns: emails to lists and audiences, and their figures. */
export const campaigns: Feature = {
  name: 'campaigns',
  examples,
  tags: {
    Campaigns: 'Marketing campaigns with figures over all their emails.',
    'Campaign emails': 'Emails of campaigns: edit, check, send, cancel.',
    'Campaign figures': 'Engagement with emails: rates, links, activity per recipient.',
  },
  routes: [...routes, ...previewRoutes],
  searches: [searchOf(campaignRecords), searchOf(emails, { subtitle: 'campaign_code', byName: false })],
  restores: [
    {
      resource: campaignRecords,
      createdBy: 'campaigns.create',
      notRestored:
        'Emails of the campaign and their figures are not restored. Restore each email separately.',
    },
    {
      resource: emails,
      createdBy: 'campaign_emails.create',
      bodyOf: restorableEmail,
      notRestored:
        'Figures start at zero. Unless the email was Ready, it is a Draft now, so that nothing is sent twice.',
    },
  ],
  jobs: [snapshotAudience, watchEmails],
  overview: { attention: [findStoppedEmails] },
  reports: [campaignReport, emailReport],
  errors: [
    INVALID_CAMPAIGN,
    CAMPAIGN_HAS_ACTIVE_EMAILS,
    CAMPAIGN_NOT_FOUND,
    EMAIL_NOT_FOUND,
    DUPLICATE_CAMPAIGN_CODE,
  ],
  extensions: [
    campaignRecipientResolver,
    groupUses.with(findGroupUses),
    groupUsage.with(findUsingEmails),
    campaignUnsubscribeHandler,
  ],
};
