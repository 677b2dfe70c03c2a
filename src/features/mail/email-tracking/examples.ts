import type { FeatureExamples } from '../../../http/examples.ts';

/** A link that a mail program has truncated. */
const link = { params: { token: 'altered' } };

export const examples: FeatureExamples = {
  requests: {
    'email_tracking.open': link,
    'email_tracking.click': link,
    'email_tracking.unsubscribe_page': link,
    'email_tracking.unsubscribe': link,
    'email_tracking.resubscribe': link,
  },
};
