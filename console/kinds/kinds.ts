import restore from 'operation:deleted_records.restore';
import type { schemas } from '../../sdk/src/index.ts';

/** A kind of record with history. */
export type Kind = schemas.EntityTypeName;

const NAMES: readonly string[] = restore.fields.entityType?.choices ?? [];

/** All kinds of record with history, as the API lists them. */
export const KINDS: readonly Kind[] = NAMES.filter(isKind);

/** Returns the kind with this name; null for an unknown one. */
export function readKind(name: string | undefined): Kind | null {
  return KINDS.find((kind) => kind === name) ?? null;
}

function isKind(name: string): name is Kind {
  return NAMES.includes(name);
}
