import { randomUUID } from 'node:crypto';
import { body, type FeatureExamples, type NameOf } from '../../../http/examples.ts';
import { MembersBody } from './list-members/schema.ts';
import { PreferencesPreview, PreferencesUpdate } from './preferences/schema.ts';
import { subscribers } from './resource.ts';
import { SearchBody } from './schema.ts';

const ada = (name: NameOf) => ({
  first_name: 'Ada',
  last_name: 'Lovelace',
  active: true,
  lists: [name('list')],
  audiences: [name('audience')],
  additional_fields_data: { city: 'London' },
});
const members = body(MembersBody)((name) => ({ subscriber_ids: [name('subscriber')] }));

/** A link that a mail program has cut. */
const link = { params: { token: 'altered' } };

export const examples: FeatureExamples = {
  records: {
    subscriber: { path: '/api/subscribers/{id}', absent: randomUUID },
    subscriber_import: { path: '/api/subscribers/import/{id}', absent: randomUUID },
  },
  requests: {
    'subscribers.create': body(subscribers.createBody)((name, unique) => ({
      ...ada(name),
      email: unique('ada@example.com'),
    })),
    'subscribers.replace': body(subscribers.replaceBody)((name, unique) => ({
      ...ada(name),
      email: unique('ada@example.com'),
    })),
    'subscribers.put_by_email': {
      params: { email: 'by-address@example.com' },
      body: { first_name: 'Ada', additional_fields_data: { city: 'London' } },
    },
    'lists.add_members': members,
    'lists.remove_members': members,
    'subscribers.confirm_page': link,
    'subscribers.confirm': link,
    'subscribers.import': {
      query: (name) => ({ mode: 'upsert', list_id: name('list') }),
      upload: {
        type: 'text/csv',
        text: 'email,first_name,last_name,city\nada@example.com,Ada,Lovelace,London\nbob@example.com,Bob,,\n',
      },
    },
    'subscribers.preview_import': {
      upload: {
        type: 'text/csv',
        text: 'E-Mail-Adresse;Vorname;Nachname;Ort\nada@example.com;Ada;Lovelace;London\n',
      },
    },
    'subscribers.search': body(SearchBody)((name) => ({
      payload: { queryName: 'getSubscribersCountByListIds', vars: { listIds: [name('list')] } },
    })),
    'preferences.get': link,
    'preferences.update': {
      ...link,
      ...body(PreferencesUpdate)({
        subscription_updates: [{ subscription_type_id: 'news', subscribe: true }],
        replace_all: true,
      }),
    },
    'preference_page.preview': body(PreferencesPreview)({
      subscription_types: [{ id: 'news', name: 'News', description: 'Once a month', active: true }],
      brand_settings: { primary_color: '#0f766e' },
    }),
    'preferences.page': link,
    'preferences.save': {
      ...link,
      upload: { type: 'application/x-www-form-urlencoded', text: 'shown=news&type=news' },
    },
  },
};
