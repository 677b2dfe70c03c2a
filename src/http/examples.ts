/**
 * Example requests: the valid input of each route. The OpenAPI document shows their bodies, and contract tests send
 * them with real records, other credentials, unknown ids and malformed members.
 */
import type { Static, TSchema } from 'typebox';
import type { Route } from './route.ts';

/** Returns the name (id, code or token) of a record. */
export type NameOf = (record: string) => string;

/** Returns a text that no other call has used; in the document, the text itself. */
export type Unique = (text: string) => string;

/** A value, or how to make it from the names of records. */
export type Example<T> = T | ((name: NameOf, unique: Unique) => T);

/** A kind of record that requests name. */
export interface ExampleRecord {
  /** The path of one record. The last parameter of this part of a route's path gets the record's name. */
  readonly path?: string | readonly string[];
  /** The operation whose example creates it. Absent: test/contract/records creates it. */
  readonly createdBy?: string;
  /** Members of the body that differ from that example. */
  readonly with?: Example<object>;
  /** The name that the document shows. */
  readonly shown?: string;
  /** Returns a name of the same form that does not exist. Absent: the name is not secret. */
  readonly absent?: () => string;
}

type Values = Readonly<Record<string, string>>;

/** A valid request to a route. */
export interface ExampleRequest {
  /** Parameters that do not follow from the paths of records. */
  readonly params?: Example<Values>;
  /** Default: the first page of a list that has pages. */
  readonly query?: Example<Values>;
  readonly headers?: Example<Values>;
  readonly body?: Example<object>;
  /** The body of a route that reads it as a stream. `shown` is what the document shows instead of `text`. */
  readonly upload?: Example<{ readonly type: string; readonly text: string; readonly shown?: object }>;
}

/** The examples of a feature, from its `examples.ts`. */
export interface FeatureExamples {
  /** Kinds of records by name. */
  readonly records?: Readonly<Record<string, ExampleRecord>>;
  /** Requests by operation id; of a PATCH, that of its PUT. */
  readonly requests: Readonly<Record<string, ExampleRequest>>;
}

/** Returns a function that makes a request of a body. The compiler checks the body against the schema. */
export function body<S extends TSchema>(
  _schema: S,
): (example: Example<Static<S> & object>) => { readonly body: Example<object> } {
  return (example) => ({ body: example });
}

/** Computes an example with these names. */
export function resolve<T extends object>(example: Example<T>, name: NameOf, unique: Unique): T {
  return typeof example === 'function' ? example(name, unique) : example;
}

/** The name that the document shows for records with a generated id. */
const SHOWN_ID = '0192f0c0-0000-7000-8000-000000000000';

/** Returns, for each route, the body that the document shows. */
export function shownBodies(all: readonly FeatureExamples[]): (route: Route) => object | string | undefined {
  const records = new Map(all.flatMap(({ records = {} }) => Object.entries(records)));
  const requests = new Map(all.flatMap(({ requests }) => Object.entries(requests)));
  const name = (record: string) => records.get(record)?.shown ?? SHOWN_ID;
  const unique = (text: string) => text;
  return ({ id, patches = id }) => {
    const { body, upload } = requests.get(patches) ?? {};
    if (body) return resolve(body, name, unique);
    if (!upload) return undefined;
    const { text, shown = text } = resolve(upload, name, unique);
    return shown;
  };
}
