/** The condition `engagement` of audiences: opens and clicks in the last days. */
import { type Expression, type SqlBool, sql } from 'kysely';
import type { Issue } from '../../../errors/app-error.ts';
import { engagement } from '../../mail/api.ts';
import { SUBSCRIBERS } from '../subscribers/index.ts';

/** Condition that a subscriber opened or clicked within a number of days; `isNegated`: did not. */
export interface EngagementRule {
  readonly kind: engagement.Engagement;
  readonly days: number;
  readonly isNegated: boolean;
}

const RULES = {
  opened_since_days: { kind: 'opened', isNegated: false },
  clicked_since_days: { kind: 'clicked', isNegated: false },
  not_opened_since_days: { kind: 'opened', isNegated: true },
} as const;
const RULE_NAMES = ['opened_since_days', 'clicked_since_days', 'not_opened_since_days'] as const;
const MAX_DAYS = 3650;
const DAY_MS = 24 * 60 * 60 * 1000;

/** Returns the time a number of days before `now`. */
export function daysBefore(now: Date, days: number): Date {
  return new Date(now.getTime() - days * DAY_MS);
}

/** Reads the rule of a condition in the filters at `path`, or returns the issue. */
export function readEngagement(engagement: unknown, path: string): EngagementRule | Issue {
  const entries = typeof engagement === 'object' && engagement !== null ? Object.entries(engagement) : [];
  const [[name, days] = [], ...others] = entries;
  const rule = RULE_NAMES.find((each) => each === name);
  const field = `${path}.engagement`;
  if (rule === undefined || others.length > 0)
    return { field, message: `must be an object with one of ${RULE_NAMES.join(', ')}` };
  if (typeof days !== 'number' || !Number.isInteger(days) || days < 1 || days > MAX_DAYS)
    return { field: `${field}.${rule}`, message: `must be an integer from 1 to ${MAX_DAYS}` };
  return { ...RULES[rule], days };
}

/** SQL that is true if a subscriber meets the rule. */
export function engagementSql({ kind, days, isNegated }: EngagementRule, now: Date): Expression<SqlBool> {
  const engaged = engagement.engagedAfter(kind, daysBefore(now, days), SUBSCRIBERS);
  return isNegated ? sql<SqlBool>`not ${engaged}` : engaged;
}
