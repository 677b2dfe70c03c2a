import type { ReferenceTexts } from '../../feature.ts';

const ada = {
  first_name: 'Ada',
  last_name: 'Lovelace',
  email: 'ada@example.com',
  active: true,
  lists: [],
  audiences: [],
  additional_fields_data: { city: 'London' },
};

/** Texts of the API reference for this area. */
export const reference: ReferenceTexts = {
  tags: {
    Subscribers: 'Contacts for marketing mail: lists, data, preferences.',
  },
  examples: {
    'subscribers.create': ada,
    'subscribers.replace': ada,
    'subscribers.put_by_email': { first_name: 'Ada', additional_fields_data: { city: 'London' } },
    'lists.add_members': { emails: ['ada@example.com', 'bob@example.com'] },
    'lists.remove_members': { emails: ['bob@example.com'] },
    'subscribers.import':
      'email,first_name,last_name,city\nada@example.com,Ada,Lovelace,London\nbob@example.com,Bob,,\n',
    'subscribers.search': {
      payload: { queryName: 'getSubscribersCountByListIds', vars: { listIds: [] } },
    },
    'preferences.update': {
      subscription_updates: [{ subscription_type_id: 'news', subscribe: true }],
      replace_all: true,
    },
    'preferences.save': 'shown=news&type=news',
  },
};
