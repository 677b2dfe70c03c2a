import type { ReferenceTexts } from '../../feature.ts';

/** Reference texts: an introduction of the tag, and example bodies. */
export const reference: ReferenceTexts = {
  tags: {
    'Pages: site settings': 'Name, images, fonts and defaults of a site.',
  },
  examples: {
    'site_settings.replace': {
      website_name: 'Shop',
      favicon: { url: 'https://shop.example/favicon.png', alt: 'Shop' },
      default_meta_title: 'Shop of the north',
    },
  },
};
