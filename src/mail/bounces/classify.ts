/**
 * What a refusal means for the address: hard when mail to it can never arrive, soft when this message did not. The
 * classes are SparkPost's (hard: 10 invalid recipient, 30 no recipient, 90 unsubscribe): a full mailbox, a block or
 * rejected content says nothing about the address itself, whatever the first digit of its code.
 */

/** What is known of a refusal. */
export interface Refusal {
  /** SMTP reply code (RFC 5321). */
  readonly code: number | null;
  /** Enhanced status (RFC 3463), `5.1.1`. */
  readonly status: string | null;
  /** The words of the other side. */
  readonly text: string;
}

const BOUNCE_KINDS = [
  'invalid_recipient',
  'mailbox_inactive',
  'mailbox_full',
  'too_large',
  'dns_failure',
  'timeout',
  'blocked',
  'spam_content',
  'relaying_denied',
  'transient',
  'undetermined',
] as const;

/** The classes that are told apart. */
export type BounceKind = (typeof BOUNCE_KINDS)[number];

/** A classified refusal. */
export interface BounceClassification {
  readonly kind: BounceKind;
  readonly bounceClass: 'hard' | 'soft';
}

const HARD: ReadonlySet<BounceKind> = new Set(['invalid_recipient', 'mailbox_inactive']);

/** By enhanced status, the first digit aside; what a status leaves open is told by the words. */
const STATUSES: Readonly<Partial<Record<BounceKind, readonly string[]>>> = {
  invalid_recipient: ['1.0', '1.1', '1.2', '1.3', '1.4', '1.6', '1.10'],
  blocked: ['1.7', '1.8'],
  mailbox_inactive: ['2.1'],
  mailbox_full: ['2.2'],
  too_large: ['2.3', '3.4'],
  transient: ['3.1', '3.2', '4.5'],
  timeout: ['4.1', '4.2', '4.7'],
  dns_failure: ['4.3', '4.4'],
  undetermined: ['4.6'],
};

/**
 * In this order: a block is often worded like a missing mailbox, and a missing mailbox like a refusal. Nothing here
 * repeats without a bound, for what is read comes from anywhere.
 */
const BY_WORDS: readonly (readonly [BounceKind, RegExp])[] = [
  [
    'mailbox_full',
    /mailbox (?:is )?(?:full|exceeded)|(?:over|exceed(?:s|ed|ing)?|out of)[^.]{0,40}(?:quota|storage)|quota exceeded|insufficient (?:system )?storage/i,
  ],
  [
    'blocked',
    /black ?list|block ?list|blocked|\brbl\b|\bdnsbl\b|spamhaus|barracuda|reputation|banned|poor sender|sender (?:address )?(?:rejected|refused|denied|verif)|client host rejected|too many (?:connections|messages)|rate.?limit|throttl|\bspf\b|\bdkim\b|\bdmarc\b|unauthenticated|grey ?list/i,
  ],
  [
    'spam_content',
    /\bspam\b|content reject|virus|malware|prohibited|attachment (?:type )?not allowed|policy violation/i,
  ],
  [
    'relaying_denied',
    /relay(?:ing)? (?:access )?denied|relay not permitted|unable to relay|not permitted to relay/i,
  ],
  [
    'too_large',
    /message (?:is )?too (?:large|big)|size (?:limit )?exceed|exceeds? (?:the )?(?:maximum|fixed) (?:message )?size/i,
  ],
  [
    'mailbox_inactive',
    /(?:account|mailbox|user|recipient|address)[^.]{0,40}(?:disabled|inactive|suspended|deactivated|expired|no longer)|no longer (?:available|active|accepts|works|employed)/i,
  ],
  [
    'invalid_recipient',
    /(?:user|recipient|mailbox|address|account|alias|inbox|addressee)[^.]{0,60}(?:unknown|not found|not (?:exist|be found)|doesn'?t exist|does not exist|invalid|unavailable|not listed|rejected|not (?:our|a valid|known|local|here))|(?:unknown|invalid|no such|non-?existent|not a valid|bad|nonexistent) (?:local |virtual |virtual mailbox |e?-?mail )?(?:user|recipient|mailbox|address|account|person|destination)|no mailbox (?:here )?by that name|does not like recipient|doesn't have a[^.]{0,40}account|delivery to the following recipients? failed permanently|unrouteable address|undeliverable address/i,
  ],
  [
    'dns_failure',
    /host (?:or domain name )?(?:not found|unknown)|domain (?:name )?(?:not found|does not exist)|couldn'?t find any host|no such (?:host|domain)|no mx|dns (?:error|failure|lookup)|name service error|unable to (?:resolve|route)/i,
  ],
  [
    'timeout',
    /timed? ?out|expired|no route to host|connection refused|queue too long|could not be delivered (?:for|within|after)|retry time/i,
  ],
];

/** By reply code alone (RFC 5321 section 4.2.3, RFC 7504). */
const BY_CODE: Readonly<Record<number, BounceKind>> = {
  521: 'invalid_recipient',
  550: 'invalid_recipient',
  551: 'invalid_recipient',
  552: 'mailbox_full',
  553: 'invalid_recipient',
  556: 'invalid_recipient',
};

/** Classifies a refusal that was final for the message. */
export function classifyBounce({ code, status, text }: Refusal): BounceClassification {
  const kind = kindOf(code, status, text);
  const isTransient = status?.startsWith('4.') ?? (code !== null && code < 500);
  // Whoever says "later" has not said "never".
  const isHard = HARD.has(kind) && !isTransient;
  return { kind, bounceClass: isHard ? 'hard' : 'soft' };
}

function kindOf(code: number | null, status: string | null, text: string): BounceKind {
  const detail = status?.slice(2) ?? '';
  const byStatus = BOUNCE_KINDS.find((kind) => STATUSES[kind]?.includes(detail));
  if (byStatus !== undefined) return byStatus;
  const byWords = BY_WORDS.find(([, words]) => words.test(text))?.[0];
  // Security and policy (5.7.x) and content (5.6.x) are about the message or its sender, unless the words say more.
  if (detail.startsWith('7.')) return byWords === undefined || byWords === 'timeout' ? 'blocked' : byWords;
  if (detail.startsWith('6.')) return byWords ?? 'spam_content';
  if (byWords !== undefined) return byWords;
  if (code !== null && BY_CODE[code] !== undefined) return BY_CODE[code];
  if (status?.startsWith('4.') || (code !== null && code < 500)) return 'transient';
  return 'undetermined';
}
