/** Members of bodies and query parameters that nothing reads (docs/specification/conventions.md#unknown-members). */
import { fieldAt, type Issue, MAX_ISSUES } from '../errors/app-error.ts';
import { nearestName } from './nearest-name.ts';
import type { Member, Shape } from './schema-shapes.ts';

/** A member or a query parameter that a route does not know. */
export interface UnknownName {
  readonly kind: 'member' | 'parameter';
  /** Names and indexes from the outside in. */
  readonly path: readonly (string | number)[];
  /** The known name in the same object that was probably intended. */
  readonly suggestion: string | null;
}

/** The shapes that a body is compared with. */
export interface KnownMembers {
  /** Members that the route reads. */
  readonly taken: readonly Shape[];
  /** Members that reads of the record show in addition: accepted and ignored. */
  readonly shown: readonly Shape[];
  /** Removes null from optional members that are not nullable: a creation treats them as absent. */
  readonly dropsNull: boolean;
}

/** Returns the unknown members of a body. */
export function findUnknownMembers(known: KnownMembers, body: unknown): readonly UnknownName[] {
  const walk = new Walk(known.dropsNull);
  walk.visit(known.taken, known.shown, body);
  return walk.found;
}

/** Removes the members of a body that count as absent in a creation: optional ones that are null but must not be. */
export function removeAbsentNulls(taken: readonly Shape[], body: unknown): void {
  new Walk(true).visit(taken, [], body);
}

/** Returns the query parameters that are not among `names`. */
export function findUnknownParameters(names: ReadonlySet<string>, query: object): readonly UnknownName[] {
  const found: UnknownName[] = [];
  for (const name of Object.keys(query)) {
    // An item of a list may have an index.
    if (names.has(name) || names.has(name.replace(/\[\d+\]$/, '[]'))) continue;
    if (found.length === MAX_ISSUES) break;
    found.push({ kind: 'parameter', path: [name], suggestion: nearestName(name, names) });
  }
  return found;
}

class Walk {
  readonly found: UnknownName[] = [];
  readonly #path: (string | number)[] = [];
  readonly #dropsNull: boolean;

  constructor(dropsNull: boolean) {
    this.#dropsNull = dropsNull;
  }

  visit(taken: readonly Shape[], shown: readonly Shape[], value: unknown): void {
    if (typeof value !== 'object' || value === null || taken.length === 0) return;
    if (Array.isArray(value)) this.#visitItems(itemsOf(taken), itemsOf(shown), value);
    else this.#visitMembers(possibleShapes(taken, value), possibleShapes(shown, value), value);
  }

  #visitItems(taken: readonly Shape[], shown: readonly Shape[], values: readonly unknown[]): void {
    if (taken.every(acceptsAnything)) return;
    for (const [index, value] of values.entries()) this.#visitAt(index, taken, shown, value);
  }

  #visitMembers(taken: readonly Shape[], shown: readonly Shape[], object: object): void {
    if (taken.every(acceptsAnything)) return;
    const isOpen = taken.some((shape) => shape.isOpen);
    const others = valuesOf(taken);
    for (const name of Object.keys(object)) {
      // Further ones would not make the response more useful.
      if (this.found.length === MAX_ISSUES) return;
      const members = membersOf(taken, name);
      const value: unknown = Reflect.get(object, name);
      if (members.length > 0) {
        if (value === null && this.#dropsNull && members.every(({ nullIsAbsent }) => nullIsAbsent))
          Reflect.deleteProperty(object, name);
        else if (typeof value === 'object' && value !== null)
          this.#visitAt(name, shapesIn(members), shapesIn(membersOf(shown, name)), value);
      } else if (isOpen) {
        if (typeof value === 'object') this.#visitAt(name, others, NO_SHAPES, value);
      } else if (membersOf(shown, name).length === 0) {
        const path = [...this.#path, name];
        this.found.push({ kind: 'member', path, suggestion: nearestName(name, namesOf(taken)) });
      }
    }
  }

  #visitAt(step: string | number, taken: readonly Shape[], shown: readonly Shape[], value: unknown): void {
    this.#path.push(step);
    this.visit(taken, shown, value);
    this.#path.pop();
  }
}

