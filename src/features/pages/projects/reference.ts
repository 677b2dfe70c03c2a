import type { ReferenceTexts } from '../../feature.ts';

/** What the reference says of this area: what its groups are about, and bodies to begin with. */
export const reference: ReferenceTexts = {
  tags: {
    'Pages: projects': 'Sites: each holds its models, documents, redirects and settings.',
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
