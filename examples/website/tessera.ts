/**
 * What the website asks of Tessera. The key stays here, on the server. Answers are kept with their tags: asking again costs a line
 * when nothing has changed, and when Tessera does not answer the last answer is still there.
 */

/** Where Tessera is, and which site this is. */
export interface TesseraOptions {
  readonly url: string;
  readonly apiKey: string;
  readonly project: string;
  /** The domain by which redirects know the site. */
  readonly domain: string;
}

/** A document; `data` is text of the editor's own making, here JSON. */
export interface Document {
  readonly uid: string | null;
  readonly name?: string;
  readonly status?: 'draft' | 'live' | 'archived';
  readonly data: string;
}

/** What of the site's settings is shown. */
export interface Settings {
  readonly website_name?: string;
  readonly default_meta_description?: string;
  readonly typography?: { readonly body?: { readonly family?: string } };
}

/** Where a request is to be led. */
export interface Redirection {
  readonly redirect_type: '301' | '302' | '308';
  readonly target_url: string;
}

interface Kept {
  readonly etag: string;
  readonly text: string;
}

/** A website waits this long for Tessera, and then goes on with what it has. */
const TIMEOUT_MS = 2000;
/** How many answers are kept. */
const MOST_KEPT = 1000;

/** The calls that a website makes. */
export class Tessera {
  readonly #options: TesseraOptions;
  readonly #kept = new Map<string, Kept>();

  constructor(options: TesseraOptions) {
    this.#options = options;
  }

  /** Where a request for this path and query is to be led; null: nowhere, also while Tessera does not answer. */
  async checkRedirect(pathAndQuery: string): Promise<Redirection | null> {
    const body = { source_domain: this.#options.domain, source_url_path: pathAndQuery };
    const response = await this.#call('redirects/check', {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify(body),
    }).catch(() => null);
    if (!response?.ok) return null;
    const answer: { readonly redirect: boolean } & Redirection = JSON.parse(await response.text());
    return answer.redirect ? answer : null;
  }

  /** The document that is live under this uid; null: there is none. */
  async findDocument(uid: string): Promise<Document | null> {
    const document = await this.#read<Document>(`document?uid=${encodeURIComponent(uid)}`);
    return document?.status === 'live' ? document : null;
  }

  /** The site's settings. */
  async readSettings(): Promise<Settings> {
    return (await this.#read<Settings>('site-settings')) ?? {};
  }

  /** What somebody is writing, by the link that they have given away; it needs no key. */
  async readPreview(token: string): Promise<Document | null> {
    const address = `${this.#options.url}/api/pages/preview/${encodeURIComponent(token)}`;
    const response = await fetch(address, { signal: AbortSignal.timeout(TIMEOUT_MS) });
    if (!response.ok) return null;
    const { uid, snapshot }: { uid: string | null; snapshot: string } = JSON.parse(await response.text());
    return { uid, data: snapshot };
  }

  /** A conditional read: the kept answer is as good as a new one when it has the same tag, and better than none. */
  async #read<Body>(path: string): Promise<Body | null> {
    const kept = this.#kept.get(path);
    const headers: Record<string, string> = kept ? { 'if-none-match': kept.etag } : {};
    const response = await this.#call(path, { headers }).catch(() => null);
    if (response?.status === 404) {
      this.#kept.delete(path);
      return null;
    }
    if (response?.ok) {
      const text = await response.text();
      this.#keep(path, { etag: response.headers.get('etag') ?? '', text });
      return JSON.parse(text);
    }
    if (kept) return JSON.parse(kept.text);
    throw new Error(`Tessera answered ${response?.status ?? 'nothing'} to ${path}.`);
  }

  #keep(path: string, answer: Kept): void {
    this.#kept.delete(path);
    this.#kept.set(path, answer);
    const [oldest] = this.#kept.keys();
    if (this.#kept.size > MOST_KEPT && oldest !== undefined) this.#kept.delete(oldest);
  }

  #call(path: string, init: RequestInit): Promise<Response> {
    const { url, apiKey, project } = this.#options;
    return fetch(`${url}/api/pages/${encodeURIComponent(project)}/${path}`, {
      ...init,
      headers: { 'x-api-key': apiKey, ...init.headers },
      signal: AbortSignal.timeout(TIMEOUT_MS),
    });
  }
}
