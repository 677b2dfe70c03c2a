/** Reads a running Directus by its HTTP API. */
import { createWriteStream } from 'node:fs';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { setTimeout } from 'node:timers/promises';
import Type, { type Static, type TSchema } from 'typebox';
import Value from 'typebox/value';
import { parseJson, reasonOf } from './target.ts';

/** Items per page. */
const PAGE_SIZE = 100;
const MAX_ATTEMPTS = 5;
const FIRST_WAIT_MS = 500;
const MAX_WAIT_MS = 60_000;

const Text = Type.String();
const orNull = <S extends TSchema>(schema: S) => Type.Optional(Type.Union([schema, Type.Null()]));

/** A collection. Without a schema it is a folder of collections. */
export const DirectusCollection = Type.Object({
  collection: Text,
  meta: orNull(Type.Object({ singleton: orNull(Type.Boolean()) })),
  schema: orNull(Type.Object({})),
});
export type DirectusCollection = Static<typeof DirectusCollection>;

/** A field. Without a schema it is no column, such as a list of related items or a divider. */
export const DirectusField = Type.Object({
  collection: Text,
  field: Text,
  type: Text,
  meta: orNull(Type.Object({ special: orNull(Type.Array(Text)), options: Type.Optional(Type.Unknown()) })),
  schema: orNull(
    Type.Object({
      is_primary_key: Type.Optional(Type.Boolean()),
      numeric_precision: orNull(Type.Number()),
    }),
  ),
});
export type DirectusField = Static<typeof DirectusField>;

/** A relation. `related_collection` is null if the field refers to items of several collections. */
export const DirectusRelation = Type.Object({
  collection: Text,
  field: Text,
  related_collection: orNull(Text),
});
export type DirectusRelation = Static<typeof DirectusRelation>;

/** A file without its bytes. */
export const DirectusFile = Type.Object({
  id: Text,
  filename_download: orNull(Text),
  title: orNull(Text),
  description: orNull(Text),
  folder: orNull(Text),
  filesize: orNull(Type.Union([Type.Number(), Text])),
  tags: orNull(Type.Array(Text)),
});
export type DirectusFile = Static<typeof DirectusFile>;

/** A folder of files. */
export const DirectusFolder = Type.Object({ id: Text, name: Text, parent: orNull(Text) });
export type DirectusFolder = Static<typeof DirectusFolder>;

const Many = Type.Object({ data: Type.Array(Type.Unknown()) });
const One = Type.Object({ data: Type.Unknown() });

/** Fields of items to read, and the field that orders them. */
export interface ItemQuery {
  readonly fields: readonly string[];
  readonly sort: string;
}

/** A Directus that is read. All calls throw `DirectusError`, or Error if Directus cannot be reached. */
export interface DirectusApi {
  /** Reads all items of an unpaged call. */
  whole(path: string): Promise<readonly unknown[]>;
  /** Reads pages of items. */
  pages(path: string, query: ItemQuery): AsyncIterable<readonly unknown[]>;
  /** Reads the only item of a singleton. */
  one(path: string, query: Pick<ItemQuery, 'fields'>): Promise<unknown>;
  /** Writes the bytes of a file to the path. */
  download(id: string, file: string): Promise<void>;
}

/** Directus refused a call. */
export class DirectusError extends Error {
  readonly status: number;

  constructor(status: number, message: string) {
    super(message);
    this.status = status;
  }

  /** True if the token may not read what was asked for, or it does not exist. */
  get isMissing(): boolean {
    return this.status === 403 || this.status === 404;
  }
}

/** Creates a client. `token` is the static token of a user. */
export function openDirectus(url: string, token: string | undefined): DirectusApi {
  const base = url.replace(/\/+$/, '');
  const headers: Record<string, string> = token === undefined ? {} : { authorization: `Bearer ${token}` };
  const get = <T>(path: string, read: (response: Response) => Promise<T>): Promise<T> =>
    retry(path, async () => read(await fetch(`${base}${path}`, { headers })));
  const json = async <S extends TSchema>(path: string, schema: S): Promise<Static<S>> => {
    const body = await get(path, async (response) => parseJson(await textOf(response, path)));
    if (!Value.Check(schema, body))
      throw new Error(`the answer to ${pathname(path)} is not what Directus answers`);
    return body;
  };
  return {
    whole: async (path) => (await json(path, Many)).data,
    one: async (path, { fields }) =>
      (await json(`${path}?${new URLSearchParams(fieldsOf(fields))}`, One)).data,
    pages: async function* (path, { fields, sort }) {
      // The offset counts what was returned, because the installation may limit pages to fewer items.
      for (let offset = 0; ; ) {
        const paging = { limit: String(PAGE_SIZE), offset: String(offset), sort };
        const query = new URLSearchParams({ ...fieldsOf(fields), ...paging });
        const { data } = await json(`${path}?${query}`, Many);
        if (data.length === 0) return;
        yield data;
        offset += data.length;
      }
    },
    download: (id, file) => {
      const path = `/assets/${encodeURIComponent(id)}`;
      return get(path, async (response) => {
        if (!response.ok || response.body === null) await textOf(response, path);
        if (response.body !== null) await pipeline(Readable.fromWeb(response.body), createWriteStream(file));
      });
    },
  };
}

/** Repeats a call while the server is busy or unreachable, with increasing waits. */
async function retry<T>(path: string, call: () => Promise<T>): Promise<T> {
  for (let attempt = 1; ; attempt++)
    try {
      return await call();
    } catch (error) {
      const isFinal = error instanceof DirectusError && error.status < 500 && error.status !== 429;
      if (isFinal) throw error;
      if (attempt === MAX_ATTEMPTS) {
        if (error instanceof DirectusError) throw error;
        throw new Error(`Directus cannot be reached for ${pathname(path)}: ${reasonOf(error)}`, {
          cause: error,
        });
      }
      const asked = error instanceof BusyError ? error.waitMs : null;
      await setTimeout(Math.min(asked ?? FIRST_WAIT_MS * 2 ** (attempt - 1), MAX_WAIT_MS));
    }
}

/** Directus is busy; `waitMs` is how long it asks to wait. */
class BusyError extends DirectusError {
  readonly waitMs: number | null;

  constructor(status: number, message: string, retryAfter: string | null) {
    super(status, message);
    const seconds = Number(retryAfter ?? Number.NaN);
    this.waitMs = seconds >= 0 ? seconds * 1000 : null;
  }
}

/** Returns the body of a successful response. @throws DirectusError */
async function textOf(response: Response, path: string): Promise<string> {
  const text = await response.text();
  const { ok, status, headers } = response;
  if (ok) return text;
  const hint = [401, 403].includes(status)
    ? '; set SOURCE_TOKEN to the static token of an administrator'
    : '';
  const message = `Directus answered ${status} to ${pathname(path)}${hint}`;
  if (status === 429 || status >= 500) throw new BusyError(status, message, headers.get('retry-after'));
  throw new DirectusError(status, message);
}

function fieldsOf(fields: readonly string[]): Record<string, string> {
  return { fields: fields.join(',') };
}

function pathname(path: string): string {
  return path.replace(/\?.*$/, '');
}
