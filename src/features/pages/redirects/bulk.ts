/** Actions on many redirects of a project (docs/specification/bulk-actions.md#run). */
import Type from 'typebox';
import { type BulkRule, bulkChange } from '../../../resources/bulk-rules.ts';
import { requireProject } from '../projects/index.ts';
import { redirects } from './resource.ts';

/** Actions on many redirects of a project. */
export const redirectBulk: BulkRule = {
  resource: redirects,
  path: '/api/pages/{project_id}/redirects',
  id: 'redirects',
  tag: 'Pages: redirects',
  noun: 'redirects',
  title: 'source_url_path',
  example: { action: 'set_active', is_active: false },
  requireParent: (db, [projectId = '']) => requireProject(db, projectId),
  actions: [
    bulkChange({
      name: 'set_active',
      summary: 'sets whether they apply.',
      role: 'editor',
      updatedBy: 'redirects.replace',
      members: Type.Object({ is_active: Type.Boolean() }),
      patch: (_record, { is_active }) => ({ is_active }),
      unchanged: ({ is_active }) => ({ is_active: { eq: is_active } }),
    }),
    { name: 'delete', summary: 'deletes them.', role: 'admin', deletedBy: 'redirects.delete' },
  ],
};
