import type { Feature } from '../feature.ts';
import { bounceReceiver } from './bounce-intake.ts';
import { TOKEN_INVALID } from './errors.ts';
import { routes } from './routes.ts';

export { bounceReceiver } from './bounce-intake.ts';
export { unsubscribeLinks } from './links.ts';
export {
  listMessageEvents,
  type MessageEvent,
  type MessageEventRow,
  messageEventsCall,
  recordMessageEvents,
} from './message-events.ts';
export { trackHtml } from './track-html.ts';

/** What becomes of messages: opens, clicks, bounces, complaints, unsubscribes. */
export const emailTracking: Feature = {
  name: 'email-tracking',
  routes,
  errors: [TOKEN_INVALID],
  start: async (platform) => {
    await bounceReceiver(platform);
  },
};
