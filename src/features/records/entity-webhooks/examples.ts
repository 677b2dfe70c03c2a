import { randomUUID } from 'node:crypto';
import { body, type FeatureExamples } from '../../../http/examples.ts';
import { WebhookBody } from './schema.ts';

/** Examples of this feature's operations. */
export const examples: FeatureExamples = {
  records: { entity_webhook: { createdBy: 'entity_webhooks.create', absent: randomUUID } },
  requests: {
    'entity_webhooks.create': body(WebhookBody)((name) => ({
      url: name('receiver'),
      events: [`${name('entity')}.created`, `${name('entity')}.updated`],
      secret: 'a long secret that only the receiver knows',
    })),
    'entity_webhooks.delete': { params: (name) => ({ id: name('entity_webhook') }) },
  },
};
