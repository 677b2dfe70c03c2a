import type { ReferenceTexts } from '../../feature.ts';

const fields = [
  { name: 'number', type: 'string', required: true, unique: true, max: 20 },
  { name: 'customer', type: 'relation', relation: { entity: 'customer', kind: 'belongs_to' } },
  { name: 'total', type: 'number', min: 0, indexed: true },
  { name: 'status', type: 'enum', enum: ['open', 'paid', 'sent'], required: true, default: 'open' },
];
const workflow = {
  field: 'status',
  initial: 'open',
  states: ['open', 'paid', 'sent'],
  transitions: [
    { from: 'open', to: 'paid' },
    { from: 'paid', to: 'sent' },
  ],
};

/** Introduction and example bodies for the API reference. */
export const reference: ReferenceTexts = {
  tags: { Entities: 'Record types that you define: fields, relations, workflow.' },
  examples: {
    'entities.create': { name: 'order', label: 'Order', fields, workflow },
    'entities.replace': { label: 'Order', fields, workflow },
  },
};
