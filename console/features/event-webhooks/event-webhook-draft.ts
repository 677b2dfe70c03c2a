import type { schemas } from '../../../sdk/src/index.ts';
import type { Collection } from '../../email-settings/entries.ts';
import { texts } from './texts.ts';

const { translate } = texts;

/** Kind of an event webhook among drafts. */
const EVENT_WEBHOOK = 'email_event_webhook';

/** The draft of a new event webhook. */
export const NEW_EVENT_WEBHOOK = { type: EVENT_WEBHOOK, itemKey: null };

/** The kinds of events, in the order in which they happen to a message. */
export const EVENTS = ['delivery', 'bounce', 'complaint', 'open', 'click', 'unsubscribe'] as const;

/** The event webhooks among the email settings. */
export const EVENT_WEBHOOKS: Collection<schemas.EventWebhookReplace> = {
  draftType: EVENT_WEBHOOK,
  empty: { name: '', target: '', events: [...EVENTS], active: true },
  fields: () => ({
    name: { label: translate('name') },
    target: { label: translate('target') },
    events: { label: translate('events'), format: describeEvents },
    active: { label: translate('active') },
  }),
  keyOf: ({ name }) => name,
  entriesOf: ({ event_webhooks }) => event_webhooks.map(toInput),
  entryOf: ({ version: _, ...webhook }) => webhook,
  bodyOf: (event_webhooks) => ({ event_webhooks }),
  entriesIn: ({ event_webhooks }) => event_webhooks,
};

/** Returns the names of events. */
export function describeEvents(events: unknown): string {
  if (!Array.isArray(events)) return '';
  return EVENTS.filter((each) => events.includes(each))
    .map((each) => translate(`event.${each}`))
    .join(', ');
}

/** Returns a webhook as a body takes it. The server keeps a secret that the body omits. */
function toInput({ name, target, events, active }: schemas.EventWebhook): schemas.EventWebhookReplace {
  return { name, target, events, active };
}
