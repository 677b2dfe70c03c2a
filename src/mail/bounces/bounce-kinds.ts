/**
 * Kinds of rejections with their class (docs/tracking-and-bounces.md#classes-of-bounces). `hard`: the mailbox or its
 * domain does not exist. `soft`: this message did not arrive. `sender`: the rejection concerns the sender and says
 * nothing about the recipient.
 */
export const BOUNCE_KINDS = {
  no_mailbox: 'hard',
  no_domain: 'hard',
  mailbox_closed: 'hard',
  mailbox_full: 'soft',
  mailbox_locked: 'soft',
  rate_limited: 'soft',
  too_large: 'soft',
  policy: 'soft',
  content: 'soft',
  network: 'soft',
  transient: 'soft',
  undetermined: 'soft',
  sending_quota: 'sender',
  login: 'sender',
  relaying: 'sender',
  account: 'sender',
  sender_reputation: 'sender',
  sender_identity: 'sender',
  sender_authentication: 'sender',
  needs_smtputf8: 'sender',
} as const satisfies Readonly<Record<string, 'hard' | 'soft' | 'sender'>>;

/** The cause of a rejection. */
export type BounceKind = keyof typeof BOUNCE_KINDS;

/** Kinds that affect every message of the relay account, regardless of the sender. */
const ACCOUNT_KINDS: ReadonlySet<BounceKind> = new Set<BounceKind>([
  'sending_quota',
  'login',
  'relaying',
  'account',
  'sender_reputation',
]);

/**
 * Returns what a relay refuses: the whole account, this sender, or the addresses of this message, which it does not
 * support. Null for none of these.
 */
export function refusedPart(kind: BounceKind): 'account' | 'sender' | 'address' | null {
  if (ACCOUNT_KINDS.has(kind)) return 'account';
  if (kind === 'needs_smtputf8') return 'address';
  return BOUNCE_KINDS[kind] === 'sender' ? 'sender' : null;
}
