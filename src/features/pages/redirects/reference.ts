import type { ReferenceTexts } from '../../feature.ts';

const example = {
  source_domain: 'www.acme.example',
  rule_type: 'regex',
  source_pattern: '^/products/(\\d+)/.*$',
  target_pattern: '/shop/$1',
  redirect_type: '301',
  priority: 10,
  is_active: true,
};

/** Reference texts: an introduction of the tag, and example bodies. */
export const reference: ReferenceTexts = {
  tags: {
    'Pages: redirects': 'Redirect rules of websites, and their lookup.',
  },
  examples: {
    'redirects.create': example,
    'redirects.replace': example,
    'redirects.check': {
      source_domain: 'www.acme.example',
      source_url_path: '/products/42/blue-lamp?ref=mail',
    },
  },
};
