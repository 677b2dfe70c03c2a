import type { schemas } from '../../sdk/src/index.ts';
import type { FieldTitles } from '../filters/field-titles.ts';
import { peopleTexts } from './texts.ts';

const { translate } = peopleTexts;

/** Returns the names of subscribers' fields in filters, with the lists as a choice. */
export function subscriberFieldTitles(lists: readonly schemas.List[]): FieldTitles {
  return {
    email: { title: translate('email') },
    first_name: { title: translate('first-name') },
    last_name: { title: translate('last-name') },
    active: { title: translate('active') },
    lists: { title: translate('list'), values: Object.fromEntries(lists.map(({ id, name }) => [id, name])) },
    audiences: { title: translate('audience') },
    created_at: { title: translate('created') },
    updated_at: { title: translate('updated') },
    'additional_fields_data.<name>': { title: translate('field') },
  };
}
