import { defineError } from '../../../errors/app-error.ts';

/** Another record has the same value in a unique field. */
export const DUPLICATE_VALUE = defineError('DUPLICATE_VALUE', 409, 'Another record has this value.');

/** Other records refer to a record that is to be deleted. */
export const RECORD_IN_USE = defineError('RECORD_IN_USE', 409, 'Other records refer to this one.');

/** A definition changed during a request. */
export const DEFINITION_CHANGED = defineError(
  'DEFINITION_CHANGED',
  409,
  'The definition of the entity has just changed. Repeat the request.',
);

/** The workflow has no such transition. */
export const WORKFLOW_REFUSED = defineError('WORKFLOW_REFUSED', 422, 'The workflow does not allow this.');
