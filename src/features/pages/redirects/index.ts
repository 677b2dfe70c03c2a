import { searchOf } from '../../../resources/record-search.ts';
import type { Feature } from '../../feature.ts';
import { redirectBulk } from './bulk.ts';
import { DUPLICATE_REDIRECT } from './errors.ts';
import { examples } from './examples.ts';
import { redirects as redirectRecords } from './resource.ts';
import { routes } from './routes.ts';
import { redirectContents } from './service.ts';

/** Redirects of websites. */
export const redirects: Feature = {
  name: 'redirects',
  examples,
  tags: {
    'Pages: redirects': 'Redirect rules of websites, and their lookup.',
  },
  routes,
  bulks: [redirectBulk],
  searches: [searchOf(redirectRecords, { title: ['source_url_path'] })],
  restores: [{ resource: redirectRecords, createdBy: 'redirects.create' }],
  projectContents: [redirectContents],
  errors: [DUPLICATE_REDIRECT],
};
