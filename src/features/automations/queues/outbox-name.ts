/** The work queue of messages on their way to the broker. */
export const QUEUE_OUTBOX = { name: 'queue-outbox', table: 'queue_outbox' } as const;
