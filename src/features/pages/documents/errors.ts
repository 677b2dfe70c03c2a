import { defineError } from '../../../errors/app-error.ts';

/** Websites query a document by model and uid, so the pair must be unique. */
export const DUPLICATE_UID = defineError(
  'DUPLICATE_UID',
  409,
  'Another document of this model has this uid.',
);

/** Some models have only one document per project, such as the home page. */
export const NOT_REPEATABLE = defineError(
  'NOT_REPEATABLE',
  409,
  'The model is not repeatable and already has a document.',
);
