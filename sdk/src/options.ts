/** A token, or a function that returns one and may renew it. */
export type Token = string | (() => string | Promise<string>);

/** How a client reaches a server, and as whom. Each operation uses the credential that it needs. */
export interface TesseraOptions {
  /** The address of the server without a path, for example `https://tessera.example.com`. Required; `undefined` throws. */
  readonly url: string | undefined;
  /** An API key of a member. */
  readonly apiKey?: string | undefined;
  /** An access token of a person, for records: from `auth.login`. */
  readonly accessToken?: Token | undefined;
  /** The ADMIN_TOKEN of the installation, for `tenants` and other calls of its operator. */
  readonly adminToken?: string | undefined;
  /** A token of `aiConversations.engage`, for `aiConversations.say`. */
  readonly conversationToken?: Token | undefined;
  /** The business unit that calls act in; the key's own when absent. */
  readonly businessUnit?: string | undefined;
  /** How often a failed call is repeated, where that is safe. Default 2. */
  readonly maxRetries?: number | undefined;
  /** After how many milliseconds without a response an attempt fails. Default 60,000. */
  readonly timeoutMs?: number | undefined;
  /** Sent with every call. */
  readonly headers?: Readonly<Record<string, string>> | undefined;
  /** Instead of the global `fetch`. */
  readonly fetch?: typeof fetch | undefined;
}

/** What one call may have of its own. */
export interface CallOptions {
  readonly signal?: AbortSignal | undefined;
  readonly businessUnit?: string | undefined;
  /** Default for every call that takes one: random, and the same for all attempts of the call. */
  readonly idempotencyKey?: string | undefined;
  readonly headers?: Readonly<Record<string, string>> | undefined;
  /** Parameters of the query, for calls that have a body too. */
  readonly query?: Readonly<Record<string, unknown>> | undefined;
  readonly maxRetries?: number | undefined;
  readonly timeoutMs?: number | undefined;
}

/** What the upload of a file may have besides. */
export interface UploadOptions extends CallOptions {
  /** Called as the body is sent, with bytes. */
  readonly onProgress?: ((progress: { readonly sent: number; readonly total: number }) => void) | undefined;
}
