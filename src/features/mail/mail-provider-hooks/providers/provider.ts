/** What the mail providers have in common: requests that say what became of mail, in a form and signed in a way of their own. */
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

/** A request to a hook's address, its token found good. */
export interface HookRequest {
  readonly headers: IncomingHttpHeaders;
  /** As they came: signatures cover bytes. */
  readonly bytes: Buffer;
  /** The same, parsed. */
  readonly body: unknown;
  /** What the tenant gave with the hook; null when it gave nothing. */
  readonly signingKey: string | null;
}

/** A way to tell what became of mail. */
export interface MailProvider {
  /** What is wrong with the signing key of a new hook; null when nothing is. */
  checkKey(key: string | undefined): string | null;
  /**
   * What the request tells of bounces and complaints. A delivery is none of that: mail counts as delivered since the
   * relay took it.
   * @throws AppError UNAUTHORIZED unless the provider signed it; INVALID_REQUEST when it has another form.
   */
  read(platform: Platform, request: HookRequest): Promise<readonly MailNotice[]> | readonly MailNotice[];
}

/** What gives a value its type when it has the schema's shape. @throws AppError INVALID_REQUEST when it has not. */
export function shapeReader<S extends TSchema>(schema: S): (value: unknown) => Static<S> {
  const validator = Compile(schema);
  return (value) => {
    if (validator.Check(value)) return value;
    const [fault] = validator.Errors(value);
    throw invalidRequest([
      { message: `This is no notice of the provider: ${fault?.instancePath} ${fault?.message}.` },
    ]);
  };
}

/** @throws AppError UNAUTHORIZED unless it is so. */
export function requireSigned(isSigned: boolean): void {
  if (!isSigned) throw new AppError(UNAUTHORIZED, { message: 'The signature of the provider is not valid.' });
}

/** A refusal that a provider reports as final. */
export interface ReportedRefusal {
  /** The reply of the recipient's server, or the provider's own words. */
  readonly text: string;
  readonly code?: number | null;
  readonly status?: string | null;
  /** What the provider says that it is. */
  readonly word: 'hard' | 'soft';
}

/**
 * Classifies a refusal by our rules. The provider's word counts only where it shows no reply of a server, as it calls
 * each permanent code hard.
 */
export function bounceOf({ text, code = null, status = null, word }: ReportedRefusal): MailNotice['event'] {
  const { kind, bounceClass, isAboutSender } = classifyBounce({
    ...{ code, text },
    status: enhancedStatusIn(text) ?? status,
  });
  const isReply = code !== null || replyCodeIn(text) !== null || enhancedStatusIn(text) !== null;
  const isOpen = kind === 'undetermined' && !isReply;
  return { type: 'bounce', bounceClass: isOpen ? word : bounceClass, isAboutSender, detail: text };
}
