/**
 * What a refusal means for the address. Delivery reports, replies of relays and notices of providers are all classified
 * here. Words decide; a status counts only where they say nothing, and an unknown refusal is soft.
 */
import { BOUNCE_KINDS, type BounceKind } from './bounce-kinds.ts';
import { enhancedStatusIn } from './enhanced-status.ts';
import { quotedReply, replyCodeIn, wordsOf } from './quoted-reply.ts';
import { REPLY_PATTERNS } from './reply-patterns.ts';

/** What is known of a refusal. */
export interface Refusal {
  /** SMTP reply code (RFC 5321). */
  readonly code: number | null;
  /** Enhanced status (RFC 3463), `5.1.1`, as the one who reports it puts it. */
  readonly status: string | null;
  /** The words of the other side. */
  readonly text: string;
}

/** A classified refusal. */
export interface BounceClassification {
  readonly kind: BounceKind;
  readonly bounceClass: 'hard' | 'soft';
  /** True if it is about us: then it does not count against the address. */
  readonly isAboutSender: boolean;
}

/** By enhanced status, the first digit aside. */
const KIND_BY_STATUS: Readonly<Record<string, BounceKind>> = {
  ...{
    '1.1': 'no_mailbox',
    '1.3': 'no_mailbox',
    '1.6': 'mailbox_closed',
    '1.2': 'no_domain',
    '1.10': 'no_domain',
  },
  ...{ '7.60': 'sender_identity', '2.1': 'mailbox_locked' },
  ...{ '2.2': 'mailbox_full', '3.1': 'mailbox_full', '2.3': 'too_large', '3.4': 'too_large' },
  ...{ '3.2': 'transient', '4.5': 'transient', '4.1': 'network', '4.2': 'network', '4.3': 'network' },
  ...{
    '4.4': 'network',
    '4.6': 'network',
    '4.7': 'network',
    '7.8': 'login',
    '7.9': 'login',
    '7.57': 'login',
  },
  ...{ '7.20': 'sender_authentication', '7.21': 'sender_authentication', '7.22': 'sender_authentication' },
  ...{ '7.23': 'sender_authentication', '7.26': 'sender_authentication', '7.27': 'sender_authentication' },
  ...{
    '7.25': 'sender_reputation',
    '7.606': 'sender_reputation',
    '7.13': 'account',
    '7.30': 'sender_authentication',
  },
};
/** RFC 3463 section 3.2. */
const SENDER_STATUS = /^[45]\.1\.[78]$/;
/** Details that contradict a mailbox that does not exist. */
const EXISTING = /^[45]\.(?:2\.2|2\.3|3\.[14]|4\.[1-35-9])$/;
/** RFC 7504: the domain takes no mail. */
const NULL_MX = 556;

/** Classifies a refusal that was final for the message. */
export function classifyBounce({ code, status, text }: Refusal): BounceClassification {
  const reply = quotedReply(text) ?? text;
  const replyCode = replyCodeIn(reply);
  const ownStatus = enhancedStatusIn(reply);
  // Reporters make a status up for replies that have none: sendmail makes 5.1.1 of every 550.
  const effective = ownStatus ?? (replyCode === null ? status : null);
  const effectiveCode = replyCode ?? code;
  const kind = kindOf(wordsOf(reply), effective, effectiveCode);
  const isTransient = effective?.startsWith('4.') || (effectiveCode !== null && effectiveCode < 500);
  const isContradicted = effective !== null && EXISTING.test(effective);
  // Whoever says "later" has not said "never".
  const isHard = BOUNCE_KINDS[kind] === 'hard' && !isTransient && !isContradicted;
  return { kind, bounceClass: isHard ? 'hard' : 'soft', isAboutSender: BOUNCE_KINDS[kind] === 'sender' };
}

function kindOf(words: string, status: string | null, code: number | null): BounceKind {
  const told = REPLY_PATTERNS.find((each) => each.words.test(words))?.kind ?? null;
  // "Domain not found" is about the sender's domain beside such a status.
  if (SENDER_STATUS.test(status ?? '') && (told === null || BOUNCE_KINDS[told] === 'hard'))
    return 'sender_identity';
  const kind = told ?? kindOfStatus(status);
  if (kind !== null) return kind;
  if (code === NULL_MX) return 'no_domain';
  if (status?.startsWith('4.') || (code !== null && code < 500)) return 'transient';
  if (/^5\.6\./.test(status ?? '')) return 'content';
  return /^5\.7\./.test(status ?? '') ? 'policy' : 'undetermined';
}

function kindOfStatus(status: string | null): BounceKind | null {
  return status === null ? null : (KIND_BY_STATUS[status.slice(2)] ?? null);
}
