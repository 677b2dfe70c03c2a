import type { ReferenceTexts } from '../../feature.ts';

/** Texts of the API reference for this area. */
export const reference: ReferenceTexts = {
  tags: { 'Entity history': 'Every version of a record, who made it, and what was deleted.' },
  examples: {
    'deleted_records.restore': { entityType: 'form_theme', entitySortKey: 'k3v9x2m8qp' },
  },
};
