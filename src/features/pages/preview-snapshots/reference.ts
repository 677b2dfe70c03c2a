import type { ReferenceTexts } from '../../feature.ts';

/** Reference texts: an introduction of the tag, and example bodies. */
export const reference: ReferenceTexts = {
  tags: { 'Pages: previews': 'Links to unsaved states of documents.' },
  examples: { 'preview_snapshots.create': { snapshot: '{"title":"Not yet"}' } },
};
