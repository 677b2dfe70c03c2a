import type { ReferenceTexts } from '../../feature.ts';

/** Texts of the API reference for this area. */
export const reference: ReferenceTexts = {
  tags: { 'Business units': 'Parts of a tenant that own records, and the unit that a request acts in.' },
  examples: {
    'business_units.create': { name: 'Retail', slug: 'retail' },
    'business_units.rename': { name: 'Retail and wholesale' },
  },
};
