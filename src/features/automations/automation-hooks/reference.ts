import type { ReferenceTexts } from '../../feature.ts';

/** Reference texts: an example body. */
export const reference: ReferenceTexts = {
  examples: {
    'automation_hooks.post': { event: 'order.paid', order: { number: 1042, total: 59.9 } },
    'automation_hooks.put': { event: 'order.paid', order: { number: 1042, total: 59.9 } },
  },
};
