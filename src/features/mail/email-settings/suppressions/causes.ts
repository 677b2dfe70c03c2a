/** The facts of a message event that determine its suppression. */
export interface Cause {
  readonly type: string;
  readonly bounceClass?: 'hard' | 'soft';
  /** The reason of a bounce, or the method of an unsubscribe. */
  readonly detail?: string;
}

/** Number of soft bounces of an address within a number of days that suppresses it. */
export const SOFT_BOUNCES = { count: 3, days: 30, description: 'Three soft bounces within 30 days.' };

/** Returns the description of the suppression that a single event causes; null if it causes none. */
export function suppressionBy({ type, bounceClass, detail }: Cause): string | null {
  if (type === 'complaint') return 'The recipient marked a message as spam.';
  if (type === 'unsubscribe') return detail || 'The recipient unsubscribed.';
  if (type === 'bounce' && bounceClass === 'hard') return `Hard bounce: ${detail || 'no reason given'}`;
  return null;
}
