import type { RecordPathCheck } from '../../../http/unserved-requests.ts';
import type { Feature } from '../../feature.ts';
import { currentRevision, entityModels } from '../entities/index.ts';
import { recordActions } from './actions/index.ts';
import { DEFINITION_CHANGED, DUPLICATE_VALUE, RECORD_IN_USE, WORKFLOW_REFUSED } from './errors.ts';
import { examples } from './examples.ts';
import { routes } from './routes.ts';

export { readRelatedRecords } from './related-records.ts';

/** Returns true if the first name below /api is an entity of the tenant. */
const isRecordPath: RecordPathCheck = async (platform, tenantId, path) => {
  const [, entity = ''] = /^\/api\/([^/]+)/.exec(path) ?? [];
  const models = await entityModels(platform, tenantId, await currentRevision(platform, tenantId));
  return models.get(entity) !== undefined;
};

/** Records of the entities that a tenant defines. */
export const entityRecords: Feature = {
  name: 'entity-records',
  examples,
  tags: { 'Entity records': 'Records of your entities, for signed-in users.' },
  routes,
  actionTypes: recordActions,
  isRecordPath,
  errors: [DUPLICATE_VALUE, RECORD_IN_USE, DEFINITION_CHANGED, WORKFLOW_REFUSED],
};
