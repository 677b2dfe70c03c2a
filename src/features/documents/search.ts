/**
 * Documents that somebody looks for while typing, for fields that link to one: the newest that have every word in name or uid.
 *
 * A word that many have is had by some of the newest thousand, which are looked at first. One that few have is found by the
 * keys of its characters. Only what many have and none of the newest is looked for in all, newest first.
 */
import { type Expression, expressionBuilder, type RawBuilder, type SqlBool, sql } from 'kysely';
import type { Static } from 'typebox';
import type { MemberContext } from '../../http/context.ts';
import { type AnyQuery, type AnyTables, runCompiled } from '../../resources/compiled.ts';
import { containing } from '../../resources/filter-values.ts';
import { searchWords } from '../../resources/filters.ts';
import { findFew } from '../../resources/finder.ts';
import { newestFirst } from '../../resources/list-order.ts';
import { USUAL_LIMIT } from '../../resources/paging.ts';
import type { ScopedDb } from '../../tenancy/scoped-db.ts';
import { unlinkableModels } from '../document-models/index.ts';
import { requireProject } from '../projects/index.ts';
import { documents } from './resource.ts';
import type { FoundDocument, SearchBody } from './schema.ts';

/** How many of the newest are looked at before the keys are. */
const LOOKED_AT = 1000;

const SHOWN = ['id', 'name', 'uid', 'document_model_id', 'status'] as const;

type Found = Static<typeof FoundDocument>;

/** A search, read. */
interface Sought {
  readonly projectId: string;
  readonly words: readonly string[];
  /** Of these models; none: of all. */
  readonly models: readonly string[];
  readonly limit: number;
}

/** Documents to link to, newest first. @throws AppError NOT_FOUND without the project. */
export async function searchDocuments(
  { db }: MemberContext,
  projectId: string,
  { search, document_model_ids: models = [], limit = USUAL_LIMIT }: Static<typeof SearchBody>,
): Promise<Found[]> {
  await requireProject(db, projectId);
  const words = searchWords(search);
  const sought = { projectId, words, models: [...new Set(models)], limit };
  const { found, looked } = await lookAtNewest(db, sought);
  if (found.length === limit || looked < LOOKED_AT) return found;
  const within = [{ field: 'project_id', kind: 'text', value: projectId }] as const;
  const candidates = await findFew(db, documents, { pieces: words, values: [], within });
  return lookAtAll(db, sought, candidates);
}

/** Those among the newest, and how many of these there are. */
async function lookAtNewest(db: ScopedDb, { projectId, words, models, limit }: Sought) {
  const values = [projectId, limit, words.map(containing), models];
  const shape = `search newest ${models.length > 0}`;
  const rows = await runCompiled<{ found: Found[]; looked: number }>(
    db,
    documents,
    shape,
    values,
    (query, [project, most, patterns, asked]) =>
      query
        .with('recent', (q) => (models.length === 0 ? newestOf(q, project) : newestOfEach(q, project, asked)))
        .with('found', (q) =>
          q
            .selectFrom('recent')
            .selectAll()
            .where(hasWords('recent', patterns))
            .where(isLinkable('recent', project))
            .orderBy(newestFirst(documents, 'recent.'))
            .limit(sql<number>`${most}::bigint`),
        )
        .selectNoFrom((eb) => [
          eb.selectFrom('recent').select(eb.fn.countAll<number>().as('count')).as('looked'),
          eb.selectFrom('found').select(asList('found').as('list')).as('found'),
        ]),
  );
  return rows[0] ?? { found: [], looked: 0 };
}

/** Those among the candidates, or among all documents where the candidates are too many to be named. */
async function lookAtAll(
  db: ScopedDb,
  { projectId, words, models, limit }: Sought,
  candidates: readonly string[] | null,
): Promise<Found[]> {
  const values = [
    projectId,
    limit,
    words.map(containing),
    models,
    ...(candidates === null ? [] : [candidates]),
  ];
  const shape = `search ${candidates === null ? 'all' : 'few'} ${models.length > 0}`;
  return runCompiled<Found>(db, documents, shape, values, (query, [project, most, patterns, asked, few]) => {
    const among = (column: string, ids: unknown) =>
      sql<SqlBool>`${sql.ref(`documents.${column}`)} = any(${ids}::text[])`;
    const conditions = [
      hasWords('documents', patterns),
      isLinkable('documents', project),
      ...(models.length === 0 ? [] : [among('document_model_id', asked)]),
      ...(candidates === null ? [] : [among('id', few)]),
    ];
    return conditions
      .reduce(
        (rows, condition) => rows.where(condition),
        query.selectFrom('documents').select(SHOWN).where('documents.project_id', '=', project),
      )
      .orderBy(newestFirst(documents, 'documents.'))
      .limit(sql<number>`${most}::bigint`);
  });
}

/** The newest documents of a project. */
function newestOf(query: AnyQuery, project: unknown) {
  return query
    .selectFrom('documents')
    .select(['documents.project_id', 'documents.created_at', ...SHOWN.map((column) => `documents.${column}`)])
    .where('documents.project_id', '=', project)
    .orderBy(newestFirst(documents, 'documents.'))
    .limit(sql<number>`${sql.lit(LOOKED_AT)}`);
}

/** The newest of these models: the newest of each are found by the index of models, however few they are of all. */
function newestOfEach(query: AnyQuery, project: unknown, models: unknown) {
  return query
    .selectFrom((eb) => eb.fn<{ id: string }>('unnest', [sql`${models}::text[]`]).as<'model'>(sql`model(id)`))
    .innerJoinLateral(
      () => newestOf(query, project).whereRef('documents.document_model_id', '=', 'model.id').as('each'),
      (join) => join.onTrue(),
    )
    .selectAll('each')
    .orderBy(newestFirst(documents, 'each.'))
    .limit(sql<number>`${sql.lit(LOOKED_AT)}`);
}

/** Every word in name or uid. A word has no line feed. */
function hasWords(table: string, patterns: unknown): Expression<SqlBool> {
  const [name, uid] = [sql.ref(`${table}.name`), sql.ref(`${table}.uid`)];
  return sql<SqlBool>`${name} || E'\\n' || ${uid} ilike all(${patterns}::text[])`;
}

function isLinkable(table: string, project: unknown): Expression<SqlBool> {
  const none = unlinkableModels(expressionBuilder<AnyTables, never>(), project);
  return sql<SqlBool>`${sql.ref(`${table}.document_model_id`)} not in (${none})`;
}

/** Rows as one JSON list, in their order. */
function asList(table: string): RawBuilder<Found[]> {
  const members = SHOWN.map((column) => sql`${sql.lit(column)}, ${sql.ref(`${table}.${column}`)}`);
  return sql<Found[]>`coalesce(json_agg(json_build_object(${sql.join(members)})
    order by ${newestFirst(documents, `${table}.`)}), '[]')`;
}
