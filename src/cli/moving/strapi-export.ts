/** Schemas, keys, links and files of a `strapi export`. */
import Type, { type Static, type TSchema } from 'typebox';
import Value from 'typebox/value';
import type { Report } from './move.ts';
import { type ArchiveFile, readArchive, readJsonLines } from './strapi-archive.ts';

/** Content type of uploaded files. */
export const FILE_TYPE = 'plugin::upload.file';
const FOLDER_TYPE = 'plugin::upload.folder';

const Text = Type.String();
const Id = Type.Union([Type.Number(), Text]);
const orNull = <S extends TSchema>(schema: S) => Type.Optional(Type.Union([schema, Type.Null()]));

/** An attribute of a content type or a component. */
export const StrapiAttribute = Type.Object({
  type: Text,
  relation: Type.Optional(Text),
  target: Type.Optional(Text),
  mappedBy: orNull(Text),
  multiple: orNull(Type.Boolean()),
  component: Type.Optional(Text),
  repeatable: orNull(Type.Boolean()),
  enum: Type.Optional(Type.Array(Type.Unknown())),
});
/** An attribute of a schema in a Strapi export. */
export type StrapiAttribute = Static<typeof StrapiAttribute>;

/** A content type or a component. */
export const StrapiSchema = Type.Object({ uid: Text, attributes: Type.Record(Text, StrapiAttribute) });
/** A content type or component in a Strapi export. */
export type StrapiSchema = Static<typeof StrapiSchema>;

/** An entry with its components. Strapi 5 has one for each version and language of a document. */
export const StrapiEntry = Type.Object({ type: Text, id: Id, data: Type.Record(Text, Type.Unknown()) });
/** An entry in a Strapi export. */
export type StrapiEntry = Static<typeof StrapiEntry>;

const LinkEnd = Type.Object({ type: Text, ref: Id, field: orNull(Text), pos: orNull(Type.Number()) });
const StrapiLink = Type.Object({ left: LinkEnd, right: LinkEnd });
type StrapiLink = Static<typeof StrapiLink>;

const Version = Type.Object({
  documentId: orNull(Text),
  locale: orNull(Text),
  publishedAt: orNull(Text),
});

/** A file without its bytes. */
export const StrapiFile = Type.Object({
  name: Text,
  hash: Text,
  ext: orNull(Text),
  alternativeText: orNull(Text),
  caption: orNull(Text),
  folderPath: orNull(Text),
});
/** Metadata of a file in a Strapi export. */
export type StrapiFile = Static<typeof StrapiFile>;

const StrapiFolder = Type.Object({ name: Text, pathId: Type.Number() });

/** The other end of a link. */
export interface LinkedEntry {
  readonly type: string;
  readonly id: string;
}

/** Schemas, keys, links and files of an export, which are read before its entries are imported. */
export class StrapiExport {
  readonly schemas = new Map<string, StrapiSchema>();
  /** Files by their id. */
  readonly files = new Map<string, StrapiFile>();
  /** Names of folders by the number that paths have for them. */
  readonly folders = new Map<string, string>();
  readonly #keys = new Map<string, Map<string, string>>();
  /** Ids of the versions to import, by type and key. */
  readonly #versions = new Map<string, Map<string, { readonly id: string; readonly isPublished: boolean }>>();
  readonly #links = new Map<string, { readonly end: LinkedEntry; readonly position: number }[]>();

