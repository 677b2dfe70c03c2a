/** Records that the record which sets an automation off refers to: the feature that has records reads them. */
import type { ActionContext } from './action-type.ts';
import type { Json, Segments } from './expressions.ts';

/** What sets an automation off, and where its expressions go. */
export interface RelatedRequest {
  /** The name of the entity. */
  readonly entity: string;
  readonly record: Readonly<Record<string, unknown>>;
  /** Paths in the record: `customer`, `company`, `name`. */
  readonly paths: readonly Segments[];
}

/**
 * Reads the `belongs_to` relations that paths begin with, each with those behind it: by name the record, or null. Other names are left
 * out. @throws AppError.
 */
export type ReadRelated = (
  ctx: Pick<ActionContext, 'platform' | 'db' | 'actor' | 'now'>,
  request: RelatedRequest,
) => Promise<Readonly<Record<string, Json>>>;
