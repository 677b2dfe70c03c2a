/** The code blocks of Markdown pages. */
import { readText } from './repository.ts';

/** A fenced block: its language, the rest of the info string, its code, and its position. */
export interface GuideBlock {
  readonly page: string;
  readonly line: number;
  readonly language: string;
  readonly info: string;
  readonly code: string;
}

/** Returns all blocks of a page in order, without the indentation of those in lists. */
export async function blocksOf(page: string): Promise<GuideBlock[]> {
  const text = await readText(page);
  return [...text.matchAll(/^( *)```(\w*) ?([^\n]*)\n([\s\S]*?)^ *```$/gm)].map(
    ({ index, 1: indent = '', 2: language = '', 3: info = '', 4: code = '' }) => ({
      ...{ page, language, info },
      code: code.replaceAll(new RegExp(`^${indent}`, 'gm'), ''),
      line: text.slice(0, index).split('\n').length,
    }),
  );
}
