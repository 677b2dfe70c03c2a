/** Records that the triggering record of an automation refers to. The feature that owns records reads them. */
import type { ActionContext } from './action-type.ts';
import type { Json, Segments } from './expressions.ts';

/** The triggering record, and the paths of expressions in it. */
export interface RelatedRequest {
  /** The name of the entity. */
  readonly entity: string;
  readonly record: Readonly<Record<string, unknown>>;
  /** Paths in the record: `customer`, `company`, `name`. */
  readonly paths: readonly Segments[];
}

/**
 * Reads the `belongs_to` relations at the start of paths, including nested ones. Returns the record or null by relation
 * name; other names are ignored. @throws AppError.
 */
export type ReadRelated = (
  ctx: Pick<ActionContext, 'platform' | 'db' | 'actor' | 'now'>,
  request: RelatedRequest,
) => Promise<Readonly<Record<string, Json>>>;
