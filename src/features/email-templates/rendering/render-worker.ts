/** A rendering thread. Started and stopped by `renderer.ts` only. */
import { workerData } from 'node:worker_threads';
import { LRUCache } from 'lru-cache';
import { serveThread } from '../../../threads/serve-thread.ts';
import { type CompiledTemplate, checkTemplate, compileTemplate } from './compile-template.ts';
import {
  PROGRESS,
  type RenderData,
  type RenderedMessage,
  type RenderReply,
  type RenderRequest,
  type RenderSource,
  STAGES,
  type TemplateError,
} from './contract.ts';
import { toTemplateError } from './template-fault.ts';
import { ownLength } from './text-parts.ts';

/** Sources kept compiled, and what they may take of the heap together. */
const MAX_SOURCES = 500;
const MAX_COMPILED_BYTES = 100 * 1024 * 1024;
/** What one `{{…}}` takes when it is compiled, about: far more than its text. */
const BYTES_PER_TAG = 1000;
/**
 * After this time, or with so much of the messages' own in its answer, a turn ends and another tenant's begins. Larger
 * answers cost more per message.
 */
const TURN_MS = 200;
const TURN_CHARS = 4 * 1024 * 1024;

const progress = new Int32Array(
  workerData instanceof SharedArrayBuffer ? workerData : new SharedArrayBuffer(8),
);

const compiled = new LRUCache<string, CompiledTemplate>({ max: MAX_SOURCES, maxSize: MAX_COMPILED_BYTES });

serveThread(({ source, inlineCss, maxMs, data }: RenderRequest): RenderReply => {
  step(STAGES.readingSource);
  return data === null
    ? { error: check(source), results: [] }
    : { error: null, results: renderTurn(compiledOf(source, inlineCss), data, maxMs) };
});

function renderTurn(
  template: CompiledTemplate,
  { sharedJson, ownJson }: RenderData,
  maxMs: number,
): RenderedMessage[] {
  step(STAGES.readingData);
  const shared: object = JSON.parse(sharedJson);
  const dataList: readonly object[] = JSON.parse(ownJson);
  const end = performance.now() + TURN_MS;
  const results: RenderedMessage[] = [];
  let length = 0;
  for (const own of dataList) {
    step(results.length);
    const result = template.render({ ...shared, ...own }, maxMs);
    results.push(result);
    if (result.ok) length += ownLength(result.html) + (result.text?.length ?? 0);
    if (length > TURN_CHARS || performance.now() > end) break;
  }
  return results;
}

/** Of a source that cannot be read, one that says so. */
function compiledOf(source: RenderSource, inlineCss: boolean): CompiledTemplate {
  const key = `${inlineCss} ${source.key}`;
  const existing = compiled.get(key);
  if (existing !== undefined) return existing;
  const made = compile(source, inlineCss);
  compiled.set(key, made, { size: compiledBytes(source) });
  return made;
}

function compile(source: RenderSource, inlineCss: boolean): CompiledTemplate {
  try {
    return compileTemplate(source, inlineCss, () => step(STAGES.readingSource));
  } catch (thrown) {
    const error = toTemplateError(thrown, 'html');
    return { render: () => ({ ok: false, error }) };
  }
}

/** At least 1, as the cache wants it. */
function compiledBytes({ subject, html, text, snippets }: RenderSource): number {
  const texts = [subject, html, text ?? '', ...Object.values(snippets)];
  return texts.reduce((sum, each) => sum + each.length + (each.split('{{').length - 1) * BYTES_PER_TAG, 1);
}

function check(source: RenderSource): TemplateError | null {
  try {
    checkTemplate(source);
    return null;
  } catch (thrown) {
    return toTemplateError(thrown, 'html');
  }
}

function step(index: number): void {
  Atomics.store(progress, PROGRESS.index, index);
  Atomics.add(progress, PROGRESS.steps, 1);
}
