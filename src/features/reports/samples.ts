import { randomUUID } from 'node:crypto';
import type { FeatureSamples, Sample } from '../../../test/contract/samples.ts';
import { eventually } from '../../../test/harness/poll.ts';
import { senderDomain } from '../mail/email-settings/samples.ts';

const body = {
  receiver_email: 'ada@example.com',
  report_type: 'form_submissions',
  output_format: 'csv',
  filters: {},
};

/** An export with a file; the mail need not have arrived. */
const writtenExport: Sample = {
  needs: [senderDomain],
  make: async ({ tenant: { api } }) => {
    const { messageId } = (await api.post('/api/reports/export', body)).body;
    await eventually('the export to end', async () => {
      const { status } = (await api.get(`/api/reports/export/${messageId}`)).body;
      return ['sent', 'failed'].includes(status);
    });
    return messageId;
  },
  absent: randomUUID,
};

export const samples: FeatureSamples = {
  records: [writtenExport],
  requests: {
    'reports.export': () => ({ body }),
    'reports.get_export': (name) => ({ params: { messageId: name(writtenExport) } }),
    // A link that a mail program has cut.
    'reports.download': () => ({ params: { token: 'altered' } }),
  },
};
