/**
 * Classifies rejections in delivery reports, relay replies and provider notices. The words decide; the status counts
 * only if no pattern matches the words. An unknown rejection is soft.
 */
import { BOUNCE_KINDS, type BounceKind } from './bounce-kinds.ts';
import { enhancedStatusIn } from './enhanced-status.ts';
import { normalizeReply, quotedReply, replyCodeIn } from './quoted-reply.ts';
import { BLOCK_LIST_LINK, REPLY_PATTERNS } from './reply-patterns.ts';

/** A rejection as reported. */
export interface Rejection {
  /** SMTP reply code (RFC 5321). */
  readonly code: number | null;
  /** Enhanced status (RFC 3463), `5.1.1`, as the reporter gives it. */
  readonly status: string | null;
  /** Text of the reply or report. */
  readonly text: string;
}

/** A classified rejection. */
export interface BounceClassification {
  readonly kind: BounceKind;
  readonly bounceClass: 'hard' | 'soft';
  /** True if the rejection concerns the sender; it does not count against the recipient. */
  readonly isAboutSender: boolean;
}

/** Kinds by enhanced status without its first digit. */
const KIND_BY_STATUS: Readonly<Record<string, BounceKind>> = {
  '1.1': 'no_mailbox',
  '1.2': 'no_domain',
  '1.3': 'no_mailbox',
  '1.6': 'mailbox_closed',
  '1.10': 'no_domain',
  '2.1': 'mailbox_locked',
  '2.2': 'mailbox_full',
  '2.3': 'too_large',
  '3.1': 'mailbox_full',
  '3.2': 'transient',
  '3.4': 'too_large',
  '4.1': 'network',
  '4.2': 'network',
  '4.3': 'network',
  '4.4': 'network',
  '4.5': 'transient',
  '4.6': 'network',
  '4.7': 'network',
  '6.7': 'needs_smtputf8',
  '6.9': 'needs_smtputf8',
  '6.10': 'needs_smtputf8',
  '7.8': 'login',
  '7.9': 'login',
  '7.13': 'account',
  '7.20': 'sender_authentication',
  '7.21': 'sender_authentication',
  '7.22': 'sender_authentication',
  '7.23': 'sender_authentication',
  '7.25': 'sender_reputation',
  '7.26': 'sender_authentication',
  '7.27': 'sender_authentication',
  '7.30': 'sender_authentication',
  '7.57': 'login',
  '7.60': 'sender_identity',
  '7.606': 'sender_reputation',
};
/** Invalid or unknown sender address (RFC 3463 section 3.2). */
const SENDER_STATUS = /^[45]\.1\.[78]$/;
/** Statuses that imply an existing mailbox. */
const EXISTING_MAILBOX = /^[45]\.(?:2\.2|2\.3|3\.[14]|4\.[1-35-9])$/;
/** RFC 7504: the domain accepts no mail. */
const NULL_MX = 556;

/** Classifies a rejection that is final for the message. */
export function classifyBounce({ code, status, text }: Rejection): BounceClassification {
  const reply = quotedReply(text) ?? text;
  const replyCode = replyCodeIn(reply);
  const ownStatus = enhancedStatusIn(reply);
  // Reporters invent a status for replies without one: sendmail turns every 550 into 5.1.1.
  const effectiveStatus = ownStatus ?? (replyCode === null ? status : null);
  const effectiveCode = replyCode ?? code;
  const kind = kindOf(reply, effectiveStatus, effectiveCode);
  const isTransient = effectiveStatus?.startsWith('4.') || (effectiveCode !== null && effectiveCode < 500);
  const isContradicted = effectiveStatus !== null && EXISTING_MAILBOX.test(effectiveStatus);
  // A temporary rejection is never hard.
  const isHard = BOUNCE_KINDS[kind] === 'hard' && !isTransient && !isContradicted;
  return { kind, bounceClass: isHard ? 'hard' : 'soft', isAboutSender: BOUNCE_KINDS[kind] === 'sender' };
}

function kindOf(reply: string, status: string | null, code: number | null): BounceKind {
  const words = normalizeReply(reply);
  const matched =
    REPLY_PATTERNS.find((each) => each.words.test(words))?.kind ??
    (BLOCK_LIST_LINK.test(reply) ? 'sender_reputation' : null);
  // With such a status, "domain not found" means the sender's domain.
  if (SENDER_STATUS.test(status ?? '') && (matched === null || BOUNCE_KINDS[matched] === 'hard'))
    return 'sender_identity';
  const kind = matched ?? kindOfStatus(status);
  if (kind !== null) return kind;
  if (code === NULL_MX) return 'no_domain';
  if (status?.startsWith('4.') || (code !== null && code < 500)) return 'transient';
  if (/^5\.6\./.test(status ?? '')) return 'content';
  return /^5\.7\./.test(status ?? '') ? 'policy' : 'undetermined';
}

function kindOfStatus(status: string | null): BounceKind | null {
  return status === null ? null : (KIND_BY_STATUS[status.slice(2)] ?? null);
}
