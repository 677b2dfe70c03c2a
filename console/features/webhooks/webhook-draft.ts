import type { DraftFields } from '../../drafts/draft-fields.ts';
import { texts } from './texts.ts';

const { translate } = texts;

/** Kind of a webhook, among drafts and in history. */
export const WEBHOOK = 'webhook';

/** The draft of a new webhook. */
export const NEW_WEBHOOK = { type: WEBHOOK, itemKey: null };

/** Returns how drafts show a webhook. */
export function webhookFields(): DraftFields {
  return {
    name: { label: translate('name') },
    'event.form_code': { label: translate('form') },
    'target.url': { label: translate('url') },
    'target.headers': { label: translate('headers'), format: describeHeaders },
    test_data: { label: translate('test-data') },
    active: { label: translate('active') },
  };
}

/** Returns the names of headers, with the values of those that are no secret. */
function describeHeaders(headers: unknown): string {
  if (!Array.isArray(headers)) return '';
  return headers
    .map(({ name, value }) => (typeof value === 'string' ? `${name}: ${value}` : String(name)))
    .join(', ');
}
