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
  STAGES,
  type TemplateError,
} from './contract.ts';
import { toTemplateError } from './template-fault.ts';

/** Sources kept compiled, and the text they may hold together, in characters. */
const MAX_SOURCES = 500;
const MAX_SOURCE_CHARS = 20 * 1024 * 1024;
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
  maxSize: MAX_SOURCE_CHARS,
  maxEntrySize: MAX_SOURCE_CHARS,
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
  const size = source.html.length + source.subject.length + (source.text?.length ?? 0) + 1;
  const included = Object.values(source.snippets).reduce((sum, content) => sum + content.length, 0);
  compiled.set(key, made, { size: size + included });
  return made;
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
