/** How much a tenant's definitions are together: every process that serves its records holds all of them. */
import { ruleBroken } from '../../../errors/platform-errors.ts';
import type { Definition } from './schema.ts';

/** What a field takes beside the characters of its texts. */
const OF_FIELD = 400;
/** What the definitions of a tenant may take together. */
const MOST = 8_000_000;

type Sized = Pick<Definition, 'fields' | 'workflow'>;

/** The size of a definition, about what its model takes in bytes. */
export function sizeOf({ fields, workflow }: Sized): number {
  return fields.length * OF_FIELD + JSON.stringify([fields, workflow]).length;
}

/** @throws AppError VALIDATION_ERROR when a tenant's definitions are larger together than they may be. */
export function requireSize(definitions: readonly Sized[]): void {
  if (definitions.reduce((sum, definition) => sum + sizeOf(definition), 0) > MOST)
    throw ruleBroken(
      'fields',
      `make the definitions of the tenant larger than ${MOST} characters together, where a field counts as ${OF_FIELD} more`,
    );
}
