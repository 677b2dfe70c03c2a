/** Loads related records of a trigger's record for expressions: `{{trigger.entity.customer.email}}`. */
import { AppError } from '../../../errors/app-error.ts';
import { NOT_FOUND } from '../../../errors/platform-errors.ts';
import type { Json, Segments } from '../../../flows/expressions.ts';
import type { ReadRelated } from '../../../flows/related-records.ts';
import { currentRevision, type EntityModel, type EntityModels, entityModels } from '../entities/index.ts';
import { asResult } from './actions/action-records.ts';
import type { RecordsContext } from './entity-context.ts';
import { MAX_DEPTH } from './include.ts';
import { withEntity } from './open-entity.ts';
import { getRecord } from './service.ts';

/** Implements `ReadRelated`. */
export const readRelatedRecords: ReadRelated = async (ctx, { entity, record, paths }) => {
  const entityRevision = await currentRevision(ctx.platform, ctx.db.tenantId);
  const models = await entityModels(ctx.platform, ctx.db.tenantId, entityRevision);
  const model = models.get(entity);
  const found: Record<string, Json> = {};
  for (const [name = '', own] of Map.groupBy(paths, ([first = '']) => first)) {
    const relation = model && belongsTo(model, name);
    if (!relation) continue;
    const id = record[`${name}_id`];
    const related = models.get(relation.entity);
    const nested = own.flatMap((path) => includeOf(models, related, path.slice(1)));
    const include = [...new Set(nested)].join(',');
    const work = { ...ctx, entityRevision, followUps: [] };
    found[name] = typeof id === 'string' ? await readOrNull(work, relation.entity, id, include) : null;
  }
  return found;
};

/** Returns the relations of a path in the form of `include`; none if it stays in the record. */
function includeOf(models: EntityModels, model: EntityModel | undefined, path: Segments): readonly string[] {
  const names: string[] = [];
  let owner = model;
  for (const name of path) {
    const relation = owner && belongsTo(owner, name);
    if (!relation || names.length === MAX_DEPTH) break;
    names.push(name);
    owner = models.get(relation.entity);
  }
  return names.length === 0 ? [] : [names.join('.')];
}

function belongsTo({ relations }: EntityModel, name: string) {
  const relation = relations.get(name);
  return relation?.kind === 'belongs_to' ? relation : undefined;
}

/** A deleted record is null, like its relation in a response. */
async function readOrNull(ctx: RecordsContext, entity: string, id: string, include: string): Promise<Json> {
  try {
    return asResult(await withEntity(ctx, entity, (records) => getRecord(records, id, { include })));
  } catch (error) {
    if (error instanceof AppError && error.code === NOT_FOUND.code) return null;
    throw error;
  }
}
