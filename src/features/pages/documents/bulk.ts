/** Actions on many documents of a project (docs/specification/bulk-actions.md#run). */
import Type from 'typebox';
import { type BulkRule, bulkChange } from '../../../resources/bulk-rules.ts';
import { requireProject } from '../projects/index.ts';
import { documents } from './resource.ts';
import { Status } from './schema.ts';

/** Actions on many documents of a project. */
export const documentBulk: BulkRule = {
  resource: documents,
  path: '/api/pages/{project_id}/document',
  id: 'documents',
  tag: 'Pages: documents',
  noun: 'documents',
  title: 'name',
  example: { action: 'set_status', status: 'live' },
  requireParent: (db, [projectId = '']) => requireProject(db, projectId),
  actions: [
    bulkChange({
      name: 'set_status',
      summary: 'sets their status.',
      role: 'editor',
      updatedBy: 'documents.put',
      members: Type.Object({ status: Status }),
      patch: (_record, { status }) => ({ status }),
      unchanged: ({ status }) => ({ status: { eq: status } }),
    }),
    { name: 'delete', summary: 'deletes them.', role: 'admin', deletedBy: 'documents.delete' },
  ],
};
