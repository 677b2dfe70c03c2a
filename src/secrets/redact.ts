/** Returns the text with each secret replaced by `[secret]`, for receivers that echo what they got. */
export function redactSecrets(text: string, secrets: readonly string[]): string {
  // A receiver that answers in JSON escapes what it echoes. The longest first, as one may be part of another; all in
  // one go, so that none is looked for in what stands for another.
  const forms = secrets.flatMap((secret) => [secret, JSON.stringify(secret).slice(1, -1)]);
  const patterns = [...new Set(forms)]
    .filter((form) => form !== '')
    .sort((a, b) => b.length - a.length)
    .map((form) => RegExp.escape(form));
  return patterns.length === 0 ? text : text.replaceAll(new RegExp(patterns.join('|'), 'g'), '[secret]');
}
