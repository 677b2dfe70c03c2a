/** Rendering of an email for a sample of its recipients, to find errors before sending. */
import type { Platform } from '../../../../platform.ts';
import type { ScopedDb } from '../../../../tenancy/scoped-db.ts';
import { renderContent, type StoredContent, type TemplateError } from '../../../mail/api.ts';

/** Template data of one recipient, and the number of recipients that it represents. */
export interface Sample {
  readonly data: Readonly<Record<string, unknown>>;
  readonly count: number;
}

/** A rendering error with the number of recipients whose messages would fail. */
export interface SampleFault {
  readonly error: TemplateError;
  readonly count: number;
}

/** Result of the renderings. */
export interface SampleResult {
  readonly faults: readonly SampleFault[];
  /** The size of the largest HTML, in bytes. */
  readonly htmlBytes: number;
  /** True if no rendering shows text or an image. */
  readonly isEmpty: boolean;
}

/** Maximum renderings of a sample. Each one ends at a missing variable, which gets a value for the next one. */
const MAX_ROUNDS = 20;
const MAX_DIFFERENT_FAULTS = 50;
/** Size of rendered text in memory at the same time, in characters. */
const MAX_CHARACTERS = 4 * 1024 * 1024;
/** HTML with more characters counts as not empty. */
const LONG_HTML = 100_000;

/** Options of the renderings. */
export interface SampleOptions {
  /** Data that all recipients share. */
  readonly sharedData: object;
  readonly deadline: AbortSignal | undefined;
}

/** Renders the content for each sample. @throws AppError TIMEOUT after its deadline. */
export async function renderSamples(
  platform: Platform,
  { tenantId }: Pick<ScopedDb, 'tenantId'>,
  content: StoredContent,
  samples: readonly Sample[],
  { sharedData, deadline }: SampleOptions,
): Promise<SampleResult> {
  const options = { tenantId, sharedData, maxCharacters: MAX_CHARACTERS, ...(deadline && { deadline }) };
  const faults = new Map<string, SampleFault>();
  let [htmlBytes, rendered, empty] = [0, 0, 0];
  const waiting = samples.map((sample) => ({ ...sample, round: 1 }));
  while (waiting.length > 0) {
    const dataList = waiting.map(({ data }) => data);
    const results = await renderContent(platform, content, dataList, options);
    for (const result of results) {
      const sample = waiting.shift();
      if (sample === undefined) break;
      if (result.ok) {
        htmlBytes = Math.max(htmlBytes, Buffer.byteLength(result.html));
        rendered += 1;
        empty += isBlank(result.html) ? 1 : 0;
        continue;
      }
      addFault(faults, result.error, sample.count);
      const data = fillIn({ ...sharedData, ...sample.data }, result.error.variable);
      if (data !== null && sample.round < MAX_ROUNDS)
        waiting.push({ ...sample, data, round: sample.round + 1 });
    }
  }
  return { faults: [...faults.values()], htmlBytes, isEmpty: rendered > 0 && empty === rendered };
}

/** True if a reader of the HTML would see nothing. */
function isBlank(html: string): boolean {
  if (html.length > LONG_HTML || /<(?:img|svg|video|hr|table)\b/i.test(html)) return false;
  const text = html
    .replaceAll(/<(style|head|script)\b[^>]*>[^<]*<\/\1>/gi, '')
    .replaceAll(/<[^<>]*>/g, '')
    .replaceAll(/&(?:nbsp|zwnj|#8203|#160);/g, '');
  return text.trim() === '';
}

function addFault(faults: Map<string, SampleFault>, error: TemplateError, count: number): void {
  const { part, snippet, line, column, variable, message } = error;
  const key = JSON.stringify([part, snippet, line, column, variable ?? message]);
  const existing = faults.get(key);
  if (existing === undefined && faults.size >= MAX_DIFFERENT_FAULTS) return;
  faults.set(key, { error, count: (existing?.count ?? 0) + count });
}

/** Returns the data with a value for a missing variable; null if its name is not a plain path in the data. */
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