/** Returns the alternatives that an object can be: those whose constants it has. */
function possibleShapes(shapes: readonly Shape[], object: object): readonly Shape[] {
  const isPossible = ({ members, isOpen, kinds }: Shape) =>
    (members !== null || isOpen) &&
    kinds.every(([name, value]) => !Object.hasOwn(object, name) || Reflect.get(object, name) === value);
  return shapes.every(isPossible) ? shapes : shapes.filter(isPossible);
}

/** True if no value of the shape has members that a schema names or refuses. */
function acceptsAnything({ members, items, values, isOpen }: Shape): boolean {
  const namesNone = members === null || (isOpen && members.size === 0);
  return namesNone && items === null && values.length === 0;
}

function itemsOf(shapes: readonly Shape[]): readonly Shape[] {
  return shapes.flatMap(({ items }) => items ?? []);
}

function valuesOf(shapes: readonly Shape[]): readonly Shape[] {
  return shapes.flatMap(({ values }) => values);
}

const NO_MEMBERS: readonly Member[] = [];
const NO_SHAPES: readonly Shape[] = [];

/** Returns the members of that name, with a fast path for a single alternative. */
function membersOf(shapes: readonly Shape[], name: string): readonly Member[] {
  const only = shapes.length === 1 ? shapes[0] : undefined;
  if (only) return only.members?.get(name)?.alone ?? NO_MEMBERS;
  return shapes.length === 0 ? NO_MEMBERS : shapes.flatMap(({ members }) => members?.get(name) ?? []);
}

function shapesIn(members: readonly Member[]): readonly Shape[] {
  const [only] = members;
  if (only === undefined) return NO_SHAPES;
  return members.length === 1 ? only.shapes : members.flatMap(({ shapes }) => shapes);
}

function namesOf(shapes: readonly Shape[]): readonly string[] {
  return shapes.flatMap(({ members }) => [...(members?.keys() ?? [])]);
}

/** The place of an unknown name in the notation of issues. */
export function pathOf({ path }: UnknownName): string {
  return fieldAt(path);
}

/** The issue's message for an unknown name. */
export function describeUnknown(unknown: UnknownName): string {
  const hint = unknown.suggestion === null ? '' : ` (did you mean ${suggestedPath(unknown)}?)`;
  return `is not a known ${unknown.kind}${hint}`;
}

/** The place of the name that was probably intended. */
function suggestedPath({ path, suggestion }: UnknownName): string {
  return fieldAt([...path.slice(0, -1), suggestion ?? '']);
}

/** Returns an issue for each unknown member in a part of a body; `place` is the part's path. */
export function unknownMemberIssues(taken: readonly Shape[], part: unknown, path: string): Issue[] {
  return findUnknownMembers({ taken, shown: [], dropsNull: false }, part).map((each) => ({
    field: `${path}.${pathOf(each)}`,
    message: describeUnknown(each),
  }));
}

/** The most names in one header. */
const MAX_LISTED = 10;
/** Longer places are cut, in characters. */
const MAX_PATH = 200;

/** The `Warning` header that lists unknown names. */
export function warningOf(unknown: readonly UnknownName[]): string {
  const listed = unknown.slice(0, MAX_LISTED).map((each) => {
    const hint = each.suggestion === null ? '' : ` (did you mean ${inHeader(suggestedPath(each))}?)`;
    return `unknown ${each.kind}: ${inHeader(pathOf(each))}${hint}`;
  });
  const more = unknown.length - listed.length;
  return [...listed, ...(more > 0 ? [`${more} more unknown names`] : [])]
    .map((text) => `299 - "${text}"`)
    .join(', ');
}

/** Encodes text for a header: visible ASCII without quotes and backslashes, everything else percent-encoded. */
function inHeader(text: string): string {
  const short = text.length > MAX_PATH ? `${text.slice(0, MAX_PATH)}...` : text;
  return short.toWellFormed().replaceAll(/[^\x21\x23-\x24\x26-\x5b\x5d-\x7e]/gu, encodeURIComponent);
}
