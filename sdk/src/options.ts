/** A token, or a function that returns one and may renew it. */
export type Token = string | (() => string | Promise<string>);

/** How a client reaches a server, and as whom. Each operation uses the credential that it needs. */
export interface TesseraOptions {
  /** The address of the server, for example `https://tessera.example.com`. */
  readonly url: string;
  /** An API key of a member. */
  readonly apiKey?: string;
  /** An access token of a person, for records: from `auth.login`. */
  readonly accessToken?: Token;
  /** The ADMIN_TOKEN of the installation, for `tenants` and other calls of its operator. */
  readonly adminToken?: string;
  /** A token of `aiConversations.engage`, for `aiConversations.say`. */
  readonly conversationToken?: Token;
  /** The business unit that calls act in; the key's own when absent. */
  readonly businessUnit?: string;
  /** How often a failed call is repeated, where that is safe. Default 2. */
  readonly maxRetries?: number;
  /** After how many milliseconds without a response an attempt fails. Default 60,000. */
  readonly timeoutMs?: number;
  /** Sent with every call. */
  readonly headers?: Readonly<Record<string, string>>;
  /** Instead of the global `fetch`. */
  readonly fetch?: typeof fetch;
}

/** What one call may have of its own. */
export interface CallOptions {
  readonly signal?: AbortSignal;
  readonly businessUnit?: string;
  /** Default for every call that takes one: random, and the same for all attempts of the call. */
  readonly idempotencyKey?: string;
  readonly headers?: Readonly<Record<string, string>>;
  /** Parameters of the query, for calls that have a body too. */
  readonly query?: Readonly<Record<string, unknown>>;
  readonly maxRetries?: number;
  readonly timeoutMs?: number;
}

/** What the upload of a file may have besides. */
export interface UploadOptions extends CallOptions {
  /** Called as the body is sent, with bytes. */
  readonly onProgress?: (progress: { readonly sent: number; readonly total: number }) => void;
}
