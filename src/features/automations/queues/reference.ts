import type { ReferenceTexts } from '../../feature.ts';

/** What the reference says of this area: a body to begin with. */
export const reference: ReferenceTexts = {
  examples: { 'queue_messages.publish': { body: { order: 1042, total: 59.9 } } },
};
