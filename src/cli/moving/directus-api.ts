/** Reads a running Directus by its HTTP API. */
import Type, { type Static, type TSchema } from 'typebox';
import { openSource } from './source-http.ts';

/** Items per page. */
const PAGE_SIZE = 100;

const Text = Type.String();
const orNull = <S extends TSchema>(schema: S) => Type.Optional(Type.Union([schema, Type.Null()]));

/** A collection. Without a schema it is a folder of collections. */
export const DirectusCollection = Type.Object({
  collection: Text,
  meta: orNull(Type.Object({ singleton: orNull(Type.Boolean()) })),
  schema: orNull(Type.Object({})),
});
/** A collection of a Directus project, or a folder of collections. */
export type DirectusCollection = Static<typeof DirectusCollection>;

/** A field. Without a schema it is not a column, such as a list of related items or a divider. */
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
/** A field of a collection, as the Directus API returns it. */
export type DirectusField = Static<typeof DirectusField>;

/** A relation. `related_collection` is null if the field refers to items of several collections. */
export const DirectusRelation = Type.Object({
  collection: Text,
  field: Text,
  related_collection: orNull(Text),
});
/** A relation between two collections. */
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
/** Name, type and folder of a file, as the Directus API returns them. */
export type DirectusFile = Static<typeof DirectusFile>;

/** A folder of files. */
export const DirectusFolder = Type.Object({ id: Text, name: Text, parent: orNull(Text) });
/** A folder of files, with its parent. */
export type DirectusFolder = Static<typeof DirectusFolder>;

const Many = Type.Object({ data: Type.Array(Type.Unknown()) });
const One = Type.Object({ data: Type.Unknown() });

/** Fields of items to read, and the field that orders them. */
export interface ItemQuery {
  readonly fields: readonly string[];
  readonly sort: string;
}

/** A client of a Directus installation. All calls throw `SourceError`, or Error if Directus cannot be reached. */
export interface DirectusApi {
  /** Reads all items of an unpaged call. */
  readAll(path: string): Promise<readonly unknown[]>;
  /** Reads pages of items. */
  pages(path: string, query: ItemQuery): AsyncIterable<readonly unknown[]>;
  /** Reads the only item of a singleton. */
  one(path: string, query: Pick<ItemQuery, 'fields'>): Promise<unknown>;
  /** Writes the bytes of a file to the path. */
  download(id: string, file: string): Promise<void>;
}

/** Creates a client. `token` is the static token of a user. */
export function openDirectus(url: string, token: string | undefined): DirectusApi {
  const headers: Record<string, string> = token === undefined ? {} : { authorization: `Bearer ${token}` };
  const credential = 'the static token of an administrator';
  const source = openSource({ name: 'Directus', url, headers, credential });
  return {
    readAll: async (path) => (await source.json(path, Many)).data,
    one: async (path, { fields }) =>
      (await source.json(`${path}?${new URLSearchParams(fieldsOf(fields))}`, One)).data,
    pages: async function* (path, { fields, sort }) {
      // The offset counts what was returned, because the installation may limit pages to fewer items.
      for (let offset = 0; ; ) {
        const paging = { limit: String(PAGE_SIZE), offset: String(offset), sort };
        const query = new URLSearchParams({ ...fieldsOf(fields), ...paging });
        const { data } = await source.json(`${path}?${query}`, Many);
        if (data.length === 0) return;
        yield data;
        offset += data.length;
      }
    },
    download: (id, file) => source.download(`/assets/${encodeURIComponent(id)}`, file),
  };
}

function fieldsOf(fields: readonly string[]): Record<string, string> {
  return { fields: fields.join(',') };
}
