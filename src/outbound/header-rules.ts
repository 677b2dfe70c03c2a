const FORBIDDEN = new Set([
  'connection',
  'content-length',
  'content-type',
  'expect',
  'host',
  'keep-alive',
  'te',
  'trailer',
  'transfer-encoding',
  'upgrade',
  'user-agent',
  'webhook-id',
  'webhook-signature',
  'webhook-timestamp',
]);
const FORBIDDEN_PREFIXES = ['proxy-', 'tessera-'];
const TOKEN = /^[!#$%&'*+.^_`|~0-9A-Za-z-]+$/;
const FIELD_VALUE = /^[\t\x20-\x7e\x80-\xff]*$/;
const DAY_NAME = /^(Mon|Tues?|Wed(nes)?|Thu(rs)?|Fri|Sat(ur)?|Sun)(day)?\b/;

/**
 * Returns the fault of a header that a tenant wants to send, or null. Names are RFC 9110 tokens (section 5.6.2), values
 * printable Latin-1. Headers that frame the request or identify the platform are not allowed.
 */
export function checkHeader(name: string, value: string): string | null {
  if (!TOKEN.test(name)) return 'the name is not a valid header name';
  const lowerName = name.toLowerCase();
  if (FORBIDDEN.has(lowerName) || FORBIDDEN_PREFIXES.some((prefix) => lowerName.startsWith(prefix))) {
    return `the header ${name} is not allowed here: Tessera sets it`;
  }
  if (!FIELD_VALUE.test(value)) return 'the value must be printable Latin-1 characters without line breaks';
  return null;
}

const CREDENTIAL = /authori[sz]ation|cookie|token|secret|api-?key|password/i;

/** True if a header of this name usually carries a credential. */
export function isCredentialHeader(name: string): boolean {
  return CREDENTIAL.test(name);
}

/** Maximum wait that a receiver can request, in seconds. */
export const LONGEST_RETRY_AFTER_SECONDS = 3600;

/**
 * Returns the wait that `Retry-After` requests, in whole seconds from `now` (0 for a time in the past). Null if it has
 * neither form of RFC 9110 section 10.2.3. The caller must limit the wait.
 * @param headers with lower-case names.
 */
export function retryAfterSeconds(headers: Readonly<Record<string, string>>, now: Date): number | null {
  const text = headers['retry-after']?.trim() ?? '';
  if (/^\d+$/.test(text)) return Math.min(Number(text), Number.MAX_SAFE_INTEGER);
  // Date.parse accepts almost anything ("1.5", "-5"); all three HTTP forms begin with a day's name.
  if (!DAY_NAME.test(text)) return null;
  // The asctime form has no zone but is UTC.
  const time = Date.parse(text.endsWith('GMT') ? text : `${text} GMT`);
  return Number.isNaN(time) ? null : Math.max(0, Math.ceil((time - now.getTime()) / 1000));
}
