/**
 * Parsers of configuration values. Each returns the value or throws a ConfigValueError with the broken rule, worded to
 * follow the variable's name ("must be ..."). The caller adds the text itself, unless it may be secret.
 */
import { isIP } from 'node:net';
import { isAddress } from './mail/address.ts';

/** Parses a value from a text that is not blank. */
export type ValueParser<T> = (text: string) => T;

/** Thrown with the rule that a text breaks. */
export class ConfigValueError extends Error {}

function must(isValid: boolean, rule: string): asserts isValid {
  if (!isValid) throw new ConfigValueError(`must ${rule}`);
}

/** An integer in decimal digits, both ends included. */
export function integer(min: number, max: number): ValueParser<number> {
  return (text) => {
    const value = Number(text);
    must(/^\d+$/.test(text) && value >= min && value <= max, `be an integer from ${min} to ${max}`);
    return value;
  };
}

/** An amount of memory with its unit, such as `768MiB`, `768M` or `1.5GiB`; the value is in MiB. */
export function mebibytes(min: number): ValueParser<number> {
  return (text) => {
    const [, amount = '', unit = ''] = /^(\d+(?:\.\d+)?) ?([MG])(?:i?B)?$/i.exec(text) ?? [];
    const value = Math.floor(Number(amount) * (unit.toUpperCase() === 'G' ? 1024 : 1));
    must(amount !== '' && value >= min, `be an amount of memory like 1GiB or 768MiB, at least ${min}MiB`);
    return value;
  };
}

/** Seconds greater than 0, fractions allowed. */
export function positiveSeconds(max: number): ValueParser<number> {
  return (text) => {
    const value = seconds(text);
    must(value > 0 && value <= max, `be a number of seconds greater than 0, at most ${max}`);
    return value;
  };
}

/** Exactly `count` comma-separated numbers of seconds, 0 and fractions allowed. */
export function secondsList(count: number, max: number): ValueParser<readonly number[]> {
  return (text) => {
    const values = text.split(',').map((part) => seconds(part.trim()));
    must(
      values.length === count && values.every((value) => value <= max),
      `be ${count} comma-separated numbers of seconds, each from 0 to ${max}`,
    );
    return values;
  };
}

/** One of the words, exactly as written. */
export function oneOf<const T extends string>(words: readonly T[]): ValueParser<T> {
  return (text) => {
    const found = words.find((word) => word === text);
    must(found !== undefined, `be one of ${words.join(', ')}`);
    return found;
  };
}

/** One of two words that stand for yes and no. */
export function yesNo(yes: string, no: string): ValueParser<boolean> {
  return (text) => oneOf([yes, no])(text) === yes;
}

/** A URL with one of the schemes (written `http:`), unchanged. It may contain a password, so errors do not show it. */
export function urlOf(...protocols: readonly string[]): ValueParser<string> {
  return (text) => {
    const url = URL.parse(text);
    must(
      url !== null && protocols.includes(url.protocol),
      `be a URL that begins with ${protocols.map((p) => `${p}//`).join(' or ')}`,
    );
    return text;
  };
}

/**
 * An SMTP relay: `smtp://` or `smtps://`, a host, optional user, password and port, and with `smtp` only
 * `?tls=optional`. Anything else is rejected, because it would have no effect. Errors do not show it: it may contain a
 * password.
 */
export function relayUrl(text: string): string {
  const url = URL.parse(text);
  must(
    url !== null &&
      /^smtps?:$/.test(url.protocol) &&
      url.hostname !== '' &&
      /^\/?$/.test(url.pathname) &&
      (url.search === '' || (url.protocol === 'smtp:' && url.search === '?tls=optional')) &&
      url.hash === '' &&
      isDecodable(url.username) &&
      isDecodable(url.password),
    'be smtp://[user:password@]host[:port][?tls=optional], or smtps://…',
  );
  return text;
}

