import { defineError } from '../../../errors/app-error.ts';

/** Contents of a deleted project must not appear in a new project with the same id. */
export const PROJECT_BEING_DELETED = defineError(
  'PROJECT_BEING_DELETED',
  409,
  'A deleted project with this id is still being removed. Retry in a minute, or choose another id.',
);

/** The job has deleted the contents of a copy that exceeded its time limit. */
export const COPY_TOOK_TOO_LONG = defineError(
  'COPY_TOOK_TOO_LONG',
  409,
  'The copy exceeded its time limit and was removed. Retry when there is less load.',
);

/** Batches of a copy read the original at different times, so concurrent changes may conflict. */
export const COPY_OVERTAKEN = defineError(
  'COPY_OVERTAKEN',
  409,
  'The project changed while it was copied, so the copy was removed. Retry.',
);
