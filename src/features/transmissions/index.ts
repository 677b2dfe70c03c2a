import type { Feature } from '../feature.ts';
import { sendEmail } from './actions/send-email.ts';

import { reference } from './reference.ts';
import { routes } from './routes.ts';
import { messageLedgers } from './sending/ledger.ts';

export {
  type AddressedMessage,
  countErased,
  listAddressed,
  listAddressedTo,
  listSendingsTo,
} from './addressed.ts';
export { storedAttachments } from './attachments.ts';
export {
  type Addressee,
  addMessages,
  beginSending,
  CAMPAIGN_LANE,
  cancelSending,
  countUnmade,
  endWriting,
  findAddressee,
  findSendingProblem,
  firstPending,
  isSendingCancelled,
  laneFor,
  type OngoingMessage,
  retryUnmade,
} from './campaign-sending.ts';
export { contentOfTemplate } from './content.ts';
export { toMessages } from './create.ts';
export { type Engagement, type EngagementSpan, engagedAfter, recipientsEngaged } from './engagement.ts';
export { deleteTransmissions, eraseMessagesTo } from './erasure.ts';
export { acceptOwnMail, findOwnMailState, type OwnMail } from './own-mail.ts';
export { insertMessages } from './queries.ts';
export { TransmissionCreated } from './schema.ts';
export { type Audience, campaignRecipients, type Told, type Viewer } from './sending/audience.ts';
export { ledgerOf } from './sending/ledger.ts';
export { renderAgain } from './sending/render-again.ts';
export {
  type CampaignCounts,
  countCampaigns,
  countSendings,
  type SendingCounts,
} from './sending-figures.ts';
export { tellStory } from './story.ts';
export { RecipientStory } from './story-schema.ts';
export type { StoredContent } from './tables.ts';
export { momentOf } from './wall-clock.ts';

/** Mail to many recipients, and the ledger that can answer for every message. */
export const transmissions: Feature = {
  name: 'transmissions',
  reference,
  routes,
  ledgers: messageLedgers,
  actionTypes: [sendEmail],
};
