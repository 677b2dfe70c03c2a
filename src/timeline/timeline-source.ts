/** Contract of a feature's part of the timeline of a subscriber: `Feature.timelines`. */
import type { RawBuilder } from 'kysely';

/** Kinds of entries (docs/specification/subscribers.md#timeline). */
export const TIMELINE_KINDS = [
  'email',
  'open',
  'click',
  'bounce',
  'complaint',
  'unsubscribe',
  'submission',
  'journey',
  'consent',
  'edit',
] as const;

/** A kind of entry. */
export type TimelineKind = (typeof TIMELINE_KINDS)[number];

/** The subscriber of a timeline, and what the caller may see of it. */
export interface TimelineSubject {
  readonly tenantId: string;
  readonly subscriberId: string;
  /** Normalized address. */
  readonly address: string;
  /** Units whose records the caller reads; null for all. */
  readonly units: readonly string[] | null;
}

/**
 * The entries of one feature. One statement unites those of all features, so that their order and pages need no second
 * request.
 */
export interface TimelineSource {
  readonly kinds: readonly TimelineKind[];
  /**
   * SQL of all entries of a subscriber. Its columns, in this order: `kind`, `id` (text, unique in the kind), `at`,
   * `title`, `entity_type` and `key` (texts) of the record that an entry leads to, and `detail` (json).
   */
  readonly entries: (subject: TimelineSubject) => RawBuilder<unknown>;
}
