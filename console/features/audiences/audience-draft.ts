import type { DraftFields } from '../../drafts/draft-fields.ts';
import { texts } from './texts.ts';

const { translate } = texts;

/** Kind of an audience, among drafts and in history. */
export const AUDIENCE = 'marketing_audience';

/** The draft of a new audience. */
export const NEW_AUDIENCE = { type: AUDIENCE, itemKey: null };

/** Returns how drafts and history show an audience. */
export function audienceFields(): DraftFields {
  return {
    name: { label: translate('name') },
    description: { label: translate('description') },
    filters: { label: translate('conditions') },
  };
}
