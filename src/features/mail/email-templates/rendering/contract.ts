/** Types of the messages between rendering threads and their callers. */
import type { TextParts } from './text-parts.ts';

/** The parts of a message that are rendered. */
export type TemplatePart = 'subject' | 'html' | 'text';

/** A template with all snippets that it includes. */
export interface RenderSource {
  /** Cache key: equal keys mean equal sources. `renderSource` derives it from the contents. */
  readonly key: string;
  readonly subject: string;
  readonly html: string;
  /** Null for a message without plain text, unless it is generated. */
  readonly text: string | null;
  /** Derives the plain text from the HTML and ignores `text`. */
  readonly generateText: boolean;
  /** Contents of the snippets that the parts and the snippets themselves include, by name. */
  readonly snippets: Readonly<Record<string, string>>;
}

/** Options of rendering. */
export interface RenderOptions {
  /** Tenant of the template: tenants take turns, and none occupies all threads. */
  readonly tenantId: string;
  /** Moves the rules of `<style>` elements into `style` attributes. Default true. */
  readonly inlineCss?: boolean;
  /**
   * Time limit of one render, in ms. Default 1,000
   * (docs/specification/templates.md#template-language).
   */
  readonly maxMs?: number;
  /** Data of every message, transferred once. A message's own data override it by top-level key. */
  readonly sharedData?: object;
  /** Length of results after which a batch ends early, with at least one result. */
  readonly maxCharacters?: number;
  /** Cancels the work between two turns of a thread, when the caller no longer waits. */
  readonly deadline?: AbortSignal;
}

/** Error of a template, or of a template with its data. */
export interface TemplateError {
  /** `syntax`: the template does not parse; `render`: it cannot be rendered with these data. */
  readonly kind: 'syntax' | 'render';
  /** Readable message that names the cause and the place. */
  readonly message: string;
  readonly part: TemplatePart;
  /** The snippet that contains the error; line and column then refer to its content. */
  readonly snippet?: string;
  /** The undefined variable. */
  readonly variable?: string;
  /** 1-based. */
  readonly line?: number;
  /** 1-based. */
  readonly column?: number;
}

/** A rendered message, or the error. */
export type RenderResult =
  | { readonly ok: true; readonly subject: string; readonly html: string; readonly text: string | null }
  | { readonly ok: false; readonly error: TemplateError };

/** A `RenderResult` as a thread transfers it. */
export type RenderedMessage =
  | { readonly ok: true; readonly subject: string; readonly html: TextParts; readonly text: string | null }
  | Extract<RenderResult, { ok: false }>;

/** Data of messages as JSON, which is far cheaper to transfer than objects. */
export interface RenderData {
  /** An object: data of every message. */
  readonly sharedJson: string;
  /** An array of objects: own data of each message. */
  readonly ownJson: string;
}

/**
 * Request to a rendering thread: renders the source with each item of the data, or checks its syntax if `data` is null.
 */
export interface RenderRequest {
  readonly source: RenderSource;
  readonly inlineCss: boolean;
  readonly maxMs: number;
  readonly data: RenderData | null;
}

/** Results in the order of the data. If the turn ends early there are fewer, but at least one. */
export interface RenderReply {
  /** Syntax error of the source, if the request was a check. */
  readonly error: TemplateError | null;
  readonly results: readonly RenderedMessage[];
}

/**
 * Layout of the memory in which a thread reports its progress: `steps` changes with every step, `index` is the message
 * in progress, or a stage before the first.
 */
export const PROGRESS = { steps: 0, index: 1, cells: 2 } as const;

/** Stages of a request before its first message. */
export const STAGES = { notBegun: -3, readingSource: -2, readingData: -1 } as const;
