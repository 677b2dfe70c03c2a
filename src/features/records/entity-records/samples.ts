import { randomUUID } from 'node:crypto';
import type { FeatureSamples, NameOf, Sample } from '../../../../test/contract/samples.ts';
import { signIn } from '../../../../test/harness/members.ts';
import { unit } from '../../tenancy/business-units/samples.ts';

const fields = [
  { name: 'title', type: 'string' },
  { name: 'state', type: 'string' },
  { name: 'holder', type: 'string' },
];
const workflow = {
  field: 'state',
  initial: 'new',
  states: ['new', 'read'],
  transitions: [{ from: 'new', to: 'read' }],
  owner_field: 'holder',
};

/** A unit-owned entity. Members of any unit may see its name. */
const book: Sample = {
  make: async ({ tenant }) =>
    (
      await tenant.api.post('/api/entities', {
        name: `book_${randomUUID().slice(0, 8)}`,
        fields,
        workflow,
        owned_by: 'business_unit',
      })
    ).body.name,
};

function bookRecord(title: string): Sample {
  return {
    needs: [book, unit],
    make: async ({ tenant, name }) => {
      const { bearer } = await signIn(tenant.api, tenant.ownerEmail);
      const body = { title, business_unit: name(unit) };
      return (await bearer.post(`/api/${name(book)}`, body)).body.id;
    },
    absent: randomUUID,
  };
}

const record = bookRecord('Emma');
const another = bookRecord('Persuasion');

const ofBook = (name: NameOf) => ({ entity: name(book) });
const ofRecord = (name: NameOf) => ({ entity: name(book), id: name(record) });

export const samples: FeatureSamples = {
  records: [book, record, another],
  requests: {
    'records.list': (name) => ({ params: ofBook(name), query: { page: '1', per_page: '5', sort: '-title' } }),
    'records.count': (name) => ({ params: ofBook(name), query: { by: 'title' } }),
    'records.create': (name) => ({ params: ofBook(name), body: { title: 'Persuasion' } }),
    'records.create_many': (name) => ({ params: ofBook(name), body: { records: [{ title: 'Lady Susan' }] } }),
    'records.update_many': (name) => ({
      params: ofBook(name),
      body: { filter: { title: 'none' }, update: { title: 'Sanditon' } },
    }),
    'records.delete_many': (name) => ({ params: ofBook(name), body: { ids: [name(another)] } }),
    'records.get': (name) => ({ params: ofRecord(name), query: { fields: 'title' } }),
    'records.update': (name) => ({ params: ofRecord(name), body: { title: 'Emma, replaced' } }),
    'records.delete': (name) => ({ params: ofRecord(name) }),
    'records.move': (name) => ({ params: ofRecord(name), body: { to: 'read' } }),
    'records.take': (name) => ({ params: ofRecord(name) }),
  },
};
