/** Values of records from entries of Strapi and their components. */
import Type from 'typebox';
import Value from 'typebox/value';
import { assetKey } from './asset-import.ts';
import type { Move } from './move.ts';
import { keyOf } from './record-import.ts';
import { FILE_TYPE, type LinkedEntry, type StrapiAttribute, type StrapiExport } from './strapi-export.ts';
import { isList } from './strapi-model.ts';

const Component = Type.Record(Type.String(), Type.Unknown());
const InZone = Type.Object({ __component: Type.String() });

/** An entry or a component whose values are read. */
interface Owner extends LinkedEntry {
  /** Names it in the report. */
  readonly name: string;
  readonly data: Readonly<Record<string, unknown>>;
}

/** Reads the values of entries. Files and related entries come from links. */
export class StrapiValues {
  readonly #move: Move;
  readonly #found: StrapiExport;

  constructor(move: Move, found: StrapiExport) {
    this.#move = move;
    this.#found = found;
  }

  /** Returns the value of an attribute: for a single file its id, for a reference the key of the entry. */
  read(owner: Owner, name: string, attribute: StrapiAttribute): unknown {
    const { type, multiple, component = '', repeatable } = attribute;
    if (type === 'media')
      return multiple === true ? this.#urls(owner, name) : (this.#files(owner, name)[0] ?? null);
    if (type === 'relation') {
      const keys = [
        ...new Set(this.#found.linked(owner, name).flatMap((end) => this.#found.keyOf(end) ?? end.id)),
      ];
      return isList(attribute) ? keys : (keys[0] ?? null);
    }
    const value = owner.data[name];
    const path = `${owner.name}, ${name}`;
    if (type === 'component' && repeatable === true)
      return toList(value).flatMap((each) => this.#component(component, path, each) ?? []);
    if (type === 'component') return this.#component(component, path, value);
    if (type === 'dynamiczone')
      return toList(value).flatMap((each) => {
        const uid = Value.Check(InZone, each) ? each.__component : '';
        const content = this.#component(uid, path, each);
        return content === null ? [] : [{ __component: uid, ...content }];
      });
    return value ?? null;
  }

  #files(owner: Owner, name: string): readonly string[] {
    return this.#found
      .linked(owner, name)
      .filter(({ type }) => type === FILE_TYPE)
      .map(({ id }) => id);
  }

  #urls(owner: Owner, name: string): string[] {
    const { state, report, isApplied } = this.#move;
    return this.#files(owner, name).flatMap((id) => {
      const url = state.get(assetKey(id));
      if (url === undefined && isApplied)
        report.skip(`${owner.name}, ${name}`, `the file ${id} was not imported`);
      return url ?? [];
    });
  }

  /** Returns a component as JSON, with addresses of files and keys of entries; null if there is none. */
  #component(uid: string, path: string, value: unknown): Record<string, unknown> | null {
    if (!Value.Check(Component, value)) return null;
    const schema = this.#found.schemas.get(uid);
    if (schema === undefined) {
      this.#move.report.skip(path, `the component ${uid} has no schema`);
      return null;
    }
    const owner = { type: uid, id: keyOf(value.id) ?? '', name: path, data: value };
    const members = Object.entries(schema.attributes).filter(([, { type }]) => type !== 'password');
    return Object.fromEntries(
      members.map(([name, attribute]) => {
        const isSingleFile = attribute.type === 'media' && attribute.multiple !== true;
        const read = isSingleFile ? (this.#urls(owner, name)[0] ?? null) : this.read(owner, name, attribute);
        return [name, read];
      }),
    );
  }
}

function toList(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? value : [];
}
