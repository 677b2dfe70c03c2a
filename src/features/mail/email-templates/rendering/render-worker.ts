/** Rendering thread, started and stopped by `renderer.ts` only. */
import { workerData } from 'node:worker_threads';
import { LRUCache } from 'lru-cache';
import { serveThread } from '../../../../threads/serve-thread.ts';
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

/** Limits of the cache of compiled sources. */
const MAX_SOURCES = 500;
const MAX_COMPILED_BYTES = 100 * 1024 * 1024;
/** Approximate size of one compiled `{{…}}`, far more than its text. */
const BYTES_PER_TAG = 1000;
/**
 * Time and characters of own text after which a turn ends and another tenant's begins. Larger replies cost more per
 * message.
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

/** Returns the compiled source from the cache; a source that does not parse compiles to its error. */
function compiledOf(source: RenderSource, inlineCss: boolean): CompiledTemplate {
  const key = `${inlineCss} ${source.key}`;
  const existing = compiled.get(key);
  if (existing !== undefined) return existing;
  const template = compile(source, inlineCss);
  compiled.set(key, template, { size: compiledBytes(source) });
  return template;
}

function compile(source: RenderSource, inlineCss: boolean): CompiledTemplate {
  try {
    return compileTemplate(source, inlineCss, () => step(STAGES.readingSource));
  } catch (thrown) {
    const error = toTemplateError(thrown, 'html');
    return { render: () => ({ ok: false, error }) };
  }
}

/** Estimates the size of a compiled source; at least 1, as the cache requires. */
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
