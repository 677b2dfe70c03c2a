import type { Contents } from '../../../resources/contents.ts';
import { copyAllowedSlices } from './queries.ts';
import { documentModels } from './resource.ts';

/** Document models as contents of projects. A foreign key deletes their allowed slices with them. */
export const contents: Contents = {
  resource: documentModels,
  isModel: true,
  copyRelated: copyAllowedSlices,
};
