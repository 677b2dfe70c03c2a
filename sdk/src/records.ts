/** Records of a tenant's own entities. */
import type { Caller } from './client.ts';
import { type Operation, parseOperation } from './operation.ts';
import type { CallOptions } from './options.ts';

/** Types of an entity's fields. */
export interface EntityType {
  /** A record in a response. */
  record: object;
  /** The fields of a new record. */
  create: object;
  /** The fields of an update. */
  update: object;
  /** Conditions of lists: `field` or `field__operator`. */
  where: object;
  /** Relations that can be loaded with a record. */
  include: string;
}

/** The entities of the tenant. `tessera-sdk types` writes a file that extends this interface. */
// biome-ignore lint/suspicious/noEmptyInterface: programs extend it by declaration merging.
export interface EntityTypes {}

/** The name of an entity with known types. */
export type EntityName = keyof EntityTypes;

/** The types of an entity. */
export type TypeOf<N extends EntityName> = EntityTypes[N] extends EntityType ? EntityTypes[N] : AnyEntity;

/** An entity with unknown types. */
export interface AnyEntity extends EntityType {
  record: Record<string, unknown> & { readonly id: string };
  create: Record<string, unknown>;
  update: Record<string, unknown>;
  where: Record<string, unknown>;
  include: string;
}

/** Selects the fields and relations of a record to read. */
export interface RecordView<E extends EntityType> {
  readonly fields?: readonly (keyof E['record'] & string)[];
  /** Relations, nested with dots. */
  readonly include?: readonly (E['include'] | `${E['include']}.${string}`)[];
}

/** A field, or `-field`. */
type SortKey<E extends EntityType> = (keyof E['record'] & string) | `-${keyof E['record'] & string}`;

/** The query of a list of records. */
export interface RecordQuery<E extends EntityType> extends RecordView<E> {
  /** Conditions, all of which must hold: `{ total__gt: 5, status__in: ['open', 'paid'] }`. */
  readonly where?: E['where'];
  /** Fields; a leading `-` sorts in descending order. A text has commas between them. */
  readonly sort?: SortKey<E> | `${SortKey<E>},${string}` | readonly SortKey<E>[];
  /** All words must occur; the last is a prefix. Needs a `searchable` field. */
  readonly search?: string;
  /** 1-based. */
  readonly page?: number;
  /** At most 100. */
  readonly perPage?: number;
}

/** One page of records. */
export interface RecordPage<R> {
  readonly data: readonly R[];
  readonly pagination: {
    readonly page: number;
    readonly per_page: number;
    readonly total: number;
    readonly total_pages: number;
  };
}

/** The calls of one entity. All throw `TesseraError`. */
export interface RecordsOf<E extends EntityType = AnyEntity> {
  /** Returns one page, by default the first with 20 records. */
  list(query?: RecordQuery<E>, options?: CallOptions): Promise<RecordPage<E['record']>>;
  /** Iterates over all records, page by page. Skips records if you delete others in the loop. */
  all(query?: RecordQuery<E>, options?: CallOptions): AsyncGenerator<E['record'], void, undefined>;
  /** Returns a record. */
  get(id: string, view?: RecordView<E>, options?: CallOptions): Promise<E['record']>;
  /** Creates a record and returns it. Fails with `conflict` if the value of a `unique` field is used. */
  create(values: E['create'], options?: CallOptions): Promise<E['record']>;
  /** Creates 1 to 1,000 records atomically. */
  createMany(
    records: readonly E['create'][],
    options?: CallOptions,
  ): Promise<{ success: boolean; created: number; ids: string[] }>;
  /** Updates the given fields and returns the record; other fields keep their values. */
  update(id: string, values: E['update'], options?: CallOptions): Promise<E['record']>;
  /** Updates all records that match. */
  updateMany(
    where: E['where'],
    values: E['update'],
    options?: CallOptions,
  ): Promise<{ success: boolean; updated: number }>;
  /** Deletes a record. */
  delete(id: string, options?: CallOptions): Promise<{ success: boolean; message: string }>;
  /** Deletes records by their ids. */
  deleteMany(ids: readonly string[], options?: CallOptions): Promise<{ success: boolean; deleted: number }>;
  /** Moves a record to another state of its workflow. */
  move(id: string, to: string, options?: CallOptions): Promise<E['record']>;
  /** Makes the caller the owner of a record. */
  take(id: string, options?: CallOptions): Promise<E['record']>;
}

/** The largest page that the API serves. */
const MAX_PER_PAGE = 100;

/** Returns the calls of an entity. A service authenticates with an API key, a user with an access token. */
export function createRecords(entity: string, isService: boolean, call: Caller): RecordsOf {
  const operation = (method: string, path: string, flags = ''): Operation =>
    parseOperation(`${method} /api/{entity}${path} ${isService ? 'ApiKey' : 'AccessToken'} ${flags}`);
  const request = async <R>(
    requested: Operation,
    pathValues: readonly string[],
    input: unknown,
    options: CallOptions = {},
  ): Promise<R> => {
    const headers = isService ? { 'X-Tessera-Surface': 'records', ...options.headers } : options.headers;
    const response = await call({
      operation: requested,
      pathValues: [entity, ...pathValues],
      input,
      options: headers === undefined ? options : { ...options, headers },
    });
    return response.json();
  };
  const list: RecordsOf['list'] = async (query, options) =>
    request(operation('GET', '', 'q'), [], toParameters(query), options);
  return {
    list,
    async *all(query = {}, options) {
      const perPage = query.perPage ?? MAX_PER_PAGE;
      for (let page = 1, pages = 1; page <= pages; page++) {
        const { data, pagination } = await list({ ...query, page, perPage }, options);
        pages = pagination.total_pages;
        yield* data;
      }
    },
    get: async (id, view, options) =>
      request(operation('GET', '/{id}', 'q'), [id], toParameters(view), options),
    create: (values, options) => request(operation('POST', '', 'j'), [], values, options),
    createMany: (records, options) => request(operation('POST', '/bulk', 'j'), [], { records }, options),
    update: (id, values, options) => request(operation('PATCH', '/{id}', 'j'), [id], values, options),
    updateMany: (filter, update, options) =>
      request(operation('PUT', '/bulk', 'j'), [], { filter, update }, options),
    delete: (id, options) => request(operation('DELETE', '/{id}'), [id], undefined, options),
    deleteMany: (ids, options) => request(operation('DELETE', '/bulk', 'j'), [], { ids }, options),
    move: (id, to, options) => request(operation('POST', '/{id}/workflow/move', 'j'), [id], { to }, options),
    take: (id, options) => request(operation('POST', '/{id}/workflow/take'), [id], undefined, options),
  };
}

function toParameters(query: RecordQuery<AnyEntity> = {}): Record<string, unknown> {
  const { where, fields, include, sort, search, page, perPage } = query;
  return {
    ...joinLists(where),
    fields: fields?.join(','),
    include: include?.join(','),
    sort: typeof sort === 'string' ? sort : sort?.join(','),
    search,
    page,
    per_page: perPage,
  };
}

/** Joins the values of a list with commas, as the query expects them. @throws TypeError if a value contains one. */
function joinLists(where: Readonly<Record<string, unknown>> = {}): Record<string, unknown> {
  return Object.fromEntries(
    Object.entries(where).map(([name, value]) => {
      if (!Array.isArray(value)) return [name, value];
      const values = value.map(String);
      if (values.some((each) => each.includes(',')))
        throw new TypeError(`"${name}" must not have values with commas.`);
      return [name, values.join(',')];
    }),
  );
}
