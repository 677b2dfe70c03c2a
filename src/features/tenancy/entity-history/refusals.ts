/** Reasons why a version cannot be restored, for programs. */
export const REFUSALS = ['own_operation', 'gives_access', 'erased', 'past_event', 'unchangeable'] as const;
/** A reason why a version cannot be restored. */
export type Refusal = (typeof REFUSALS)[number];
