/** Identifies the item of a draft. */
export interface DraftKey {
  /** Id of the user. */
  readonly user: string;
  /** Code of the tenant; empty for items of the user alone. */
  readonly tenant: string;
  /** Kind of the item, such as `tenant_settings`. */
  readonly type: string;
  /** Key of the item among those of its type; empty for a new item. */
  readonly key: string;
}

/** A draft as it is stored. */
export interface StoredDraft extends DraftKey {
  /** The saved item that the draft began with. */
  readonly base: unknown;
  readonly value: unknown;
  /** Time of the last change, in ms. */
  readonly changedAt: number;
}
