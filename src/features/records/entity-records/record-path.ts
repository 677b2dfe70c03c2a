import type { RecordPathCheck } from '../../../http/unserved.ts';
import { entityModels, presentRevision } from '../entities/index.ts';

/** Returns true if the first name below /api is an entity of the tenant. */
export const isRecordPath: RecordPathCheck = async (platform, tenantId, path) => {
  const [, entity = ''] = /^\/api\/([^/]+)/.exec(path) ?? [];
  const models = await entityModels(platform, tenantId, await presentRevision(platform, tenantId));
  return models.get(entity) !== undefined;
};
