import type { Contents } from '../../../resources/contents.ts';
import { copyAllowedSlices } from './queries.ts';
import { documentModels } from './resource.ts';

/** The models are deleted and copied with their project; a foreign key deletes their allowed slices. */
export const contents: Contents = {
  resource: documentModels,
  isModel: true,
  copyRelated: copyAllowedSlices,
};
