import { body, type FeatureExamples } from '../../http/examples.ts';
import { Redelivery } from './schema.ts';

/** Examples of this feature's operations. */
export const examples: FeatureExamples = {
  requests: {
    'deliveries.redeliver': body(Redelivery)({ filters: { status: { eq: 'failed' } }, dry_run: true }),
  },
};
