import type { ReferenceTexts } from '../../feature.ts';

const order = { number: 'A-1', total: 49.9 };

/** Introduction and example bodies for the API reference. */
export const reference: ReferenceTexts = {
  tags: { 'Entity records': 'Records of your entities, for signed-in users.' },
  examples: {
    'records.create': order,
    'records.update': { total: 59.9 },
    'records.create_many': { records: [order, { number: 'A-2', total: 12 }] },
    'records.update_many': { filter: { total__lt: 10 }, update: { total: 10 } },
    'records.delete_many': { ids: ['0193cf2b-8d2c-7b5e-9a55-0242ac120002'] },
    'records.move': { to: 'paid' },
  },
};
