import { errors } from 'undici';
import { codeOf } from '../errors/error-code.ts';
import { BlockedTargetError } from './target-policy.ts';

/** The reason why no HTTP answer arrived. `error` is one plain sentence that may be shown to the tenant. */
export interface SendFailure {
  reason: 'blocked' | 'timeout' | 'connection' | 'invalid' | 'unknown host' | 'untrusted';
  error: string;
}

const MESSAGES: Readonly<Record<string, string>> = {
  ECONNREFUSED: 'The connection was refused.',
  ECONNRESET: 'The connection was closed before a response arrived.',
  EPIPE: 'The connection was closed before a response arrived.',
  UND_ERR_SOCKET: 'The connection was closed before a response arrived.',
  ENOTFOUND: 'The host name could not be resolved.',
  EAI_AGAIN: 'The host name could not be resolved.',
  EHOSTUNREACH: 'The host cannot be reached.',
  ENETUNREACH: 'The host cannot be reached.',
  UND_ERR_HEADERS_OVERFLOW: 'The response is not valid HTTP.',
  Z_DATA_ERROR: 'The response does not match its Content-Encoding.',
  Z_BUF_ERROR: 'The response ends before its Content-Encoding is complete.',
  UND_ERR_CLOSED: 'The service is shutting down.',
  UND_ERR_DESTROYED: 'The service is shutting down.',
};
const TIMEOUTS = ['ETIMEDOUT', 'UND_ERR_CONNECT_TIMEOUT'];
const INVALID = ['UND_ERR_INVALID_ARG', 'UND_ERR_NOT_SUPPORTED'];
const CERTIFICATE = /CERT|SIGNATURE|ISSUER|CRL|ALTNAME/;
const TLS = /SSL|TLS/;
/** Certificate errors that may be transient: a slow clock, or a revocation list that cannot be read now. */
const TRANSIENT = new Set([
  'CERT_NOT_YET_VALID',
  'UNABLE_TO_GET_CRL',
  'CRL_NOT_YET_VALID',
  'CRL_HAS_EXPIRED',
]);

/** The failure of a call that took too long. */
export function timedOut(timeoutMs: number): SendFailure {
  return { reason: 'timeout', error: `No complete response within ${timeoutMs / 1000} seconds.` };
}

/** Describes an error of undici or a socket, without its own text, which may reveal our network. */
export function toSendFailure(cause: unknown, timeoutMs: number): SendFailure {
  if (cause instanceof BlockedTargetError)
    return { reason: 'blocked', error: `The target ${cause.message}.` };
  const code = codeOf(cause);
  if (TIMEOUTS.includes(code)) return timedOut(timeoutMs);
  if (INVALID.includes(code))
    return { reason: 'invalid', error: 'The request has an invalid method or header.' };
  // Some of these errors have no code, so check the class.
  if (cause instanceof errors.HTTPParserError)
    return { reason: 'connection', error: 'The response is not valid HTTP.' };
  return { reason: reasonOf(code), error: MESSAGES[code] ?? describeCode(code) };
}

function reasonOf(code: string): SendFailure['reason'] {
  if (code === 'ENOTFOUND') return 'unknown host';
  const isUntrusted = MESSAGES[code] === undefined && CERTIFICATE.test(code);
  return isUntrusted && !TRANSIENT.has(code) ? 'untrusted' : 'connection';
}

function describeCode(code: string): string {
  if (CERTIFICATE.test(code)) return `The TLS certificate is not valid (${code}).`;
  if (TLS.test(code)) return `The TLS connection could not be made (${code}).`;
  return code === '' ? 'The connection failed.' : `The connection failed (${code}).`;
}
