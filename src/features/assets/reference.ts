import type { ReferenceTexts } from '../feature.ts';

/** Reference texts of this area: descriptions of its groups, and example bodies. */
export const reference: ReferenceTexts = {
  tags: { Assets: 'Files at public URLs; images in any size and format.' },
  examples: {
    'assets.create': { file: 'logo.svg', folder: '/brand', alt: 'The logo', tags: ['brand'] },
    'assets.replace': { name: 'logo.svg', folder: '/brand', alt: 'The logo', tags: ['brand'] },
  },
};
