import type { ReferenceTexts } from '../../feature.ts';

/** What the reference says of this area: what its groups are about, and bodies to begin with. */
export const reference: ReferenceTexts = {
  tags: { 'Pages: previews': 'Links that show a document before it is saved.' },
  examples: { 'preview_snapshots.create': { snapshot: '{"title":"Not yet"}' } },
};
