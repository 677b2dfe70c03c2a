import type { Feature } from '../../feature.ts';
import { bounceReceiver } from './bounce-intake.ts';
import { eventBuffer } from './event-buffer.ts';
import { examples } from './examples.ts';
import { routes } from './routes.ts';
import { mailEventTimeline } from './timeline.ts';

export { bounceReceiver } from './bounce-intake.ts';
export { unsubscribeLinks } from './links.ts';
export { type MailNotice, recordMailNotices } from './mail-notices.ts';
export * as messageEngagement from './message-engagement.ts';
export {
  deleteMessageEvents,
  listMessageEvents,
  type MessageEvent,
  type MessageEventRow,
  messageEventsCall,
  recordMessageEvents,
} from './message-events.ts';
export { trackHtml } from './track-html.ts';
export { buildTrackedMime } from './tracked-mime.ts';
export { linkSigners } from './tracking-tokens.ts';
export { unsubscribeHandlers } from './unsubscribe-handlers.ts';

/** Events of sent messages: opens, clicks, bounces, complaints, unsubscribes. */
export const emailTracking: Feature = {
  name: 'email-tracking',
  examples,
  tags: { 'Email tracking': 'Requests of mail clients and recipients: pixels, links, unsubscribing.' },
  routes,
  timelines: [mailEventTimeline],
  start: async (platform) => {
    // Registers its metric before the first open.
    eventBuffer(platform);
    await bounceReceiver(platform);
  },
};
