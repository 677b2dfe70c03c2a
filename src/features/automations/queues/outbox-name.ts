/** The work queue of messages to publish to the broker. */
export const QUEUE_OUTBOX = { name: 'queue-outbox', table: 'queue_outbox' } as const;
