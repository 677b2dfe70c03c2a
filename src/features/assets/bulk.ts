/** Actions on many assets (docs/specification/bulk-actions.md#run). */
import Type from 'typebox';
import { type BulkRule, bulkChange, textsIn } from '../../resources/bulk-rules.ts';
import { assets } from './resource.ts';
import { Folder, Tags } from './schema.ts';

const update = { role: 'editor', updatedBy: 'assets.replace' } as const;

/** Actions on many assets. Like each of them, they are for owners, because the whole tenant shares its assets. */
export const assetBulk: BulkRule = {
  resource: assets,
  path: '/api/assets',
  id: 'assets',
  tag: 'Assets',
  noun: 'assets',
  title: 'name',
  example: { action: 'move', folder: '/logos' },
  access: 'owner',
  actions: [
    bulkChange({
      ...update,
      name: 'move',
      summary: 'moves them to a folder.',
      members: Type.Object({ folder: Folder }),
      patch: (_record, { folder }) => ({ folder }),
      unchanged: ({ folder }) => ({ folder: { eq: folder } }),
    }),
    bulkChange({
      ...update,
      name: 'tag',
      summary: 'adds and removes tags.',
      members: Type.Object({ add_tags: Type.Optional(Tags), remove_tags: Type.Optional(Tags) }),
      check: ({ add_tags, remove_tags }) =>
        add_tags === undefined && remove_tags === undefined
          ? [{ field: 'add_tags', message: 'is required without remove_tags' }]
          : [],
      patch: (record, { add_tags: added = [], remove_tags: removed = [] }) => ({
        tags: [...new Set([...textsIn(record.tags), ...added])].filter((tag) => !removed.includes(tag)),
      }),
    }),
    { name: 'delete', summary: 'deletes them with their files.', role: 'editor', deletedBy: 'assets.delete' },
  ],
};
