import type { FeatureExamples } from '../../../http/examples.ts';

/** Examples of this feature's operations. */
export const examples: FeatureExamples = {
  requests: { 'event_webhooks.test': { params: { name: 'CRM' } } },
};
