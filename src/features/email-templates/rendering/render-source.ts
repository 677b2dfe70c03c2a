import { createHash } from 'node:crypto';
import type { RenderSource } from './contract.ts';

/** Names a source by its contents, so that a changed snippet or version is another source. */
export function renderSource(contents: Omit<RenderSource, 'key'>): RenderSource {
  const { subject, html, text, generateText, snippets } = contents;
  const key = createHash('sha256')
    .update(JSON.stringify([subject, html, text, generateText, Object.entries(snippets).sort()]))
    .digest('base64url');
  return { key, subject, html, text, generateText, snippets };
}

/** No name has a brace or bracket, so that none is looked for beyond the next tag: a text of opened ones takes no longer. */
const INCLUSION =
  /\{\{~?[{&]?\s*snippet\s+(?:"([^"{}]*)"|'([^'{}]*)'|\[([^[\]{}]*)\]|([^\s{}~"'[][^{}~"'[]*))/g;

/**
 * Names that the texts include by `{{{snippet name}}}`, those of snippets that they include in turn not followed.
 * May name one in a comment too: it is found without parsing, which only a rendering thread does.
 */
export function findSnippetNames(...texts: readonly (string | null)[]): string[] {
  const names = texts.flatMap((text) =>
    [...(text ?? '').matchAll(INCLUSION)].map(
      ([, quoted, single, bracketed, words = '']) =>
        quoted ?? single ?? bracketed ?? words.trim().replaceAll(/\s+/g, ' '),
    ),
  );
  return [...new Set(names)];
}
