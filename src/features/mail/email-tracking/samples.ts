import type { FeatureSamples, Sample } from '../../../../test/contract/samples.ts';
import { eventually } from '../../../../test/harness/poll.ts';
import { senderDomain, subscriptionType } from '../email-settings/samples.ts';
import { waitingTransmission } from '../transmissions/samples.ts';

/** The recipient of a sent mail of which a webhook was notified; identified by the link. */
const unsubscription: Sample = {
  needs: [senderDomain, subscriptionType],
  make: async ({ tenant: { api, operator }, name }) => {
    const address = `reader@${name(senderDomain)}`;
    await api.post('/api/transmissions', {
      ...waitingTransmission(name),
      options: { transactional: false },
      recipients: [{ address, tags: [name(subscriptionType)] }],
    });
    const id = await eventually('the mail in the outbox', async () => {
      const { results } = (await operator.get(`/admin/outbox?to=${address}`)).body;
      return results[0] && String(results[0].id);
    });
    const { headers } = (await operator.get(`/admin/outbox/${id}`)).body;
    const [link = ''] = /\/u\/[^>]+/.exec(JSON.stringify(headers)) ?? [];
    await operator.send('POST', link);
    return link;
  },
};

/** A request with a link that a mail program has cut. */
const params = { token: 'altered' };

export const samples: FeatureSamples = {
  records: [unsubscription],
  requests: {
    'email_tracking.open': () => ({ params }),
    'email_tracking.click': () => ({ params }),
    'email_tracking.unsubscribe_page': () => ({ params }),
    'email_tracking.unsubscribe': () => ({ params }),
    'email_tracking.resubscribe': () => ({ params }),
  },
};
