/** Bodies of whatever type a sender likes, as a hook gets them. */
import { AppError } from '../errors/app-error.ts';
import { invalidRequest, UNSUPPORTED_MEDIA_TYPE } from '../errors/platform-errors.ts';
import { checkText, parseJsonBody } from './json-body.ts';

const utf8 = new TextDecoder('utf-8', { fatal: true });

/**
 * JSON of any JSON type as its value, a form as an object (a field that comes several times as a list), other text as it
 * is, nothing as undefined.
 * @throws AppError INVALID_REQUEST for what is not the UTF-8 that it should be, UNSUPPORTED_MEDIA_TYPE for forms in parts.
 */
export function parseAnyBody(bytes: Buffer, contentType = ''): unknown {
  if (bytes.length === 0) return undefined;
  const [type = ''] = contentType.toLowerCase().split(';', 1);
  if (/\+json\s*$/.test(type)) return parseJsonBody(bytes);
  if (type.startsWith('multipart/')) throw new AppError(UNSUPPORTED_MEDIA_TYPE);
  const text = decode(bytes);
  if (type.trim() === 'application/x-www-form-urlencoded') return parseForm(text);
  checkText(text, 'body');
  return text;
}

function decode(bytes: Buffer): string {
  try {
    return utf8.decode(bytes);
  } catch {
    throw invalidRequest([{ message: 'The body is not valid UTF-8.' }]);
  }
}

function parseForm(text: string): Record<string, string | string[]> {
  const values = Map.groupBy(new URLSearchParams(text), ([name]) => name);
  const fields = [...values].map(([name, pairs]): [string, string | string[]] => {
    const given = pairs.map(([, value]) => value);
    for (const each of [name, ...given]) checkText(each, name);
    return [name, given.length === 1 ? (given[0] ?? '') : given];
  });
  return Object.fromEntries(fields);
}
