/**
 * Common parts of the mail providers, each of which reports delivery results in its own format and with its own
 * signature.
 */
import type { IncomingHttpHeaders } from 'node:http';
import type { Static, TSchema } from 'typebox';
import { Compile } from 'typebox/compile';
import { AppError } from '../../../../errors/app-error.ts';
import { invalidRequest, UNAUTHORIZED } from '../../../../errors/platform-errors.ts';
import { classifyBounce } from '../../../../mail/bounces/classify.ts';
import { enhancedStatusIn } from '../../../../mail/bounces/enhanced-status.ts';
import { replyCodeIn } from '../../../../mail/bounces/quoted-reply.ts';
import type { Platform } from '../../../../platform.ts';
import type { MailNotice } from '../../email-tracking/index.ts';

/** A request to a hook URL with a valid token. */
export interface HookRequest {
  readonly headers: IncomingHttpHeaders;
  /** The raw body, because signatures cover its bytes. */
  readonly bytes: Buffer;
  /** The parsed body. */
  readonly body: unknown;
  /** The hook's signing key; null without one. */
  readonly signingKey: string | null;
}

/** A mail provider that reports delivery results. */
export interface MailProvider {
  /** Returns an error message if the signing key of a new hook is invalid, else null. */
  checkKey(key: string | undefined): string | null;
  /**
   * Returns the bounces and complaints in the request. Deliveries are ignored: mail counts as delivered once the relay
   * accepts it.
   * @throws AppError UNAUTHORIZED if the signature is invalid; INVALID_REQUEST for another format.
   */
  read(platform: Platform, request: HookRequest): Promise<readonly MailNotice[]> | readonly MailNotice[];
}

/**
 * Returns a function that checks and types a value by the schema. @throws AppError INVALID_REQUEST for other values.
 */
export function shapeReader<S extends TSchema>(schema: S): (value: unknown) => Static<S> {
  const validator = Compile(schema);
  return (value) => {
    if (validator.Check(value)) return value;
    const [fault] = validator.Errors(value);
    throw invalidRequest([
      { message: `The body is not a notice of this provider: ${fault?.instancePath} ${fault?.message}.` },
    ]);
  };
}

/** @throws AppError UNAUTHORIZED if `isSigned` is false. */
export function requireSigned(isSigned: boolean): void {
  if (!isSigned) throw new AppError(UNAUTHORIZED, { message: 'The signature of the provider is not valid.' });
}

/** A final rejection reported by a provider. */
export interface ReportedRejection {
  /** The reply of the recipient's server, or the provider's own text. */
  readonly text: string;
  readonly code?: number | null;
  readonly status?: string | null;
  /** The provider's own classification. */
  readonly providerClass: 'hard' | 'soft';
}

/**
 * Classifies a rejection by our rules. The provider's classification is used only without a server reply, because it
 * calls each permanent code hard.
 */
export function toBounceEvent({
  text,
  code = null,
  status = null,
  providerClass,
}: ReportedRejection): MailNotice['event'] {
  const { kind, bounceClass, isAboutSender } = classifyBounce({
    ...{ code, text },
    status: enhancedStatusIn(text) ?? status,
  });
  const isReply = code !== null || replyCodeIn(text) !== null || enhancedStatusIn(text) !== null;
  const isUnclassified = kind === 'undetermined' && !isReply;
  return {
    type: 'bounce',
    bounceClass: isUnclassified ? providerClass : bounceClass,
    isAboutSender,
    detail: text,
  };
}