/** A broker: `amqp://` or `amqps://`, a host, optional user, password, port and virtual host. Errors do not show it. */
export function brokerUrl(text: string): string {
  const url = URL.parse(text);
  must(
    url !== null &&
      /^amqps?:$/.test(url.protocol) &&
      url.hostname !== '' &&
      /^\/?[^/]*$/.test(url.pathname) &&
      [url.username, url.password, url.pathname].every(isDecodable),
    'be amqp://[user:password@]host[:port][/virtual-host], or amqps://…',
  );
  return text;
}

/** A bucket of an S3-compatible service, and how to reach it. */
export interface Bucket {
  /** Scheme, host and port. */
  readonly endpoint: string;
  readonly name: string;
  /** Prefix of every key: empty, or a path that ends in a slash. */
  readonly prefix: string;
  readonly region: string;
  readonly accessKeyId: string;
  readonly secretAccessKey: string;
  /** True if the bucket is the first part of the path; false: of the host. */
  readonly isInPath: boolean;
}

const BUCKET_RULE =
  'be https://KEY:SECRET@host[:port]/bucket[/prefix][?region=…][&addressing=host], or http://…, key and secret percent-encoded';

/**
 * A bucket as a URL: key and secret as user and password, the bucket as the first part of the path. `region` defaults
 * to `us-east-1`; `addressing=host` puts the bucket before the host. Errors do not show it: it contains a secret.
 */
export function bucketUrl(text: string): Bucket {
  const url = URL.parse(text);
  must(
    url !== null &&
      /^https?:$/.test(url.protocol) &&
      url.hash === '' &&
      url.username !== '' &&
      url.password !== '',
    BUCKET_RULE,
  );
  must(isDecodable(url.username) && isDecodable(url.password) && isDecodable(url.pathname), BUCKET_RULE);
  const [name = '', ...folders] = decodeURIComponent(url.pathname)
    .split('/')
    .filter((part) => part !== '');
  const { region = 'us-east-1', addressing = 'path', ...others } = Object.fromEntries(url.searchParams);
  must(/^[A-Za-z0-9][A-Za-z0-9._-]{1,254}$/.test(name) && Object.keys(others).length === 0, BUCKET_RULE);
  must(/^[\w-]+$/.test(region) && /^(?:path|host)$/.test(addressing), BUCKET_RULE);
  return Object.freeze({
    endpoint: url.origin,
    name,
    prefix: folders.map((folder) => `${folder}/`).join(''),
    region,
    accessKeyId: decodeURIComponent(url.username),
    secretAccessKey: decodeURIComponent(url.password),
    isInPath: addressing === 'path',
  });
}

/** An email address, alone (then `name` is empty) or as `Name <address>`. */
export function mailbox(text: string): { readonly address: string; readonly name: string } {
  const [, quoted, bare, inAngles] = /^(?:"([^"]*)"\s*|([^"<>]*))<([^<>]+)>$/.exec(text) ?? [];
  const address = inAngles ?? text;
  must(
    isAddress(address),
    'be an email address, or a name and an address like Tessera <noreply@example.com>',
  );
  return Object.freeze({ address, name: (quoted ?? bare ?? '').trim() });
}

/** A domain's name in ASCII letters, digits, hyphens and dots, as RFC 5321 section 4.1.2 has it; lower-cased. */
export function domainName(text: string): string {
  const labels = text.toLowerCase().split('.');
  const isLabel = (label: string) => /^[a-z0-9]([a-z0-9-]{0,61}[a-z0-9])?$/.test(label);
  must(text.length <= 253 && labels.every(isLabel), 'be a domain name');
  return labels.join('.');
}

