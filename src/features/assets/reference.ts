import type { ReferenceTexts } from '../feature.ts';

/** What the reference says of this area: what its groups are about, and bodies to begin with. */
export const reference: ReferenceTexts = {
  tags: { Assets: 'Files and pictures, each at a public address, pictures in any size and format.' },
  examples: {
    'assets.create': { file: 'logo.svg', folder: '/brand', alt: 'The logo', tags: ['brand'] },
    'assets.replace': { name: 'logo.svg', folder: '/brand', alt: 'The logo', tags: ['brand'] },
  },
};
