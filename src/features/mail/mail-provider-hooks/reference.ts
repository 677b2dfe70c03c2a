import type { ReferenceTexts } from '../../feature.ts';

/** A notice in Postmark's format. */
const BOUNCE = {
  RecordType: 'Bounce',
  Type: 'HardBounce',
  Email: 'ada@example.com',
  Description: 'The server was unable to deliver your message.',
};

/** Texts of the API reference for this area. */
export const reference: ReferenceTexts = {
  examples: {
    'provider_hooks.create': { provider: 'mailgun', signing_key: '<HTTP webhook signing key>' },
    'provider_hooks.receive': JSON.stringify(BOUNCE),
  },
};
