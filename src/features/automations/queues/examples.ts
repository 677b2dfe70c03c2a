import { body, type FeatureExamples } from '../../../http/examples.ts';
import { MessageBody } from './schema.ts';

export const examples: FeatureExamples = {
  requests: {
    'queue_messages.publish': {
      params: { queueName: 'stock' },
      ...body(MessageBody)({ body: { order: 1042, total: 59.9 } }),
    },
  },
};
