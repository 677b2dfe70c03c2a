/** Contract of a feature's contributions to the overview: `Feature.overview`. */
import type { MemberContext } from '../http/context.ts';
import type { Caller } from '../tenancy/caller.ts';
import type { HourlyCountName } from './hourly-counts.ts';

/** Kinds of what may need attention. */
export const ATTENTION_TYPES = [
  'webhook',
  'email_event_webhook',
  'entity_webhook',
  'sending_domain',
  'marketing_email',
  'automation',
  'operation',
] as const;

/** A kind of what may need attention. */
export type AttentionType = (typeof ATTENTION_TYPES)[number];

/** Reasons to need attention, with their meanings (docs/specification/overview.md#attention). */
export const ATTENTION_REASONS = [
  'deliveries_failed',
  'deliveries_retried',
  'domain_unverified',
  'domain_wrong',
  'domain_lost',
  'email_not_sent',
  'runs_failed',
  'operation_failed',
] as const;

/** A reason to need attention. */
export type AttentionReason = (typeof ATTENTION_REASONS)[number];

/** `error`: something is lost, or does not work. `warning`: it soon may. */
export const SEVERITIES = ['error', 'warning'] as const;

/** Something that needs attention until it is fixed. */
export interface AttentionItem {
  readonly entityType: AttentionType;
  readonly key: string;
  readonly title: string;
  readonly severity: (typeof SEVERITIES)[number];
  readonly reason: AttentionReason;
  /** When it began to need attention. */
  readonly since: string;
  /** How many deliveries, attempts or messages the reason is about; null if it is about the item. */
  readonly count: number | null;
  /** The owning unit; null for what belongs to the tenant. */
  readonly ownerBuId: string | null;
}

/** Items that need attention: some of them, and the number of all. */
export interface Attention {
  readonly items: readonly AttentionItem[];
  readonly total: number;
}

/** No item needs attention. */
export const NO_ATTENTION: Attention = { items: [], total: 0 };

/** Finds at most `limit` items that the caller may see, the most recent first, by an index or among a few rows. */
export type FindAttention = (ctx: MemberContext, limit: number) => Promise<Attention>;

/** Work that takes a while and runs or waits now. */
export interface RunningItem {
  readonly id: string;
  /** Kind of the operation, such as `subscriber_import`. */
  readonly kind: string;
  /** Name of what it works on; null if the kind says everything. */
  readonly title: string | null;
  readonly done: number;
  /** Null while it is unknown. */
  readonly total: number | null;
  readonly startedAt: string;
}

/** Finds at most `limit` items of running work that the caller may see. */
export type FindRunning = (ctx: MemberContext, limit: number) => Promise<readonly RunningItem[]>;

/** A figure of today from counts per hour. */
export interface TodayFigure {
  readonly name: HourlyCountName;
  /** Returns the subjects whose counts the caller may see; empty if it sees none, and then the figure is absent. */
  readonly subjectsOf: (caller: Caller) => readonly string[];
}

/** A first step of a new tenant. */
export interface SetupStep {
  readonly name: string;
  readonly isDone: (ctx: MemberContext) => Promise<boolean>;
}

/** Contributions of a feature to the overview. */
export interface OverviewPart {
  readonly attention?: readonly FindAttention[];
  readonly running?: readonly FindRunning[];
  readonly today?: readonly TodayFigure[];
  readonly setup?: readonly SetupStep[];
}
