/** What the rendering threads and their callers say to each other. */
import type { TextParts } from './text-parts.ts';

/** The parts of a message that are rendered. */
export type TemplatePart = 'subject' | 'html' | 'text';

/** A template with everything it includes: enough to render it any number of times. */
export interface RenderSource {
  /** Names the source in caches: equal keys mean equal sources. `renderSource` makes it from the contents. */
  readonly key: string;
  readonly subject: string;
  readonly html: string;
  /** Null: the message has no plain text, unless it is generated. */
  readonly text: string | null;
  /** Derive the plain text from the HTML, whatever `text` says. */
  readonly generateText: boolean;
  /** Contents of the snippets that the parts and the snippets themselves include, by name. */
  readonly snippets: Readonly<Record<string, string>>;
}

/** How a source is rendered. */
export interface RenderOptions {
  /** Whose template it is: tenants take turns, and none takes all threads. */
  readonly tenantId: string;
  /** Move the rules of `<style>` elements into `style` attributes. Default true. */
  readonly inlineCss?: boolean;
  /**
   * How long one render may take, milliseconds. Default 1,000
   * (docs/specification/templates.md#template-language).
   */
  readonly maxMs?: number;
  /** Data of every message, handed over once; a message's own win by top-level key. */
  readonly sharedData?: object;
  /** Ends a batch that has so many characters: there are fewer results than data then, one at least. */
  readonly maxCharacters?: number;
  /** Ends the work between two turns of a thread: nobody waits for the result any more. */
  readonly deadline?: AbortSignal;
}

/** What is wrong with a template, or with a template and its data. */
export interface TemplateError {
  /** `syntax`: the template cannot be read, whatever the data; `render`: it cannot be rendered. */
  readonly kind: 'syntax' | 'render';
  /** For people; names what is at fault and where. */
  readonly message: string;
  readonly part: TemplatePart;
  /** The snippet in which the fault is, when it is in one; line and column are then of its content. */
  readonly snippet?: string;
  /** The variable that no data defines. */
  readonly variable?: string;
  /** 1-based. */
  readonly line?: number;
  /** 1-based. */
  readonly column?: number;
}

/** One rendered message, or why there is none. */
export type RenderResult =
  | { readonly ok: true; readonly subject: string; readonly html: string; readonly text: string | null }
  | { readonly ok: false; readonly error: TemplateError };

/** The same, as a thread hands it over. */
export type RenderedMessage =
  | { readonly ok: true; readonly subject: string; readonly html: TextParts; readonly text: string | null }
  | Extract<RenderResult, { ok: false }>;

/** The data of some messages as JSON: far cheaper to hand over than the objects. */
export interface RenderData {
  /** An object: what every message has. */
  readonly sharedJson: string;
  /** An array of objects: what each message has of its own. */
  readonly ownJson: string;
}

/** What a rendering thread is asked: to render the source with each of the data, or without any only to read it. */
export interface RenderRequest {
  readonly source: RenderSource;
  readonly inlineCss: boolean;
  readonly maxMs: number;
  readonly data: RenderData | null;
}

/** The results in the order of the data; fewer than data when the thread's turn was over, at least one. */
export interface RenderReply {
  /** Why the source cannot be read, when only that was asked. */
  readonly error: TemplateError | null;
  readonly results: readonly RenderedMessage[];
}

/**
 * What a thread shares with its owner about the request it is at: `steps` changes with every step, `index` is the
 * message being rendered, or a stage before the first.
 */
export const PROGRESS = { steps: 0, index: 1, cells: 2 } as const;

/** The stages of a request before its first message. */
export const STAGES = { notBegun: -3, readingSource: -2, readingData: -1 } as const;
