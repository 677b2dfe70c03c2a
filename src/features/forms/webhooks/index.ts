import { searchOf } from '../../../resources/record-search.ts';
import type { Feature } from '../../feature.ts';
import { formDeletion } from '../forms/index.ts';
import { deliveryFigures, findFailingWebhooks } from './attention.ts';
import { webhookDeliveries } from './delivery.ts';
import { submissionDeliveries } from './delivery-source.ts';
import { examples } from './examples.ts';
import { deliveryLogRetention, dropWaitingDeliveries, removeDeliveryLog } from './jobs.ts';
import { sealedWebhookColumns, webhookResource } from './resource.ts';
import { routes } from './routes.ts';
import { deleteWebhooksOf } from './service.ts';

export { webhookDeliveries } from './delivery.ts';
export {
  type DeliverableSubmission,
  deleteDeliveriesOf,
  insertDeliveries,
  type SubmissionKey,
} from './queries.ts';
export { redeliverSubmissions } from './redeliver-submissions.ts';

/** Webhooks for form submissions, and their deliveries. */
export const webhooks: Feature = {
  name: 'webhooks',
  examples,
  tags: { Webhooks: 'Delivery of form submissions: targets, tests, delivery log.' },
  routes,
  searches: [searchOf(webhookResource, { subtitle: 'form_code' })],
  restores: [
    {
      resource: webhookResource,
      createdBy: 'webhooks.create',
      notRestored:
        'The signing secret is not restored: set it again if the receiver checks signatures. The delivery log starts empty.',
    },
  ],
  jobs: [dropWaitingDeliveries, removeDeliveryLog],
  retentions: [deliveryLogRetention],
  sealed: sealedWebhookColumns,
  workQueues: [webhookDeliveries],
  deliverySources: [submissionDeliveries],
  overview: { attention: [findFailingWebhooks], today: deliveryFigures },
  extensions: [formDeletion.with(deleteWebhooksOf)],
};
