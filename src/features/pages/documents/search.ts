/**
 * Search while typing, for fields that link to a document: the newest documents with every word in name or uid.
 * The newest thousand documents are searched first, because a frequent word probably occurs in some of them. A rare
 * word is then found by an index of text fragments. Only a frequent word that is not in the newest documents needs a
 * scan of all.
 */
import { type Expression, expressionBuilder, type RawBuilder, type SqlBool, sql } from 'kysely';
import type { Static } from 'typebox';
import type { MemberContext } from '../../../http/context.ts';
import { type AnyQuery, type AnyTables, runCompiled } from '../../../resources/compiled-statements.ts';
import { containing } from '../../../resources/filter-values.ts';
import { searchWords } from '../../../resources/filters.ts';
import { findFew } from '../../../resources/finder.ts';
import { newestFirst } from '../../../resources/list-order.ts';
import { DEFAULT_LIMIT } from '../../../resources/paging.ts';
import type { ScopedDb } from '../../../tenancy/scoped-db.ts';
import { unlinkableModels } from '../document-models/index.ts';
import { requireProject } from '../projects/index.ts';
import { documents } from './resource.ts';
import type { FoundDocument, SearchBody } from './schema.ts';

/** Number of newest documents that are searched before the index. */
const NEWEST_SEARCHED = 1000;

const COLUMNS = ['id', 'name', 'uid', 'document_model_id', 'status'] as const;

type LinkTarget = Static<typeof FoundDocument>;

/** A parsed search. */
interface ParsedSearch {
  readonly projectId: string;
  readonly words: readonly string[];
  /** Models to search; empty: all. */
  readonly models: readonly string[];
  readonly limit: number;
}

/** Finds link targets, newest first. @throws AppError NOT_FOUND without the project. */
export async function searchDocuments(
  { db }: MemberContext,
  projectId: string,
  { search, document_model_ids: models = [], limit = DEFAULT_LIMIT }: Static<typeof SearchBody>,
): Promise<LinkTarget[]> {
  await requireProject(db, projectId);
  const words = searchWords(search);
  const parsed = { projectId, words, models: [...new Set(models)], limit };
  const { found, searchedCount } = await searchNewest(db, parsed);
  if (found.length === limit || searchedCount < NEWEST_SEARCHED) return found;
  const within = [{ field: 'project_id', kind: 'text', value: projectId }] as const;
  const candidates = await findFew(db, documents, { pieces: words, values: [], within });
  return searchAll(db, parsed, candidates);
}

/** Returns matches among the newest documents, and the number of documents searched. */
async function searchNewest(db: ScopedDb, { projectId, words, models, limit }: ParsedSearch) {
  const values = [projectId, limit, words.map(containing), models];
  const shape = `search newest ${models.length > 0}`;
  const rows = await runCompiled<{ found: LinkTarget[]; searchedCount: number }>(
    db,
    documents,
    shape,
    values,
    (query, [project, max, patterns, modelIds]) =>
      query
        .with('recent', (q) =>
          models.length === 0 ? newestOf(q, project) : newestOfEach(q, project, modelIds),
        )
        .with('found', (q) =>
          q
            .selectFrom('recent')
            .selectAll()
            .where(hasWords('recent', patterns))
            .where(isLinkable('recent', project))
            .orderBy(newestFirst(documents, 'recent.'))
            .limit(sql<number>`${max}::bigint`),
        )
        .selectNoFrom((eb) => [
          eb.selectFrom('recent').select(eb.fn.countAll<number>().as('count')).as('searchedCount'),
          eb.selectFrom('found').select(asList('found').as('list')).as('found'),
        ]),
  );
  return rows[0] ?? { found: [], searchedCount: 0 };
}

/** Returns matches among the index candidates, or among all documents if there are too many candidates. */
async function searchAll(
  db: ScopedDb,
  { projectId, words, models, limit }: ParsedSearch,
  candidates: readonly string[] | null,
): Promise<LinkTarget[]> {
  const values = [
    projectId,
    limit,
    words.map(containing),
    models,
    ...(candidates === null ? [] : [candidates]),
  ];
  const shape = `search ${candidates === null ? 'all' : 'few'} ${models.length > 0}`;
  return runCompiled<LinkTarget>(
    db,
    documents,
    shape,
    values,
    (query, [project, max, patterns, modelIds, candidateIds]) => {
      const isOneOf = (column: string, ids: unknown) =>
        sql<SqlBool>`${sql.ref(`documents.${column}`)} = any(${ids}::text[])`;
      const conditions = [
        hasWords('documents', patterns),
        isLinkable('documents', project),
        ...(models.length === 0 ? [] : [isOneOf('document_model_id', modelIds)]),
        ...(candidates === null ? [] : [isOneOf('id', candidateIds)]),
      ];
      return conditions
        .reduce(
          (rows, condition) => rows.where(condition),
          query.selectFrom('documents').select(COLUMNS).where('documents.project_id', '=', project),
        )
        .orderBy(newestFirst(documents, 'documents.'))
        .limit(sql<number>`${max}::bigint`);
    },
  );
}

/** Selects the newest documents of a project. */
function newestOf(query: AnyQuery, project: unknown) {
  return query
    .selectFrom('documents')
    .select([
      'documents.project_id',
      'documents.created_at',
      ...COLUMNS.map((column) => `documents.${column}`),
    ])
    .where('documents.project_id', '=', project)
    .orderBy(newestFirst(documents, 'documents.'))
    .limit(sql<number>`${sql.lit(NEWEST_SEARCHED)}`);
}

/** Selects the newest documents of these models, each by the index of models, so that rare models are fast too. */
function newestOfEach(query: AnyQuery, project: unknown, models: unknown) {
  return query
    .selectFrom((eb) => eb.fn<{ id: string }>('unnest', [sql`${models}::text[]`]).as<'model'>(sql`model(id)`))
    .innerJoinLateral(
      () => newestOf(query, project).whereRef('documents.document_model_id', '=', 'model.id').as('each'),
      (join) => join.onTrue(),
    )
    .selectAll('each')
    .orderBy(newestFirst(documents, 'each.'))
    .limit(sql<number>`${sql.lit(NEWEST_SEARCHED)}`);
}

/** Returns the condition that name or uid contains every word. The line feed separates them: no word contains one. */
function hasWords(table: string, patterns: unknown): Expression<SqlBool> {
  const [name, uid] = [sql.ref(`${table}.name`), sql.ref(`${table}.uid`)];
  return sql<SqlBool>`${name} || E'\\n' || ${uid} ilike all(${patterns}::text[])`;
}

function isLinkable(table: string, project: unknown): Expression<SqlBool> {
  const unlinkable = unlinkableModels(expressionBuilder<AnyTables, never>(), project);
  return sql<SqlBool>`${sql.ref(`${table}.document_model_id`)} not in (${unlinkable})`;
}

/** Returns rows as one JSON list, in their order. */
function asList(table: string): RawBuilder<LinkTarget[]> {
  const members = COLUMNS.map((column) => sql`${sql.lit(column)}, ${sql.ref(`${table}.${column}`)}`);
  return sql<LinkTarget[]>`coalesce(json_agg(json_build_object(${sql.join(members)})
    order by ${newestFirst(documents, `${table}.`)}), '[]')`;
}
