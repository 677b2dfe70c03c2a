import type { ReferenceTexts } from '../../feature.ts';

/** Texts of the API reference for this area. */
export const reference: ReferenceTexts = {
  tags: { 'Entity history': 'All versions of records with their authors, and deleted records.' },
  examples: {
    'deleted_records.restore': { entityType: 'form_theme', entitySortKey: 'k3v9x2m8qp' },
  },
};
