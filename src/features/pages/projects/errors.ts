import { defineError } from '../../../errors/app-error.ts';

export const PROJECT_BEING_DELETED = defineError(
  'PROJECT_BEING_DELETED',
  409,
  'What a deleted project of this id held is still being deleted. Try again in a minute, or choose another id.',
);

export const COPY_TOOK_TOO_LONG = defineError(
  'COPY_TOOK_TOO_LONG',
  409,
  'The copy took longer than it may and was removed. Try again when less is going on.',
);

export const COPY_OVERTAKEN = defineError(
  'COPY_OVERTAKEN',
  409,
  'While the project was copied, one of its records took over a value that another had, so the copy was removed. Try again.',
);
