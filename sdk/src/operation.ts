/** An operation of the API as the generated table has it. */

const CREDENTIALS = ['ApiKey', 'AccessToken', 'Operator', 'ConversationToken'] as const;

/** Who may call an operation, by the name of its security scheme in `openapi.json`. */
export type Credential = (typeof CREDENTIALS)[number];

/** An operation, parsed. */
export interface Operation {
  readonly method: string;
  /** With `{parameters}`. */
  readonly path: string;
  /** Null: anybody may call it. */
  readonly credential: Credential | null;
  /** How the input is sent: as JSON, as a form with a file, as it is, or in the query. */
  readonly input: 'json' | 'form' | 'raw' | 'query' | 'none';
  /** How the response is read. */
  readonly output: 'json' | 'raw';
  /** Whether it takes an `Idempotency-Key`. */
  readonly isIdempotent: boolean;
}

/**
 * `METHOD path Credential flags`, for example `POST /api/forms ApiKey ji`; `None` if anybody may call it. Flags: `j` JSON body, `f` form, `r` raw body, `q` query,
 * `i` takes an Idempotency-Key, `o` raw response, `s` can stream events, `p` is a list with pages, `z` a list whose pages have a
 * `pageSize` instead of a `limit`, `c` has `after`.
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

/** The query's name for the size of a page. */
export function sizeNameOf(text: OperationText): 'limit' | 'pageSize' {
  return flagsOf(text).includes('z') ? 'pageSize' : 'limit';
}

/** Returns true if the pages of a list can be read by position: with `after`. */
export function hasPositions(text: OperationText): boolean {
  return flagsOf(text).includes('c');
}

/** The name of the method that reads all pages of a list: `list` becomes `all`, `engagements` `allEngagements`. */
export function allName(name: string): string {
  return name.startsWith('list')
    ? name.replace('list', 'all')
    : `all${name.charAt(0).toUpperCase()}${name.slice(1)}`;
}

function flagsOf(text: OperationText): string {
  return text.split(' ')[3] ?? '';
}

/** Fills in the parameters of a path, in their order. @throws TypeError when one is missing. */
export function fillPath(path: string, values: readonly unknown[]): string {
  let index = 0;
  return path.replaceAll(/\{(\w+)\}/g, (_, name: string) => {
    const value = values[index++];
    if (typeof value !== 'string' && typeof value !== 'number')
      throw new TypeError(`"${name}" must be a string: it is a part of the path ${path}.`);
    if (value === '') throw new TypeError(`"${name}" must not be empty: it is a part of the path ${path}.`);
    return encodeURIComponent(value);
  });
}

/** Counts the parameters of a path. */
export function countPathParameters(path: string): number {
  return path.match(/\{\w+\}/g)?.length ?? 0;
}
