/** Data of a message event that decides whether it suppresses the recipient's address. */
export interface Cause {
  readonly type: string;
  readonly bounceClass?: 'hard' | 'soft';
  /** The reason of a bounce, or the method of an unsubscribe. */
  readonly detail?: string;
}

/** An address with this many soft bounces within this many days is suppressed. */
export const SOFT_BOUNCES = { count: 3, days: 30, description: 'Three soft bounces within 30 days.' };

/** Returns the description of the suppression that a single event causes; null if it causes none. */
export function suppressionDescription({ type, bounceClass, detail }: Cause): string | null {
  if (type === 'complaint') return 'The recipient marked a message as spam.';
  if (type === 'unsubscribe') return detail || 'The recipient unsubscribed.';
  if (type === 'bounce' && bounceClass === 'hard') return `Hard bounce: ${detail || 'no reason given'}`;
  return null;
}
