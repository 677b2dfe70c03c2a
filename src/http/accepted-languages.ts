/** Returns the language tags of `Accept-Language`, the most preferred first (RFC 9110, 12.5.4). */
export function acceptedLanguages(acceptLanguage: string): string[] {
  const entries = acceptLanguage
    .split(',')
    .slice(0, 20)
    .map((entry) => {
      const [tag = '', quality = 'q=1'] = entry.trim().split(/\s*;\s*/);
      return { tag, weight: Number(quality.replace(/^q=/i, '')) || 0 };
    });
  return entries
    .filter(({ weight }) => weight > 0)
    .sort((one, other) => other.weight - one.weight)
    .map(({ tag }) => tag);
}

const RIGHT_TO_LEFT: ReadonlySet<string> = new Set(['ar', 'fa', 'he', 'ur']);

/** Returns the writing direction of a language, by the first part of its tag. */
export function directionOf(tag: string): 'ltr' | 'rtl' {
  const [primary = ''] = tag.toLowerCase().split('-');
  return RIGHT_TO_LEFT.has(primary) ? 'rtl' : 'ltr';
}
