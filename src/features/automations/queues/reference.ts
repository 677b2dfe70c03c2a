import type { ReferenceTexts } from '../../feature.ts';

/** Reference texts: an example body. */
export const reference: ReferenceTexts = {
  examples: { 'queue_messages.publish': { body: { order: 1042, total: 59.9 } } },
};
