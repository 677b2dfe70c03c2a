/**
 * What a refusal is about, and what follows for the address (docs/tracking-and-bounces.md#classes-of-bounces). `hard`: the
 * mailbox or its domain does not exist. `soft`: this message did not arrive. `sender`: the refusal is about us and says
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
} as const satisfies Readonly<Record<string, 'hard' | 'soft' | 'sender'>>;

/** What a refusal is about. */
export type BounceKind = keyof typeof BOUNCE_KINDS;

/** Kinds that meet every message of the account, whoever it is from: the relay has to be repaired or paid first. */
const ACCOUNT_KINDS: ReadonlySet<BounceKind> = new Set<BounceKind>([
  ...(['sending_quota', 'login', 'relaying', 'account', 'sender_reputation'] as const),
]);

/** Returns what the refusal is about: everything that we send, this sender, or neither. */
export function refusedParty(kind: BounceKind): 'account' | 'sender' | null {
  if (ACCOUNT_KINDS.has(kind)) return 'account';
  return BOUNCE_KINDS[kind] === 'sender' ? 'sender' : null;
}
