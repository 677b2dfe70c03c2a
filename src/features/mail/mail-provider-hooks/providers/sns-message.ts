/** Amazon SNS messages and their signatures, made with a certificate that only SNS hosts serve. */
import { verify, X509Certificate } from 'node:crypto';
import { LRUCache } from 'lru-cache';
import Type, { type Static } from 'typebox';
import { AppError } from '../../../../errors/app-error.ts';
import { oncePerPlatform, type Platform } from '../../../../platform.ts';
import { PROVIDER_UNREACHABLE } from '../errors.ts';

const HOUR_MS = 60 * 60 * 1000;
const MAX_CERTIFICATE_BYTES = 64 * 1024;
/**
 * The SNS host of a region such as `us-east-1`. Other hosts under amazonaws.com can belong to customers:
 * `sns.s3.amazonaws.com` is a bucket.
 */
const SNS_HOST = /^sns\.[a-z]{2}(?:-[a-z]+)+-\d+\.amazonaws\.com(?:\.cn)?$/;
/** Path of a certificate. Other paths are rejected, because responses of the SNS API can contain text of any caller. */
const CERTIFICATE_PATH = /^\/SimpleNotificationService-[A-Za-z0-9]+\.pem$/;

/** A message as SNS posts it. */
export const SnsMessage = Type.Object({
  Type: Type.Enum(['Notification', 'SubscriptionConfirmation', 'UnsubscribeConfirmation']),
  MessageId: Type.String(),
  TopicArn: Type.String(),
  Message: Type.String(),
  Timestamp: Type.String(),
  SignatureVersion: Type.Enum(['1', '2']),
  Signature: Type.String(),
  SigningCertURL: Type.String(),
  Subject: Type.Optional(Type.String()),
  Token: Type.Optional(Type.String()),
  SubscribeURL: Type.Optional(Type.String()),
});
/** A message that Amazon SNS posts to a hook. */
export type SnsMessage = Static<typeof SnsMessage>;

const DIGESTS = { 1: 'sha1', 2: 'sha256' } as const;

const NOTIFICATION = ['Message', 'MessageId', 'Subject', 'Timestamp', 'TopicArn', 'Type'] as const;
const CONFIRMATION = [
  ...(['Message', 'MessageId', 'SubscribeURL', 'Timestamp', 'Token', 'TopicArn', 'Type'] as const),
] as const;

const certificates = oncePerPlatform(() => new LRUCache<string, X509Certificate>({ max: 100, ttl: HOUR_MS }));

/** True if a URL is an HTTPS address of SNS itself. */
export function isSnsUrl(text: string): boolean {
  const url = URL.parse(text);
  return url?.protocol === 'https:' && SNS_HOST.test(url.hostname);
}

/** True if a URL is the address of an SNS certificate. */
export function isCertificateUrl(text: string): boolean {
  const url = URL.parse(text);
  return isSnsUrl(text) && url?.search === '' && CERTIFICATE_PATH.test(url.pathname);
}

/** True if SNS signed the message. @throws AppError PROVIDER_UNREACHABLE if its certificate cannot be fetched. */
export async function isSignedBySns(platform: Platform, message: SnsMessage): Promise<boolean> {
  const { SigningCertURL: url, SignatureVersion: version, Signature: signature } = message;
  if (!isCertificateUrl(url)) return false;
  const certificate = await findCertificate(platform, url);
  const now = platform.clock();
  if (certificate === null || now < certificate.validFromDate || now > certificate.validToDate) return false;
  const signed = Buffer.from(signedText(message));
  return verify(DIGESTS[version], signed, certificate.publicKey, Buffer.from(signature, 'base64'));
}

/** Returns the signed text: each field that is present, on a line after its name. */
function signedText(message: SnsMessage): string {
  const names = message.Type === 'Notification' ? NOTIFICATION : CONFIRMATION;
  return names.map((name) => (message[name] === undefined ? '' : `${name}\n${message[name]}\n`)).join('');
}

async function findCertificate(platform: Platform, url: string): Promise<X509Certificate | null> {
  const known = certificates(platform).get(url);
  if (known !== undefined) return known;
  const file = await platform.outbound.download({ url, maxBytes: MAX_CERTIFICATE_BYTES });
  if (!file.ok || file.status >= 500)
    throw new AppError(PROVIDER_UNREACHABLE, { cause: file.ok ? file.status : file.error });
  if (file.status !== 200) return null;
  const certificate = parseCertificate(file.bytes);
  if (certificate !== null) certificates(platform).set(url, certificate);
  return certificate;
}

function parseCertificate(bytes: Buffer): X509Certificate | null {
  try {
    return new X509Certificate(bytes);
  } catch {
    return null;
  }
}
