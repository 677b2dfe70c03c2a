/** A token, or a function that returns a current one. */
export type Token = string | (() => string | Promise<string>);

/** A session of the user of a browser: the cookie from `POST /auth/session` of the same origin. */
export interface BrowserSession {
  /** The `csrf_token` of the session. */
  readonly csrfToken: Token;
  /** Code of the tenant that the calls concern. Required if the user is a member of several. */
  readonly tenant?: string | undefined;
}

/** The server of a client, and its credentials. Each operation uses the credential that it needs. */
export interface TesseraOptions {
  /** The URL of the server without a path, for example `https://tessera.example.com`. Required; `undefined` throws. */
  readonly url: string | undefined;
  /** An API key of a member. */
  readonly apiKey?: string | undefined;
  /** A user's access token from `auth.login`, for records. */
  readonly accessToken?: Token | undefined;
  /** Replaces `apiKey` and `accessToken` in pages of the server's own origin. */
  readonly session?: BrowserSession | undefined;
  /** The ADMIN_TOKEN of the installation, for `tenants` and other operator calls. */
  readonly adminToken?: string | undefined;
  /** A token from `aiConversations.engage`, for `aiConversations.say`. */
  readonly conversationToken?: Token | undefined;
  /** The business unit of the calls. Default: the key's own. */
  readonly businessUnit?: string | undefined;
  /** Maximum number of retries of a failed call that is safe to repeat. Default: 2. */
  readonly maxRetries?: number | undefined;
  /** Time limit until the response of an attempt begins, in ms. Default: 60,000. */
  readonly timeoutMs?: number | undefined;
  /** Headers of every call. */
  readonly headers?: Readonly<Record<string, string>> | undefined;
  /** Replaces the global `fetch`. */
  readonly fetch?: typeof fetch | undefined;
}

/** Options of one call. */
export interface CallOptions {
  readonly signal?: AbortSignal | undefined;
  readonly businessUnit?: string | undefined;
  /** Default for calls that accept a key: a random one, which all attempts of the call send. */
  readonly idempotencyKey?: string | undefined;
  readonly headers?: Readonly<Record<string, string>> | undefined;
  readonly maxRetries?: number | undefined;
  readonly timeoutMs?: number | undefined;
}

/** Options of a call with a body and query parameters. */
export interface QueryOptions<Query extends object> extends CallOptions {
  readonly query: Query;
}

/** Options of a file upload. */
export interface UploadOptions extends CallOptions {
  /** Called while a form or a `Blob` is sent, with the number of bytes. */
  readonly onProgress?: ((progress: { readonly sent: number; readonly total: number }) => void) | undefined;
}
