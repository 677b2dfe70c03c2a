import { defineError } from '../../errors/app-error.ts';

/** Websites find a document by its model and uid. */
export const DUPLICATE_UID = defineError(
  'DUPLICATE_UID',
  409,
  'Another document of this model has this uid in the project.',
);

/** Of some models a project has one document, such as its home page. */
export const NOT_REPEATABLE = defineError(
  'NOT_REPEATABLE',
  409,
  'The model is not repeatable, and the project has a document of it.',
);
