import type { Feature } from '../../feature.ts';
import { reference } from './reference.ts';
import { siteSettings as resource } from './resource.ts';
import { routes } from './routes.ts';
import { settingsBodyOf } from './service.ts';

/** Settings of a whole site. */
export const siteSettings: Feature = {
  name: 'site-settings',
  reference,
  routes,
  restores: [{ resource, by: 'site_settings.replace', bodyOf: settingsBodyOf }],
  projectContents: [{ resource }],
};
