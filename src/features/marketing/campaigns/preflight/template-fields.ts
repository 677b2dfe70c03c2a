import type { StoredContent } from '../../../mail/api.ts';

/** Tags of a template; text outside of them has no variables. */
const TAG = /\{\{([^{}]*)\}\}/g;
const WORD = /[A-Za-z0-9_]{1,64}/g;
/** Standard fields, which every subscriber has. */
const STANDARD_FIELDS: ReadonlySet<string> = new Set(['id', 'first_name', 'last_name', 'email', 'active']);

type Texts = Pick<StoredContent, 'subject' | 'html' | 'text' | 'snippets'>;

/** Returns all words in the tags: names of additional fields, and other words, which match no field. */
export function findFieldNames(content: Texts): string[] {
  const words = tagsOf(content).flatMap((tag) => tag.match(WORD) ?? []);
  return [...new Set(words)].filter((word) => !STANDARD_FIELDS.has(word));
}

/** True if the content has a link by which its reader can unsubscribe. */
export function hasUnsubscribeLink(content: Texts): boolean {
  return tagsOf(content).some((tag) => /\b(?:unsubscribe_url|preferences_url)\b/.test(tag));
}

function tagsOf({ subject, html, text, snippets }: Texts): string[] {
  return [subject, html, text ?? '', ...Object.values(snippets)].flatMap((each) =>
    [...each.matchAll(TAG)].map(([, tag = '']) => tag),
  );
}
