/** Responses with records: small pages at once, large ones record by record. */
import { AppError } from '../../../errors/app-error.ts';
import { JsonText } from '../../../http/json-text.ts';
import { LargeResponse, toChunks } from '../../../http/large-response.ts';
import { AnswerBudget } from './answer-budget.ts';
import type { EntityContext } from './entity-context.ts';
import type { ListQuery, Selection } from './list-query.ts';
import { tooLarge, withIncludes } from './load-includes.ts';
import { withEntity } from './open-entity.ts';
import { type LargeRecord, type ReadRecord, type RecordPage, readRecords } from './read-queries.ts';

/** Members of a page other than its records. */
type Envelope = Readonly<Record<'pagination', object>>;

/** Returns a page with included records. @throws AppError INVALID_REQUEST if the response is too large. */
export async function answerPage(
  ctx: EntityContext,
  list: ListQuery,
  page: RecordPage,
): Promise<JsonText | LargeResponse> {
  const { page: number, limit: per_page } = list;
  const { total } = page;
  const pagination = { page: number, per_page, total, total_pages: Math.ceil(total / per_page) };
  if (list.include.length === 0 && page.large.size > 0) return largePage(ctx, list, page, { pagination });
  const data = await withRelated(ctx, list, page);
  return new JsonText(`{"data":[${data.join(',')}],"pagination":${JSON.stringify(pagination)}}`);
}

/** Returns a record with included records. @throws the errors of `answerPage`. */
export async function answerRecord(
  ctx: EntityContext,
  selection: Selection,
  record: ReadRecord,
): Promise<JsonText> {
  const page = { records: [record], large: new Map(), total: 1 };
  const [json = record.json] = await withRelated(ctx, selection, page);
  return new JsonText(json);
}

async function withRelated(
  ctx: EntityContext,
  { fields, include }: Selection,
  { records, large }: RecordPage,
): Promise<readonly string[]> {
  const { db, platform } = ctx;
  if (include.length === 0) return records.map(({ json }) => json);
  const budget = new AnswerBudget(platform, db.tenantId);
  try {
    const bytes = [...large.values()].reduce((sum, each) => sum + each.bytes, 0);
    if (bytes > budget.remaining) throw tooLarge();
    if (large.size > 0) await budget.reserveMemory();
    return await withIncludes(db, await filled(ctx, fields, records, large), include, budget);
  } finally {
    budget.release();
  }
}

/** Adds the JSON of the large records of a page; leaves out those deleted since. */
async function filled(
  { db, model }: EntityContext,
  fields: Selection['fields'],
  records: readonly ReadRecord[],
  large: RecordPage['large'],
): Promise<readonly ReadRecord[]> {
  if (large.size === 0) return records;
  const ids = [...large.values()].map(({ id }) => id);
  const texts = new Map((await readRecords(db, model, ids, fields)).map(({ id, json }) => [id, json]));
  return records.flatMap((record, index) => {
    const json = textOf(record, large.get(index), texts);
    return json === undefined ? [] : [{ ...record, json }];
  });
}

interface Listed {
  readonly record: ReadRecord;
  readonly large: LargeRecord | undefined;
}

function largePage(
  ctx: EntityContext,
  { fields }: Selection,
  { records, large }: RecordPage,
  envelope: Envelope,
): LargeResponse {
  const listed = records.map((record, index): Listed => ({ record, large: large.get(index) }));
  const read = async (some: readonly Listed[]) => {
    const ids = some.flatMap(({ large: each }) => each?.id ?? []);
    const found = ids.length === 0 ? [] : await readCurrent(ctx, ids, fields);
    const texts = new Map(found.map(({ id, json }) => [id, json]));
    return some.flatMap((each) => textOf(each.record, each.large, texts) ?? []);
  };
  const chunks = toChunks(listed, (each) => each.large?.bytes ?? 0, read);
  return new LargeResponse(ctx.db.tenantId, chunks, envelope, 'data');
}

/** Reads with the current definition: it may have changed since the response began. A deleted entity has no records. */
async function readCurrent(ctx: EntityContext, ids: readonly string[], fields: Selection['fields']) {
  try {
    return await withEntity(ctx, ctx.model.name, ({ db, model }) => readRecords(db, model, ids, fields));
  } catch (error) {
    if (error instanceof AppError) return [];
    throw error;
  }
}

function textOf(
  { json }: ReadRecord,
  large: LargeRecord | undefined,
  texts: ReadonlyMap<string, string>,
): string | undefined {
  return large === undefined ? json : texts.get(large.id);
}
