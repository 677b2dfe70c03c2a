/** A rendering thread. Started and stopped by `renderer.ts` only. */
import { workerData } from 'node:worker_threads';
import { LRUCache } from 'lru-cache';
import { serveThread } from '../../../threads/serve-thread.ts';
import { type CompiledTemplate, checkTemplate, compileTemplate } from './compile-template.ts';
import {
  PROGRESS,
  type RenderData,
  type RenderReply,
  type RenderRequest,
  type RenderResult,
  type RenderSource,
  STAGES,
  type TemplateError,
} from './contract.ts';
import { toTemplateError } from './template-fault.ts';

/** Sources kept compiled, and what they may take of the heap together. */
const MAX_SOURCES = 500;
const MAX_COMPILED_BYTES = 100 * 1024 * 1024;
/** What one `{{…}}` takes when it is compiled, about: far more than its text. */
const BYTES_PER_TAG = 1000;
/** After this time or output, a turn ends and another tenant's begins. Larger answers cost more per message. */
const TURN_MS = 200;
const TURN_CHARS = 4 * 1024 * 1024;

const progress = new Int32Array(
  workerData instanceof SharedArrayBuffer ? workerData : new SharedArrayBuffer(8),
);

const compiled = new LRUCache<
  string,
  { readonly template: CompiledTemplate } | { readonly error: TemplateError }
>({
  max: MAX_SOURCES,
  maxSize: MAX_COMPILED_BYTES,
});

serveThread((request: RenderRequest): RenderReply => {
  step(STAGES.readingSource);
  if (request.data === null) return { error: check(request), results: [] };
  const found = find(request);
  if ('error' in found) return { error: found.error, results: [] };
  return { error: null, results: renderTurn(found.template, request.data, request.maxMs) };
});

function renderTurn(
  template: CompiledTemplate,
  { sharedJson, ownJson }: RenderData,
  maxMs: number,
): RenderResult[] {
  step(STAGES.readingData);
  const shared: object = JSON.parse(sharedJson);
  const dataList: readonly object[] = JSON.parse(ownJson);
  const end = performance.now() + TURN_MS;
  const results: RenderResult[] = [];
  let length = 0;
  for (const own of dataList) {
    step(results.length);
    const result = template.render({ ...shared, ...own }, maxMs);
    results.push(result);
    if (result.ok) length += result.html.length + (result.text?.length ?? 0);
    if (length > TURN_CHARS || performance.now() > end) break;
  }
  return results;
}

function find({
  source,
  inlineCss,
}: RenderRequest): { template: CompiledTemplate } | { error: TemplateError } {
  const key = `${inlineCss} ${source.key}`;
  const existing = compiled.get(key);
  if (existing !== undefined) return existing;
  const made = attempt(() => ({
    template: compileTemplate(source, inlineCss, () => step(STAGES.readingSource)),
  }));
  compiled.set(key, made, { size: compiledBytes(source) });
  return made;
}

/** At least 1, as the cache wants it. */
function compiledBytes({ subject, html, text, snippets }: RenderSource): number {
  const texts = [subject, html, text ?? '', ...Object.values(snippets)];
  return texts.reduce((sum, each) => sum + each.length + (each.split('{{').length - 1) * BYTES_PER_TAG, 1);
}

function check({ source }: RenderRequest): TemplateError | null {
  const outcome = attempt(() => {
    checkTemplate(source);
    return { error: null };
  });
  return outcome.error;
}

function attempt<T>(work: () => T): T | { error: TemplateError } {
  try {
    return work();
  } catch (thrown) {
    return { error: toTemplateError(thrown, 'html') };
  }
}

function step(index: number): void {
  Atomics.store(progress, PROGRESS.index, index);
  Atomics.add(progress, PROGRESS.steps, 1);
}
