import type { ReferenceTexts } from '../../feature.ts';

/** What the reference says of this area: what its groups are about, and bodies to begin with. */
export const reference: ReferenceTexts = {
  tags: { 'Entity history': 'Every version of a record, who made it, and what was deleted.' },
  examples: {
    'deleted_records.restore': { entityType: 'form_theme', entitySortKey: 'k3v9x2m8qp' },
  },
};
