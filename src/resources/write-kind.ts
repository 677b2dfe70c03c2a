/**
 * The kind of a write; `add` skips rows that violate a unique constraint, `save` inserts missing rows and updates the
 * rest.
 */
export type WriteKind = 'insert' | 'add' | 'update' | 'save' | 'delete';
