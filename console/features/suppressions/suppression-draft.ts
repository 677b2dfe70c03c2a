import type { DraftFields } from '../../drafts/draft-fields.ts';
import { isCause, typeTitle } from './suppression-types.ts';
import { texts } from './texts.ts';

const { translate } = texts;

/** The draft of a new suppression. */
export const NEW_SUPPRESSION = { type: 'suppression', itemKey: null };

/** Returns how drafts show a suppression. */
export function suppressionFields(): DraftFields {
  return {
    recipient: { label: translate('address') },
    type: { label: translate('type'), format: (value) => (isCause(value) ? typeTitle(value) : '') },
    description: { label: translate('description') },
  };
}
