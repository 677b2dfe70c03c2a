import type { Contents } from '../../resources/contents.ts';
import { copyAllowedSlices } from './queries.ts';
import { documentModels } from './resource.ts';

/** The models of a project go and are copied with it; which slices they allow is deleted with them by its foreign key. */
export const contents: Contents = {
  resource: documentModels,
  isModel: true,
  copied: copyAllowedSlices,
};
