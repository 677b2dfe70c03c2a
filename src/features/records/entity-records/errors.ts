import { defineError } from '../../../errors/app-error.ts';

/** Another record has a value that is unique. */
export const DUPLICATE_VALUE = defineError('DUPLICATE_VALUE', 409, 'Another record has this value.');

/** Other records refer to one that should go. */
export const RECORD_IN_USE = defineError('RECORD_IN_USE', 409, 'Other records refer to this one.');

/** A definition has changed while a request was under way. */
export const DEFINITION_CHANGED = defineError(
  'DEFINITION_CHANGED',
  409,
  'The definition of the entity has just changed. Repeat the request.',
);

/** A workflow knows no such way. */
export const WORKFLOW_REFUSED = defineError('WORKFLOW_REFUSED', 422, 'The workflow does not allow this.');
