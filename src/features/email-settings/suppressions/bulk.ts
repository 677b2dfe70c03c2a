/** Actions on many suppressions (docs/specification/bulk-actions.md#run). */
import type { BulkRule } from '../../../resources/bulk-rules.ts';
import { suppressions } from './resource.ts';

/** Actions on many suppressions. As for single ones, only the admin role on Default counts. */
export const suppressionBulk: BulkRule = {
  resource: suppressions,
  path: '/api/email_settings/suppressions',
  id: 'suppressions',
  tag: 'Email settings',
  noun: 'suppressions',
  title: 'recipient',
  example: { action: 'delete' },
  accessUnit: 'default',
  envelope: 'wrapped',
  actions: [
    {
      name: 'delete',
      summary: 'removes them, so that mail is sent again.',
      role: 'admin',
      deletedBy: 'suppressions.delete',
    },
  ],
};
