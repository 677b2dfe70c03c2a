import type { ReferenceTexts } from '../../feature.ts';

/** Reference texts: introductions of the tags, and example bodies. */
export const reference: ReferenceTexts = {
  tags: {
    'Pages: projects': 'Sites with their models, documents, redirects and settings.',
  },
  examples: {
    'projects.replace': {
      name: 'Shop',
      description: 'The shop of the north',
      redirect_config: { source_domains: ['shop.example'] },
    },
    'projects.duplicate': { name: 'Shop, south' },
  },
};
