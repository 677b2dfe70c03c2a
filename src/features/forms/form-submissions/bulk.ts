/** Actions on many submissions (docs/specification/bulk-actions.md#run). */
import type { BulkRule } from '../../../resources/bulk-rules.ts';
import { redeliverSubmissions } from '../webhooks/index.ts';
import { findSubmissionKeys } from './queries.ts';
import { submissions } from './resource.ts';

/** Actions on many submissions. */
export const submissionBulk: BulkRule = {
  resource: submissions,
  path: '/api/form_submissions',
  id: 'form_submissions',
  tag: 'Forms',
  noun: 'submissions',
  title: 'email_address',
  example: { action: 'redeliver' },
  actions: [
    {
      name: 'delete',
      summary: 'deletes them and drops their pending deliveries.',
      role: 'admin',
      deletedBy: 'form_submissions.delete',
    },
    {
      name: 'redeliver',
      summary: 'delivers them again to the active webhooks of their forms.',
      role: 'editor',
      run: async (ctx, keys) => redeliverSubmissions(ctx, await findSubmissionKeys(ctx.db, keys.flat())),
    },
  ],
};
