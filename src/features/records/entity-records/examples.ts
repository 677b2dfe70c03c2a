import { randomUUID } from 'node:crypto';
import { body, type FeatureExamples } from '../../../http/examples.ts';
import { BulkCreateBody, BulkDeleteBody, BulkUpdateBody, MoveBody } from './schema.ts';

const order = { number: 'A-1', total: 49.9 };

/** Examples of this feature's operations. */
export const examples: FeatureExamples = {
  records: {
    owned_entity: { path: '/api/{entity}' },
    entity_record: { path: '/api/{entity}/{id}', absent: randomUUID },
    spare_record: { absent: randomUUID },
  },
  requests: {
    'records.list': { query: { page: '1', per_page: '5', sort: '-number' } },
    'records.count': { query: { by: 'number' } },
    'records.create': { body: order },
    'records.create_many': body(BulkCreateBody)({ records: [order, { number: 'A-2', total: 12 }] }),
    'records.update_many': body(BulkUpdateBody)({ filter: { total__lt: 10 }, update: { total: 10 } }),
    'records.delete_many': body(BulkDeleteBody)((name) => ({ ids: [name('spare_record')] })),
    'records.get': { query: { fields: 'number' } },
    'records.update': { body: { total: 59.9 } },
    'records.move': body(MoveBody)({ to: 'paid' }),
  },
};
