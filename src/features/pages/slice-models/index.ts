import { searchOf } from '../../../resources/record-search.ts';
import type { Feature } from '../../feature.ts';
import { contents } from './contents.ts';
import { examples } from './examples.ts';
import { sliceModels as sliceModelRecords } from './resource.ts';
import { routes } from './routes.ts';

export { findSliceKey, type SliceKey } from './queries.ts';

/** Slice models: the building blocks of pages. */
export const sliceModels: Feature = {
  name: 'slice-models',
  examples,
  routes,
  searches: [searchOf(sliceModelRecords)],
  restores: [{ resource: sliceModelRecords, createdBy: 'slice_models.put' }],
  projectContents: [contents],
};
