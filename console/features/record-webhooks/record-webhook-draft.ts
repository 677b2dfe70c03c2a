import type { DraftFields } from '../../drafts/draft-fields.ts';
import { texts } from './texts.ts';

const { translate } = texts;

/** The draft of a new record webhook: never its secret, because drafts are stored in the browser. */
export const NEW_RECORD_WEBHOOK = { type: 'record_webhook', itemKey: null };

/** Kinds of change. */
export const CHANGES = ['created', 'updated', 'deleted'] as const;

/** Returns how drafts show a record webhook. */
export function recordWebhookFields(): DraftFields {
  return {
    url: { label: translate('target') },
    events: { label: translate('changes'), format: describeEvents },
  };
}

/** Returns events by entity, as text: "order: Created, Deleted". */
export function describeEvents(events: unknown): string {
  if (!Array.isArray(events)) return '';
  const names = events.map(String);
  const entities = new Set(names.map((name) => name.slice(0, name.lastIndexOf('.'))));
  return [...entities]
    .map((entity) => {
      const changes = CHANGES.filter((change) => names.includes(`${entity}.${change}`));
      return `${entity}: ${changes.map((change) => translate(`change.${change}`)).join(', ')}`;
    })
    .join('; ');
}
