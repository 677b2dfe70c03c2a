/** Queries for uses of models. They read the tables of allowed slices instead of parsing definitions and documents. */
import { type ExpressionBuilder, type SelectQueryBuilder, sql } from 'kysely';
import type { AnyQuery, AnyTables } from '../../../resources/compiled-statements.ts';
import { offsetOf, type PageRequest } from '../../../resources/paging.ts';
import type { ScopedDb } from '../../../tenancy/scoped-db.ts';
import type { SliceKey } from '../slice-models/index.ts';

/** A use of a model. */
export interface Use {
  readonly type: 'document_model' | 'slice_model' | 'site_settings' | 'document';
  readonly project_id: string;
  readonly id: string;
  readonly name: string;
}

/** A slice and its key. */
export interface UsedSlice extends SliceKey {
  readonly id: string;
}

/** Counts the definitions that use a slice, by kind. */
export async function countUses(db: ScopedDb, slice: UsedSlice): Promise<ReadonlyMap<Use['type'], number>> {
  const rows = await withUses(anyTables(db), slice)
    .selectFrom('uses')
    .select(['type', sql<number>`count(*)`.as('count')])
    .groupBy('type')
    .$castTo<{ type: Use['type']; count: number }>()
    .execute();
  return new Map(rows.map(({ type, count }) => [type, count]));
}

/** Lists one page of the definitions that use a slice: models, slices, settings. */
export async function listUses(db: ScopedDb, slice: UsedSlice, page: PageRequest): Promise<Use[]> {
  return withUses(anyTables(db), slice)
    .selectFrom('uses')
    .select(['type', 'project_id', 'id', 'name'])
    .orderBy(sql`sort_order, project_id, id`)
    .limit(page.limit)
    .offset(offsetOf(page))
    .$castTo<Use>()
    .execute();
}

/** Counts the documents of models that use a slice. */
export async function countDocumentsUsing(db: ScopedDb, slice: UsedSlice): Promise<number> {
  return countOf(documentsUsing(anyTables(db), slice));
}

/** Lists documents of models that use a slice. */
export async function listDocumentsUsing(
  db: ScopedDb,
  slice: UsedSlice,
  offset: number,
  limit: number,
): Promise<Use[]> {
  return pageOf(documentsUsing(anyTables(db), slice), offset, limit);
}

/** Counts the documents of a model. */
export async function countDocumentsOf(db: ScopedDb, projectId: string, modelId: string): Promise<number> {
  return countOf(documentsOf(anyTables(db), projectId, modelId));
}

/** Lists documents of a model. */
export async function listDocumentsOf(
  db: ScopedDb,
  projectId: string,
  modelId: string,
  offset: number,
  limit: number,
): Promise<Use[]> {
  return pageOf(documentsOf(anyTables(db), projectId, modelId), offset, limit);
}

function anyTables({ query }: ScopedDb): AnyQuery {
  return query.withTables<AnyTables>();
}

/** Adds a common table expression `uses`, the definitions that allow the slice. */
function withUses(query: AnyQuery, slice: UsedSlice) {
  const models = query
    .selectFrom('document_model_slices as used')
    .innerJoin('document_models as model', (join) =>
      join.onRef('model.project_id', '=', 'used.project_id').onRef('model.id', '=', 'used.document_model_id'),
    )
    .select([sql`'document_model'`.as('type'), sql`1`.as('sort_order'), 'model.project_id', 'model.id'])
    .select('model.label as name')
    .where('used.slice_id', '=', slice.id)
    .where((eb) => refersToSlice(eb, slice, 'used.project_id'));
  const slices = query
    .selectFrom('slice_model_slices as used')
    .innerJoin('slice_models as slice', (join) =>
      join.onRef('slice.project_id', '=', 'used.project_id').onRef('slice.id', '=', 'used.slice_model_id'),
    )
    .select([
      sql`'slice_model'`.as('type'),
      sql`2`.as('sort_order'),
      'slice.project_id',
      'slice.id',
      'slice.name',
    ])
    .where('used.slice_id', '=', slice.id)
    // A core slice applies in every project.
    .where((eb) => eb.or([eb('slice.shared', '=', true), refersToSlice(eb, slice, 'used.project_id')]));
  const settings = query
    .selectFrom('page_site_settings as site')
    .select([sql`'site_settings'`.as('type'), sql`3`.as('sort_order'), 'site.project_id'])
    .select([sql`'site_settings'`.as('id'), sql`'site_settings'`.as('name')])
    .where(sql<boolean>`${slice.id} in (site.settings ->> 'nav_header', site.settings ->> 'nav_footer')`)
    .where((eb) => refersToSlice(eb, slice, 'site.project_id'));
  return query.with('uses', () => models.unionAll(slices).unionAll(settings));
}

function documentsUsing(query: AnyQuery, slice: UsedSlice): Documents {
  return query
    .selectFrom('document_model_slices as used')
    .innerJoin('documents as document', (join) =>
      join
        .onRef('document.project_id', '=', 'used.project_id')
        .onRef('document.document_model_id', '=', 'used.document_model_id'),
    )
    .where('used.slice_id', '=', slice.id)
    .where((eb) => refersToSlice(eb, slice, 'used.project_id'));
}

function documentsOf(query: AnyQuery, projectId: string, modelId: string): Documents {
  return query
    .selectFrom('documents as document')
    .where('document.project_id', '=', projectId)
    .where('document.document_model_id', '=', modelId);
}

/**
 * Returns a condition: in the project of `column`, the slice's id refers to this slice. That is true for a bespoke
 * slice in its own project, and for a core slice in every project without a bespoke slice of the same id.
 */
function refersToSlice(
  eb: ExpressionBuilder<AnyTables, string>,
  { id, projectId, isCore }: UsedSlice,
  column: string,
) {
  if (!isCore) return eb(column, '=', projectId);
  const project = eb
    .selectFrom('page_projects as project')
    .select('project.id')
    .whereRef('project.id', '=', column);
  const own = eb
    .selectFrom('slice_models as own')
    .select('own.id')
    .whereRef('own.project_id', '=', column)
    .where('own.id', '=', id)
    .where('own.shared', '=', false);
  return eb.and([eb.exists(project), eb.not(eb.exists(own))]);
}

type Documents = SelectQueryBuilder<AnyTables, string, object>;

async function countOf(documents: Documents): Promise<number> {
  const counted = documents.select(sql<number>`count(*)`.as('count'));
  return (await counted.$castTo<{ count: number }>().executeTakeFirst())?.count ?? 0;
}

function pageOf(documents: Documents, offset: number, limit: number): Promise<Use[]> {
  return documents
    .select([sql`'document'`.as('type'), 'document.project_id', 'document.id', 'document.name'])
    .select(['document.document_model_id', 'document.uid', 'document.status'])
    .orderBy(sql`document.project_id, document.document_model_id, document.created_at desc, document.id desc`)
    .limit(limit)
    .offset(offset)
    .$castTo<Use>()
    .execute();
}
