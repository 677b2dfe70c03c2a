/** Actions that read records: one by id, or all that a filter finds. */
import Type from 'typebox';
import { parseWritten } from '../../../../db/written-json.ts';
import type { Issue } from '../../../../errors/app-error.ts';
import {
  type ActionContext,
  ActionFailure,
  type ActionResult,
  defineActionType,
} from '../../../../flows/action-type.ts';
import type { Json } from '../../../../flows/expressions.ts';
import { LargeResponse } from '../../../../http/large-response.ts';
import { MAX_LIMIT } from '../../../../resources/paging.ts';
import { getRecord, listRecords } from '../service.ts';
import { asResult, EntityName, prepareAction, RecordId, withRecords } from './action-records.ts';

const DEFAULT_LIMIT = 20;
/** Leaves room for the rest of the result (docs/specification/automations.md#runs). */
const MAX_CHARACTERS = 300_000;

/** A parameter with names: an array, or a comma-separated string. */
const Names = (description: string) =>
  Type.Optional(Type.Union([Type.String(), Type.Array(Type.String()), Type.Null()], { description }));

const Include = Names('Comma-separated relations to load: `customer,items.product`.');

/** Reads a record. */
export const getRecordAction = defineActionType({
  key: 'getRecord',
  name: 'Read a record',
  description: 'Reads one record by its id. Result: the record.',
  params: Type.Object({ entity: EntityName, id: RecordId, include: Include }),
  isReadOnly: true,
  call: readOne,
  preview: readOne,
});

/** Finds records. */
export const findRecordsAction = defineActionType({
  key: 'findRecords',
  name: 'Find records',
  description:
    'Finds records of an entity by a filter. Result: `{records, total}`, where `total` counts all matching records.',
  params: Type.Object({
    entity: EntityName,
    filter: Type.Optional(
      Type.Union([Type.Record(Type.String(), Type.Unknown()), Type.Null()], {
        description:
          'The same keys as in list queries: `{"status": "open", "total__gte": 100}`. Default: all records.',
      }),
    ),
    include: Include,
    sort: Names('Comma-separated fields; `-total` sorts in descending order. Default: newest first.'),
    limit: Type.Optional(
      Type.Union([Type.Integer({ minimum: 1, maximum: MAX_LIMIT }), Type.Null()], {
        description: `Maximum number of records, up to ${MAX_LIMIT}. Default: ${DEFAULT_LIMIT}.`,
      }),
    ),
  }),
  check: ({ filter }) => Object.entries(filter ?? {}).flatMap(([name, value]) => filterFault(name, value)),
  isReadOnly: true,
  call: readMany,
  preview: readMany,
});

async function readOne(
  ctx: ActionContext,
  { entity, id, include }: { entity: string; id: string | null; include?: string | string[] | null },
): Promise<ActionResult> {
  const record = await withRecords(ctx, { entity, id }, await prepareAction(ctx), (records) =>
    getRecord(records, id ?? '', { include: toText(include) }),
  );
  return asResult(record);
}

/** Parameters of `findRecords`. */
interface FindParams {
  readonly entity: string;
  readonly filter?: Readonly<Record<string, unknown>> | null;
  readonly include?: string | string[] | null;
  readonly sort?: string | string[] | null;
  readonly limit?: number | null;
}

async function readMany(ctx: ActionContext, params: FindParams): Promise<ActionResult> {
  const { entity, filter, include, sort, limit } = params;
  const query = { include: toText(include), sort: toText(sort) };
  const filters = Object.entries(filter ?? {}).map(([name, value]) => [name, toOperand(value)]);
  const request = { ...Object.fromEntries(filters), ...query, page: 1, per_page: limit ?? DEFAULT_LIMIT };
  const page = await withRecords(ctx, { entity, id: null }, await prepareAction(ctx), (records) =>
    listRecords(records, request),
  );
  if (page instanceof LargeResponse || page.text.length > MAX_CHARACTERS)
    throw new ActionFailure('The records are too large for one result: set a lower limit.', {
      isFinal: true,
    });
  const { data, pagination }: { data: Json; pagination: { total: number } } = Object(parseWritten(page.text));
  return { records: data, total: pagination.total };
}

function toText(names: string | readonly string[] | null | undefined): string {
  return typeof names === 'string' ? names : (names ?? []).join(',');
}

/** Converts a value to text, as in the query of a list. */
function toOperand(value: unknown): string {
  return Array.isArray(value) ? value.join(',') : String(value);
}

/** A filter with one of these names would be read as another parameter of a list. */
const PARAMETERS = ['page', 'per_page', 'sort', 'fields', 'include', 'search'];

function filterFault(name: string, value: unknown): readonly Issue[] {
  const field = `filter.${name}`;
  if (PARAMETERS.includes(name)) return [{ field, message: 'is not a field of the entity' }];
  const values = Array.isArray(value) ? value : [value];
  const isPlain = values.every((each) => ['string', 'number', 'boolean'].includes(typeof each));
  return isPlain ? [] : [{ field, message: 'must be a string, a number, true, false, or a list of these' }];
}