  /** Types that have entries, except for files and their folders. */
  get types(): readonly string[] {
    return [...this.#versions.keys()];
  }

  /**
   * Returns the key of an entry: in Strapi 4 its id, in Strapi 5 the document's id and the language. All versions have
   * the same one.
   */
  keyOf({ type, id }: LinkedEntry): string | undefined {
    return this.#keys.get(type)?.get(id);
  }

  /** Returns the entries to import by their keys: the published version, or the draft of what is not published. */
  entriesOf(type: string): ReadonlyMap<string, string> {
    return new Map([...(this.#versions.get(type) ?? [])].map(([key, { id }]) => [key, id]));
  }

  /** True if this is the version of an entry to import. */
  isImported(entry: LinkedEntry): boolean {
    const key = this.keyOf(entry);
    return key !== undefined && this.#versions.get(entry.type)?.get(key)?.id === entry.id;
  }

  /** Returns the ends of links from a field, in order. For a media field these are files. */
  linked({ type, id }: LinkedEntry, field: string): readonly LinkedEntry[] {
    const links = this.#links.get(linkKey(type, id, field)) ?? [];
    return links.toSorted((a, b) => a.position - b.position).map(({ end }) => end);
  }

  /** True if any entry of the type has a link from the field. */
  hasLinks(type: string, field: string): boolean {
    return this.entriesOf(type)
      .values()
      .some((id) => this.linked({ type, id }, field).length > 0);
  }

  /** Adds an entry. Returns false if its data has unexpected types. */
  addEntry({ type, id, data }: StrapiEntry): boolean {
    if (type === FILE_TYPE) {
      if (!Value.Check(StrapiFile, data)) return false;
      this.files.set(String(id), data);
      return true;
    }
    if (type === FOLDER_TYPE) {
      if (!Value.Check(StrapiFolder, data)) return false;
      this.folders.set(String(data.pathId), data.name);
      return true;
    }
    const { documentId, locale, publishedAt } = Value.Check(Version, data) ? data : {};
    const language = typeof locale === 'string' ? `:${locale}` : '';
    const key = typeof documentId === 'string' ? `${documentId}${language}` : String(id);
    const version = { id: String(id), isPublished: typeof publishedAt === 'string' };
    entryOf(this.#keys, type).set(version.id, key);
    const versions = entryOf(this.#versions, type);
    const known = versions.get(key);
    if (known === undefined || (version.isPublished && !known.isPublished)) versions.set(key, version);
    return true;
  }

  /** Adds a link. Links of media lead from the file to the entry. */
  addLink({ left, right }: StrapiLink): void {
    const isMedia = left.type === FILE_TYPE;
    const [from, to] = isMedia ? [right, left] : [left, right];
    if (typeof from.field !== 'string') return;
    const key = linkKey(from.type, String(from.ref), from.field);
    const links = this.#links.get(key) ?? [];
    this.#links.set(key, links);
    links.push({
      end: { type: to.type, id: String(to.ref) },
      position: (isMedia ? right.pos : left.pos) ?? links.length,
    });
  }
}

function linkKey(type: string, id: string, field: string): string {
  return `${type} ${id} ${field}`;
}

function entryOf<V>(types: Map<string, Map<string, V>>, type: string): Map<string, V> {
  const found = types.get(type) ?? new Map<string, V>();
  types.set(type, found);
  return found;
}

/** Reads everything but the contents of entries and files. Lines that are not of Strapi are reported. */
export async function readExport(path: string, report: Report): Promise<StrapiExport> {
  const found = new StrapiExport();
  await readArchive(path, async (file) => {
    const add = ADDERS[file.path.split('/')[0] ?? ''];
    const wrong = add === undefined || !file.path.endsWith('.jsonl') ? 0 : await addLines(file, found, add);
    if (wrong > 0) report.skip(`${wrong} lines of ${file.path}`, 'the data has unexpected types');
  });
  if (found.schemas.size === 0)
    throw new Error(`${path} contains no schemas; it must be an archive of strapi export`);
  return found;
}

type Adder = (found: StrapiExport, line: unknown) => boolean;

const ADDERS: Readonly<Record<string, Adder>> = {
  schemas: (found, line) => {
    if (!Value.Check(StrapiSchema, line)) return false;
    found.schemas.set(line.uid, line);
    return true;
  },
  entities: (found, line) => Value.Check(StrapiEntry, line) && found.addEntry(line),
  links: (found, line) => {
    if (!Value.Check(StrapiLink, line)) return false;
    found.addLink(line);
    return true;
  },
};

async function addLines(file: ArchiveFile, found: StrapiExport, add: Adder): Promise<number> {
  let wrong = 0;
  for await (const line of readJsonLines(file)) if (!add(found, line)) wrong++;
  return wrong;
}
