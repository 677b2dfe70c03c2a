/** A problem of a request: a field, and what is wrong with it. */
export interface TesseraIssue {
  /** A path such as `formData.age`. Absent if the problem does not concern a single field. */
  readonly field?: string;
  readonly message: string;
  /** The record in the way, such as the subscriber that has an address. */
  readonly id?: string;
}

/** Members of a new error. */
export interface TesseraErrorOptions {
  readonly status: number;
  readonly code: string;
  readonly message: string;
  readonly issues?: readonly TesseraIssue[];
  readonly requestId?: string;
  readonly retryAfter?: number;
  readonly cause?: unknown;
}

/** A failed call. All parts of the API fail with this error. */
export class TesseraError extends Error {
  override readonly name = 'TesseraError';
  /** The HTTP status, or 0 without a response. */
  readonly status: number;
  /** A stable code to branch on; `NO_RESPONSE` without a response. */
  readonly code: string;
  readonly issues: readonly TesseraIssue[];
  /** Identifies the request in the server's log; set on unexpected errors. */
  readonly requestId: string | undefined;
  /** Seconds after which the call may succeed. */
  readonly retryAfter: number | undefined;

  constructor({ status, code, message, issues = [], requestId, retryAfter, cause }: TesseraErrorOptions) {
    super(message, { cause });
    this.status = status;
    this.code = code;
    this.issues = issues;
    this.requestId = requestId;
    this.retryAfter = retryAfter;
  }
}

/** Maximum number of issues in a message. */
const MAX_SHOWN_ISSUES = 3;

/** Converts an error response. The API has three error formats. */
export function toTesseraError(response: Response, text: string): TesseraError {
  const body = parseObject(text);
  // Templates and email settings wrap the error: `{error: {code, message, details}}`.
  const error = isObject(body.error) ? body.error : body;
  const code = textOf(error.code) ?? textOf(error.error) ?? `HTTP_${response.status}`;
  const requestId = textOf(error.request_id) ?? textOf(body.request_id);
  const retryAfter = secondsOf(response.headers.get('retry-after'));
  const issues = issuesOf(error.issues ?? error.details ?? error.errors);
  const message = textOf(error.message) ?? `The server responded with status ${response.status}.`;
  return new TesseraError({
    status: response.status,
    code,
    message: withIssues(message, issues),
    issues,
    ...(requestId === undefined ? {} : { requestId }),
    ...(retryAfter === undefined ? {} : { retryAfter }),
  });
}

/** Adds issues to a message, for programs that only print the message. */
function withIssues(message: string, issues: readonly TesseraIssue[]): string {
  const texts = issues.map((each) => [each.field, each.message].filter(Boolean).join(' '));
  const added = texts.filter((text) => text !== '' && !message.includes(text)).slice(0, MAX_SHOWN_ISSUES);
  return added.length === 0 ? message : `${message} (${added.join('; ')})`;
}

function parseObject(text: string): Record<string, unknown> {
  try {
    const value: unknown = JSON.parse(text);
    return isObject(value) ? value : {};
  } catch {
    // A proxy may respond with an HTML page.
    return {};
  }
}

/** Converts a list of issues. Errors of records contain plain texts instead of objects. */
function issuesOf(value: unknown): TesseraIssue[] {
  if (!Array.isArray(value)) return [];
  return value.map((each: unknown) => {
    if (!isObject(each)) return { message: String(each) };
    const [field, id] = [textOf(each.field), textOf(each.id)];
    const message = textOf(each.message) ?? '';
    return { ...(field ? { field } : {}), message, ...(id ? { id } : {}) };
  });
}

/** Returns the seconds of a Retry-After header, which may also be a date (RFC 9110, 10.2.3). */
function secondsOf(header: string | null): number | undefined {
  if (header === null) return undefined;
  const seconds = /^\d+$/.test(header) ? Number(header) : (Date.parse(header) - Date.now()) / 1000;
  return Number.isFinite(seconds) ? Math.max(0, seconds) : undefined;
}

function textOf(value: unknown): string | undefined {
  return typeof value === 'string' ? value : undefined;
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
