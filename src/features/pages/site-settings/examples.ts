import { body, type FeatureExamples } from '../../../http/examples.ts';
import { SettingsBody } from './schema.ts';

export const examples: FeatureExamples = {
  requests: {
    'site_settings.replace': body(SettingsBody)({
      website_name: 'Shop',
      favicon: { url: 'https://shop.example/favicon.png', alt: 'Shop' },
      default_meta_title: 'Shop of the north',
    }),
  },
};
