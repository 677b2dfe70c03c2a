/** Renders an e-mail for a sample of its recipients, to find what would make messages fail. */
import type { Platform } from '../../../platform.ts';
import type { ScopedDb } from '../../../tenancy/scoped-db.ts';
import { renderer, renderSource, type TemplateError } from '../../email-templates/index.ts';
import type { StoredContent } from '../../transmissions/index.ts';

/** Data of the recipients that one rendering stands for. */
export interface Trial {
  readonly data: Readonly<Record<string, unknown>>;
  readonly people: number;
}

/** A fault with the number of people whose messages it would make fail. */
export interface TrialFault {
  readonly error: TemplateError;
  readonly people: number;
}

/** What the renderings showed. */
export interface TrialResult {
  readonly faults: readonly TrialFault[];
  /** The size of the largest HTML, in bytes. */
  readonly htmlBytes: number;
  /** True if no rendering shows text or a picture. */
  readonly isEmpty: boolean;
}

/** A rendering ends at its first missing variable: it is filled in and rendered again, this often at most. */
const MAX_ROUNDS = 20;
const MAX_DIFFERENT_FAULTS = 50;
/** Rendered text that is held at once. */
const MAX_CHARACTERS = 4 * 1024 * 1024;
/** HTML of more characters shows something. */
const LONG_HTML = 100_000;

/** How trials are rendered. */
export interface TrialOptions {
  /** Data that all recipients share. */
  readonly sharedData: object;
  readonly deadline: AbortSignal | undefined;
}

/** Renders the content for each trial. @throws AppError TIMEOUT after its deadline. */
export async function renderTrials(
  platform: Platform,
  { tenantId }: Pick<ScopedDb, 'tenantId'>,
  content: StoredContent,
  trials: readonly Trial[],
  { sharedData, deadline }: TrialOptions,
): Promise<TrialResult> {
  const source = renderSource(content);
  const options = { tenantId, sharedData, inlineCss: false, maxCharacters: MAX_CHARACTERS };
  const faults = new Map<string, TrialFault>();
  let [htmlBytes, made, empty] = [0, 0, 0];
  const waiting = trials.map((trial) => ({ ...trial, round: 1 }));
  while (waiting.length > 0) {
    const dataList = waiting.map(({ data }) => data);
    const results = await renderer(platform).renderBatch(source, dataList, {
      ...options,
      ...(deadline && { deadline }),
    });
    for (const result of results) {
      const trial = waiting.shift();
      if (trial === undefined) break;
      if (result.ok) {
        htmlBytes = Math.max(htmlBytes, Buffer.byteLength(result.html));
        made += 1;
        empty += showsNothing(result.html) ? 1 : 0;
        continue;
      }
      note(faults, result.error, trial.people);
      const data = fillIn({ ...sharedData, ...trial.data }, result.error.variable);
      if (data !== null && trial.round < MAX_ROUNDS) waiting.push({ ...trial, data, round: trial.round + 1 });
    }
  }
  return { faults: [...faults.values()], htmlBytes, isEmpty: made > 0 && empty === made };
}

/** True if a reader of the HTML would see nothing. */
function showsNothing(html: string): boolean {
  if (html.length > LONG_HTML || /<(?:img|svg|video|hr|table)\b/i.test(html)) return false;
  const text = html
    .replaceAll(/<(style|head|script)\b[^>]*>[^<]*<\/\1>/gi, '')
    .replaceAll(/<[^<>]*>/g, '')
    .replaceAll(/&(?:nbsp|zwnj|#8203|#160);/g, '');
  return text.trim() === '';
}

function note(faults: Map<string, TrialFault>, error: TemplateError, people: number): void {
  const { part, snippet, line, column, variable, message } = error;
  const key = JSON.stringify([part, snippet, line, column, variable ?? message]);
  const known = faults.get(key);
  if (known === undefined && faults.size >= MAX_DIFFERENT_FAULTS) return;
  faults.set(key, { error, people: (known?.people ?? 0) + people });
}

/** The data with a value for a missing variable; null when its place in the data is not told by its name. */
function fillIn(
  data: Readonly<Record<string, unknown>>,
  variable: string | undefined,
): Record<string, unknown> | null {
  if (variable === undefined || !/^[A-Za-z_]\w*(?:\.\w+)*$/.test(variable)) return null;
  return withValue(data, variable.split('.'), `[${variable}]`);
}

function withValue(
  data: Readonly<Record<string, unknown>>,
  [name = '', ...rest]: readonly string[],
  value: string,
): Record<string, unknown> {
  if (rest.length === 0) return { ...data, [name]: value };
  const inner = data[name];
  const fields = typeof inner === 'object' && inner !== null ? { ...inner } : {};
  return { ...data, [name]: withValue(fields, rest, value) };
}
