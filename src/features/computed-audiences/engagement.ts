/** The condition `engagement` of audiences: what people did with mail in the last days. */
import { type Expression, type SqlBool, sql } from 'kysely';
import type { Issue } from '../../errors/app-error.ts';
import { PEOPLE } from '../subscribers/index.ts';
import { type Engagement, engagedAfter } from '../transmissions/index.ts';

/** Whoever did something, or did not, within so many days. */
export interface EngagementRule {
  readonly what: Engagement;
  readonly days: number;
  readonly isDenied: boolean;
}

const RULES = {
  opened_since_days: { what: 'opened', isDenied: false },
  clicked_since_days: { what: 'clicked', isDenied: false },
  not_opened_since_days: { what: 'opened', isDenied: true },
} as const;
const RULE_NAMES = ['opened_since_days', 'clicked_since_days', 'not_opened_since_days'] as const;
const MOST_DAYS = 3650;
const DAY_MS = 24 * 60 * 60 * 1000;

/** The moment so many days ago. */
export function daysBefore(now: Date, days: number): Date {
  return new Date(now.getTime() - days * DAY_MS);
}

/** The rule that a condition in the filters at `place` is, or what is wrong with it. */
export function readEngagement(engagement: unknown, place: string): EngagementRule | Issue {
  const given = typeof engagement === 'object' && engagement !== null ? Object.entries(engagement) : [];
  const [[name, days] = [], ...others] = given;
  const rule = RULE_NAMES.find((each) => each === name);
  const field = `${place}.engagement`;
  if (rule === undefined || others.length > 0)
    return { field, message: `must be an object with one of ${RULE_NAMES.join(', ')}` };
  if (typeof days !== 'number' || !Number.isInteger(days) || days < 1 || days > MOST_DAYS)
    return { field: `${field}.${rule}`, message: `must be an integer from 1 to ${MOST_DAYS}` };
  return { ...RULES[rule], days };
}

/** SQL: whether a person meets the rule. */
export function engagementSql({ what, days, isDenied }: EngagementRule, now: Date): Expression<SqlBool> {
  const engaged = engagedAfter(what, daysBefore(now, days), PEOPLE);
  return isDenied ? sql<SqlBool>`not ${engaged}` : engaged;
}
