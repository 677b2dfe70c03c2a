/** Operations of the API, parsed from the generated table. */

const CREDENTIALS = ['ApiKey', 'AccessToken', 'Session', 'Operator', 'ConversationToken'] as const;

/** The name of an operation's security scheme in `openapi.json`. */
export type Credential = (typeof CREDENTIALS)[number];

/** A parsed operation. */
export interface Operation {
  readonly method: string;
  /** A path with `{parameters}`. */
  readonly path: string;
  /** Null for a public operation. */
  readonly credential: Credential | null;
  /** Format of the input: JSON, a form with a file, an unchanged body, or the query. */
  readonly input: 'json' | 'form' | 'raw' | 'query' | 'none';
  /** Format of the response. */
  readonly output: 'json' | 'raw';
  /** True if the operation accepts an `Idempotency-Key`. */
  readonly isIdempotent: boolean;
}

/**
 * `METHOD path Credential flags`, for example `POST /api/forms ApiKey ji`; `None` if anybody may call it. Flags: `j`
 * JSON body, `f` form, `r` raw body, `q` query, `i` takes an Idempotency-Key, `o` raw response, `s` can stream events,
 * `p` is a list with pages, `z` a list whose pages have a `pageSize` instead of a `limit`, `c` has `after`, `v`
 * requires the first `version` and `created_at`.
 */
export type OperationText = string;

const INPUTS = { j: 'json', f: 'form', r: 'raw', q: 'query' } as const;

/** Parses an entry of the table. */
export function parseOperation(text: OperationText): Operation {
  const [method = 'GET', path = '', credential, flags = ''] = text.split(' ');
  const input = (['j', 'f', 'r', 'q'] as const).find((flag) => flags.includes(flag));
  return {
    method,
    path,
    credential: CREDENTIALS.find((each) => each === credential) ?? null,
    input: input === undefined ? 'none' : INPUTS[input],
    output: flags.includes('o') ? 'raw' : 'json',
    isIdempotent: flags.includes('i'),
  };
}

/** Returns true if an operation can respond with a stream of events. */
export function canStream(text: OperationText): boolean {
  return flagsOf(text).includes('s');
}

/** Returns true if an operation is a list with pages. */
export function isPaged(text: OperationText): boolean {
  return /[pz]/.test(flagsOf(text));
}

/** Returns the query parameter for the page size. */
export function sizeNameOf(text: OperationText): 'limit' | 'pageSize' {
  return flagsOf(text).includes('z') ? 'pageSize' : 'limit';
}

/** Returns true if a list accepts the position of a page, `after`. */
export function hasPositions(text: OperationText): boolean {
  return flagsOf(text).includes('c');
}

/** Returns true if a body must have the first version of a record and its time. */
export function isStamped(text: OperationText): boolean {
  return flagsOf(text).includes('v');
}

/**
 * Returns the name of the method that reads all pages: `list` becomes `all`, `engagements` becomes `allEngagements`.
 */
export function allName(name: string): string {
  return name.startsWith('list')
    ? name.replace('list', 'all')
    : `all${name.charAt(0).toUpperCase()}${name.slice(1)}`;
}

function flagsOf(text: OperationText): string {
  return text.split(' ')[3] ?? '';
}

/** Fills in the parameters of a path in order. @throws TypeError if one is missing. */
export function fillPath(path: string, values: readonly unknown[]): string {
  let index = 0;
  return path.replaceAll(/\{(\w+)\}/g, (_, name: string) => {
    const value = values[index++];
    if (typeof value !== 'string' && typeof value !== 'number')
      throw new TypeError(`"${name}" must be a string: it is part of the path ${path}.`);
    if (value === '') throw new TypeError(`"${name}" must not be empty: it is part of the path ${path}.`);
    return encodeURIComponent(value);
  });
}

/** Counts the parameters of a path. */
export function countPathParameters(path: string): number {
  return path.match(/\{\w+\}/g)?.length ?? 0;
}
