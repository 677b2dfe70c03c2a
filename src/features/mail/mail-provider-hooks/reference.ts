import type { ReferenceTexts } from '../../feature.ts';

/** What a provider tells, here as Postmark does. */
const BOUNCE = {
  RecordType: 'Bounce',
  Type: 'HardBounce',
  Email: 'ada@example.com',
  Description: 'The server was unable to deliver your message.',
};

/** What the reference says of this area: bodies to begin with. */
export const reference: ReferenceTexts = {
  examples: {
    'provider_hooks.create': { provider: 'mailgun', signing_key: '<HTTP webhook signing key>' },
    'provider_hooks.receive': JSON.stringify(BOUNCE),
  },
};
