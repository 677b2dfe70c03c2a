import type { Feature } from '../../feature.ts';
import { examples } from './examples.ts';
import { siteSettings as resource } from './resource.ts';
import { routes } from './routes.ts';
import { settingsBodyOf } from './service.ts';

/** Settings of a whole site. */
export const siteSettings: Feature = {
  name: 'site-settings',
  examples,
  tags: {
    'Pages: site settings': 'Name, images, fonts and defaults of a site.',
  },
  routes,
  restores: [{ resource, createdBy: 'site_settings.replace', bodyOf: settingsBodyOf }],
  projectContents: [{ resource }],
};
