import { randomUUID } from 'node:crypto';
import type { Static } from 'typebox';
import { body, type FeatureExamples, type NameOf, type Unique } from '../../../http/examples.ts';
import { redirects } from './resource.ts';
import { CheckBody } from './schema.ts';

const products = (_name: NameOf, unique: Unique): Static<typeof redirects.createBody> => ({
  source_domain: 'shop.example',
  rule_type: 'regex',
  source_pattern: `${unique('^/products')}/(\\d+)/.*$`,
  target_pattern: '/shop/$1',
  redirect_type: '301',
  priority: 10,
  is_active: true,
});

export const examples: FeatureExamples = {
  records: {
    redirect: {
      path: '/api/pages/{project_id}/redirects/{id}',
      createdBy: 'redirects.create',
      absent: randomUUID,
    },
  },
  requests: {
    'redirects.create': body(redirects.createBody)(products),
    'redirects.replace': body(redirects.replaceBody)(products),
    'redirects.check': body(CheckBody)({
      source_domain: 'shop.example',
      source_url_path: '/products/42/blue-lamp?ref=mail',
    }),
  },
};
