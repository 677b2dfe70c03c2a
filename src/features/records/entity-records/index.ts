import type { Feature } from '../../feature.ts';
import { recordActions } from './actions/index.ts';
import { DEFINITION_CHANGED, DUPLICATE_VALUE, RECORD_IN_USE, WORKFLOW_REFUSED } from './errors.ts';
import { isRecordPath } from './record-path.ts';
import { reference } from './reference.ts';
import { routes } from './routes.ts';

export { readRelatedRecords } from './related-records.ts';

/** Records of the entities that a tenant defines. */
export const entityRecords: Feature = {
  name: 'entity-records',
  reference,
  routes,
  actionTypes: recordActions,
  isRecordPath,
  errors: [DUPLICATE_VALUE, RECORD_IN_USE, DEFINITION_CHANGED, WORKFLOW_REFUSED],
};
