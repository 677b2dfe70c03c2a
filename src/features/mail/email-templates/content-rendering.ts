import type { Platform } from '../../../platform.ts';
import type { RenderOptions, RenderResult, RenderSource } from './rendering/contract.ts';
import { renderSource } from './rendering/render-source.ts';
import { renderer } from './rendering/renderer.ts';

/**
 * Renders a message for each item of the data, in order, without sending it. Returns fewer results if `maxCharacters`
 * is reached. Do not call it in a transaction: a rendering thread does the work.
 */
export function renderContent(
  platform: Platform,
  content: Omit<RenderSource, 'key'>,
  dataList: readonly object[],
  options: Omit<RenderOptions, 'inlineCss' | 'maxMs'>,
): Promise<RenderResult[]> {
  return renderer(platform).renderBatch(renderSource(content), dataList, { ...options, inlineCss: false });
}
