import { createHash } from 'node:crypto';
import type { RenderSource } from './contract.ts';

/** Creates a source, with a key derived from its contents: a changed snippet or version is another source. */
export function renderSource(contents: Omit<RenderSource, 'key'>): RenderSource {
  const { subject, html, text, generateText, snippets } = contents;
  const key = createHash('sha256')
    .update(JSON.stringify([subject, html, text, generateText, Object.entries(snippets).sort()]))
    .digest('base64url');
  return { key, subject, html, text, generateText, snippets };
}

/** Matches inclusions of snippets. Names exclude braces and brackets, so that matching is linear in the text. */
const INCLUSION =
  /\{\{~?[{&]?\s*snippet\s+(?:"([^"{}]*)"|'([^'{}]*)'|\[([^[\]{}]*)\]|([^\s{}~"'[][^{}~"'[]*))/g;

/**
 * Returns the names of snippets that the texts include by `{{{snippet name}}}`, without nested ones. May include names
 * in comments, because only rendering threads parse templates.
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
