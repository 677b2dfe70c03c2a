/** What happened to a message, as far as it matters here. */
export interface Cause {
  readonly type: string;
  readonly bounceClass?: 'hard' | 'soft';
  /** The reason of a bounce, the way of an unsubscribe. */
  readonly detail?: string;
}

/** So many soft bounces of one address within so many days suppress it. */
export const SOFT_BOUNCES = { count: 3, days: 30, description: 'Three soft bounces within 30 days.' };

/** The description of the suppression that an event asks for by itself; null when it asks for none. */
export function suppressionBy({ type, bounceClass, detail }: Cause): string | null {
  if (type === 'complaint') return 'The recipient marked a message as spam.';
  if (type === 'unsubscribe') return detail || 'The recipient unsubscribed.';
  if (type === 'bounce' && bounceClass === 'hard') return `Hard bounce: ${detail || 'no reason given'}`;
  return null;
}
