/** The condition `engagement`: whether somebody opened or clicked mail in the last days. */
import { texts } from './texts.ts';

const { translate } = texts;

/** Rules of the API, in the order of the choice. */
const RULES = ['opened_since_days', 'clicked_since_days', 'not_opened_since_days'] as const;

/** A rule of the API. */
export type EngagementRule = (typeof RULES)[number];

/** A rule with its number of days. */
export interface Engagement {
  readonly rule: EngagementRule;
  readonly days: number;
}

/** Reads a stored condition; null if there is none, or it is not valid. */
export function readEngagement(stored: unknown): Engagement | null {
  const entries = typeof stored === 'object' && stored !== null ? Object.entries(stored) : [];
  const [[name, days] = []] = entries;
  const rule = RULES.find((each) => each === name);
  return rule === undefined || typeof days !== 'number' ? null : { rule, days };
}

/** Returns the choices of the condition; `always` is none. */
export function engagementOptions(): { readonly id: EngagementRule | 'always'; readonly title: string }[] {
  return [
    { id: 'always', title: translate('engagement.always') },
    { id: 'opened_since_days', title: translate('engagement.opened') },
    { id: 'clicked_since_days', title: translate('engagement.clicked') },
    { id: 'not_opened_since_days', title: translate('engagement.not-opened') },
  ];
}

/** Returns the condition as a sentence. */
export function engagementText({ rule, days }: Engagement): string {
  switch (rule) {
    case 'opened_since_days':
      return translate('engagement.opened.text', { days });
    case 'clicked_since_days':
      return translate('engagement.clicked.text', { days });
    case 'not_opened_since_days':
      return translate('engagement.not-opened.text', { days });
  }
}
