/** Returns the text with each secret replaced by `[secret]`, because receivers may echo the request. */
export function redactSecrets(text: string, secrets: readonly string[]): string {
  // A receiver that answers in JSON escapes the text. Replace the longest first, as one may be part of another, and all
  // in one pass, so that replacements are not searched again.
  const forms = secrets.flatMap((secret) => [secret, JSON.stringify(secret).slice(1, -1)]);
  const patterns = [...new Set(forms)]
    .filter((form) => form !== '')
    .sort((a, b) => b.length - a.length)
    .map((form) => RegExp.escape(form));
  return patterns.length === 0 ? text : text.replaceAll(new RegExp(patterns.join('|'), 'g'), '[secret]');
}
