import type { DraftFields } from '../../drafts/draft-fields.ts';
import { texts } from './texts.ts';

const { translate } = texts;

/** Kind of a list, among drafts and in history. */
export const LIST = 'marketing_list';

/** The draft of a new list. */
export const NEW_LIST = { type: LIST, itemKey: null };

/** Returns how drafts and history show a list. */
export function listFields(): DraftFields {
  return { name: { label: translate('name') }, description: { label: translate('description') } };
}
