import type { Static } from 'typebox';
import { body, type FeatureExamples, type NameOf } from '../../../http/examples.ts';
import { entityResource } from './resource.ts';
import { ReplaceBody } from './routes.ts';

const order = (name: NameOf): Static<typeof ReplaceBody> => ({
  label: 'Order',
  fields: [
    { name: 'number', type: 'string', required: true, unique: true, max: 20 },
    { name: 'customer', type: 'relation', relation: { entity: name('customer_entity'), kind: 'belongs_to' } },
    { name: 'total', type: 'number', min: 0, indexed: true },
    { name: 'status', type: 'enum', enum: ['open', 'paid', 'sent'], required: true, default: 'open' },
  ],
  workflow: {
    field: 'status',
    initial: 'open',
    states: ['open', 'paid', 'sent'],
    transitions: [
      { from: 'open', to: 'paid' },
      { from: 'paid', to: 'sent' },
    ],
  },
});

/** Examples of this feature's operations. */
export const examples: FeatureExamples = {
  records: {
    entity: {
      path: '/api/entities/{name}',
      createdBy: 'entities.create',
      shown: 'order',
      absent: () => 'absent_entity',
    },
    customer_entity: { shown: 'customer' },
  },
  requests: {
    'entities.create': body(entityResource.createBody)((name, unique) => ({
      name: unique('order'),
      ...order(name),
    })),
    'entities.replace': body(ReplaceBody)(order),
    'entities.delete': { query: { drop: 'true' } },
  },
};
