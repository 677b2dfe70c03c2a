import type { Feature } from '../../feature.ts';
import { sendEmail } from './actions/send-email.ts';
import { examples } from './examples.ts';
import { routes } from './routes.ts';
import { messageQueues } from './sending/queue.ts';
import { mailTimeline } from './timeline.ts';

export * as sendings from './campaign-sending.ts';
export { contentOfTemplate } from './content.ts';
export * as engagement from './engagement.ts';
export { deleteTransmissions, eraseMessagesTo } from './erasure.ts';
export { acceptPlatformMail, findPlatformMailState, type PlatformMail } from './platform-mail.ts';
export { getRecipientHistory } from './recipient-history.ts';
export { RecipientHistory } from './recipient-history-schema.ts';
export * as recipientMessages from './recipient-messages.ts';
export { TransmissionCreated } from './schema.ts';
export {
  campaignRecipients,
  type RecipientData,
  type Viewer,
} from './sending/recipient-resolver.ts';
export { renderAgain } from './sending/render-again.ts';
export * as sendingFigures from './sending-statistics.ts';
export type { StoredContent } from './tables.ts';

/** Mail to many recipients, with a queue item per message. */
export const transmissions: Feature = {
  name: 'transmissions',
  examples,
  tags: { Transmissions: 'Direct email to up to 5,000 recipients, with the status of each message.' },
  routes,
  workQueues: messageQueues,
  actionTypes: [sendEmail],
  timelines: [mailTimeline],
  overview: {
    // Counted for the tenant, so not shown to members of some units.
    today: [
      {
        name: 'sent_mails',
        subjectsOf: ({ reachesAllUnits, tenantId }) => (reachesAllUnits ? [tenantId] : []),
      },
    ],
  },
};