/** Comma-separated resolvers: an IPv4 address or an IPv6 address in brackets, and a port (53 when absent). */
export function dnsServers(text: string): readonly { readonly host: string; readonly port: number }[] {
  return text.split(',').map((part) => {
    const [, bracketed, plain, port = '53'] =
      /^(?:\[([^\]]+)\]|([^:]+))(?::(\d{1,5}))?$/.exec(part.trim()) ?? [];
    const host = bracketed ?? plain ?? '';
    const family = bracketed === undefined ? 4 : 6;
    must(
      isIP(host) === family && Number(port) >= 1 && Number(port) <= 65535,
      'be comma-separated IP addresses with ports, like 127.0.0.1:53 or [::1]:53',
    );
    return Object.freeze({ host, port: Number(port) });
  });
}

/** A base for links: http or https, without user, query or fragment; trailing slashes are dropped. */
export function baseUrl(text: string): string {
  const url = URL.parse(text);
  must(
    url !== null && /^https?:$/.test(url.protocol) && `${url.origin}${url.pathname}` === url.href,
    'be an http or https URL without user, query or fragment',
  );
  return url.href.replace(/\/+$/, '');
}

/** Comma-separated origins, each exactly as browsers write it. */
export function origins(text: string): readonly string[] {
  return text.split(',').map((part) => {
    const origin = part.trim();
    must(
      /^https?:/.test(origin) && URL.parse(origin)?.origin === origin,
      'be comma-separated origins without a path, like https://app.example.com',
    );
    return origin;
  });
}

/** A host name or address to listen on. */
export function hostName(text: string): string {
  must(!/[\s/]/.test(text), 'be a host name or an IP address');
  return text;
}

/** A folder's path. */
export function folderPath(text: string): string {
  must(!text.includes('\0'), 'be the path of a folder');
  return text;
}

/** A token that a caller can send in a header: visible ASCII. */
export function headerToken(text: string): string {
  must(/^[\x21-\x7e]+$/.test(text), 'be visible ASCII characters without spaces');
  return text;
}

/** A text of at most 200 characters. */
export function shortText(text: string): string {
  must(text.length <= 200, 'have at most 200 characters');
  return text;
}

/** A JSON object whose values are texts, not empty. */
export function textMap(text: string): ReadonlyMap<string, string> {
  const entries = Object.entries(toJson(text) ?? {});
  const isMap =
    /^\s*\{/.test(text) && entries.every(([, value]) => typeof value === 'string' && value !== '');
  must(
    isMap && toJson(text) !== undefined,
    'be a JSON object of strings, like {"llm-3-haiku-20240307": "small-1"}',
  );
  return new Map(entries.map(([name, value]) => [name, String(value)]));
}

function toJson(text: string): object | undefined {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

/** 32 bytes as base64, padded or not; the URL-safe alphabet is accepted too. */
export function key32(text: string): Buffer {
  const isKey = /^[A-Za-z0-9+/_-]{43}=?$/.test(text);
  must(isKey, 'be 32 bytes in base64 (create one with: openssl rand -base64 32)');
  return Buffer.from(text, 'base64');
}

/** `true`, `false`, or comma-separated addresses and CIDR ranges. */
export function trustProxy(text: string): boolean | readonly string[] {
  if (text === 'true' || text === 'false') return text === 'true';
  const ranges = text.split(',').map((part) => part.trim());
  must(ranges.every(isRange), 'be true, false, or comma-separated IP addresses and CIDR ranges');
  return ranges;
}

function isRange(text: string): boolean {
  const [address = '', prefix = '0', ...rest] = text.split('/');
  const family = isIP(address);
  return (
    family !== 0 &&
    rest.length === 0 &&
    /^\d{1,3}$/.test(prefix) &&
    Number(prefix) <= (family === 4 ? 32 : 128)
  );
}

function isDecodable(text: string): boolean {
  try {
    decodeURIComponent(text);
    return true;
  } catch {
    return false;
  }
}

/** Returns NaN if the text is not a number of seconds. */
function seconds(text: string): number {
  return /^\d+(\.\d+)?$/.test(text) ? Number(text) : Number.NaN;
}
