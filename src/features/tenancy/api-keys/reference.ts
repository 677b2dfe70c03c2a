import type { ReferenceTexts } from '../../feature.ts';

/** Texts of the API reference for this area. */
export const reference: ReferenceTexts = {
  tags: { 'API keys': 'Keys of members, managed by owners.' },
  examples: {
    'api_keys.create': { name: 'Website' },
    'api_keys.create_for_tenant': { email: 'ada@acme.example', name: 'Website' },
  },
};
