import type { ReferenceTexts } from '../../feature.ts';

/** What the reference says of this area: what its groups are about, and bodies to begin with. */
export const reference: ReferenceTexts = {
  tags: {
    'Pages: site settings': 'What holds for a site as a whole: its name, pictures, fonts and defaults.',
  },
  examples: {
    'site_settings.replace': {
      website_name: 'Shop',
      favicon: { url: 'https://shop.example/favicon.png', alt: 'Shop' },
      default_meta_title: 'Shop of the north',
    },
  },
};
