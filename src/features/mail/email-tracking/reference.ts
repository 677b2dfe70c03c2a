import type { ReferenceTexts } from '../../feature.ts';

/** What the reference says of this area: what its groups are about, and bodies to begin with. */
export const reference: ReferenceTexts = {
  tags: { 'E-mail tracking': 'What mail programs and recipients ask for: pixels, links, unsubscribing.' },
};
