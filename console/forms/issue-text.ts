/** Shows the server's messages about a field, in the language of the page if they are common ones. */
import { formTexts } from './texts.ts';

/** Common messages of the server, by the keys of their texts. */
const COMMON = [
  ['rule.required', /^is required(?:: one of .+)?$/],
  ['rule.empty', /^must not be empty$/],
  ['rule.min-length', /^must be at least (?<limit>\d+) characters?$/],
  ['rule.max-length', /^must be at most (?<limit>\d+) characters?$/],
  ['rule.minimum', /^must be at least (?<limit>-?[\d.]+)$/],
  ['rule.maximum', /^must be at most (?<limit>-?[\d.]+)$/],
  ['rule.min-items', /^must have at least (?<limit>\d+) items?$/],
  ['rule.max-items', /^must have at most (?<limit>\d+) items?$/],
  ['rule.exists', /^already exists$/],
  ['rule.domain', /^must be a domain name$/],
  ['rule.email', /^must be a valid email address$/],
  ['rule.pattern', /^must match pattern /],
  ['rule.url', /^must be a valid URL$/],
  ['rule.object', /^must be object$/],
] as const;

/**
 * Returns a message as a sentence without a full stop. `formatText` explains the format that a field needs, which the
 * server states as a regular expression.
 */
export function issueText(message: string, formatText?: string): string {
  if (formatText !== undefined && message.startsWith('must match pattern ')) return formatText;
  for (const [key, pattern] of COMMON) {
    const found = pattern.exec(message);
    if (found !== null) return formTexts.translate(key, { limit: Number(found.groups?.limit) });
  }
  return message.charAt(0).toUpperCase() + message.slice(1);
}
