import type { ReferenceTexts } from '../../feature.ts';

/** Texts of the API reference for this area. */
export const reference: ReferenceTexts = {
  tags: { 'Business units': 'The parts of a tenant that own records, and in which of them a request acts.' },
  examples: {
    'business_units.create': { name: 'Retail', slug: 'retail' },
    'business_units.rename': { name: 'Retail and wholesale' },
  },
};
