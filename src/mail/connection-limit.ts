/** Limit of simultaneous connections to a relay, learned from its refusals. */

/** Time without a refusal after which the limit grows by one, in ms. */
const GROW_AFTER_MS = 60_000;
const SERVICE_CLOSING = 421;

/** Texts of relays that refuse a connection because too many are open. */
const TOO_MANY =
  /too many (?:\w+ ){0,3}(?:connections?|sessions?|clients?)|excessive connections|(?:only )?one (?:connection|session) at a time|(?:another|other) (?:connection|session)|(?:sender|client) thread limit|server ports are busy|(?:concurren|simultaneous|maximum|max\b|limit)[^\n]{0,60}(?:connections?|sessions?)|(?:connections?|sessions?)[^\n]{0,60}(?:concurren|simultaneous|exceed|limit|maximum|too many)|(?:connection|session|concurrency)s? limit|zu viele (?:\w+ ){0,2}verbindungen|trop de connexions|demasiadas conexiones|troppe connessioni|muitas conex|zbyt wiele po|te veel verbindingen|слишком много (?:\S+ )?соединений|接続数|連接(?:数|數|过|過)|连接(?:数|过)/i;
/** Texts that always mean too many connections. */
const UNAMBIGUOUS = /too many (?:\w+ ){0,3}(?:connections|sessions)|concurren|simultaneous/i;
/** Limits of one connection: a lower number of connections does not help. */
const PER_CONNECTION =
  /too many recipients|(?:messages?|mails?|recipients?|commands?|errors?)\b[^\n]{0,20} (?:per|on|in|for|during) (?:this |the |a |one )?(?:connection|session)|\bidle (?:for|time|session|connection)/i;

/** True if the relay refused a connection because too many are open. `hasOthers`: this process has others open. */
export function isConnectionLimitError(error: unknown, hasOthers: boolean): boolean {
  if (!(error instanceof Error)) return false;
  const code: unknown = Reflect.get(error, 'responseCode');
  if (typeof code !== 'number' || code < 400) return false;
  const response: unknown = Reflect.get(error, 'response');
  const text = typeof response === 'string' ? response : error.message;
  if (TOO_MANY.test(text) && (UNAMBIGUOUS.test(text) || !PER_CONNECTION.test(text))) return true;
  return code === SERVICE_CLOSING && hasOthers && Reflect.get(error, 'command') === 'CONN';
}

/** The number of connections that may be open. Times are on the clock of `performance.now`. */
export class ConnectionLimit {
  readonly #maximum: number;
  #current: number;
  #changedAt = 0;

  constructor(maximum: number) {
    this.#maximum = maximum;
    this.#current = maximum;
  }

  /** Connections that may be open now. */
  get value(): number {
    return this.#current;
  }

  /** True while the limit is lower than configured. */
  get isLowered(): boolean {
    return this.#current < this.#maximum;
  }

  /** Lowers the limit to the connections that were open when the relay refused another one. */
  lower(openConnections: number, now: number): void {
    this.#current = Math.max(1, Math.min(openConnections, this.#current));
    this.#changedAt = now;
  }

  /** Records a sent message. Raises the limit by one if it was not changed for GROW_AFTER_MS; returns true then. */
  recordSuccess(now: number): boolean {
    if (!this.isLowered || now - this.#changedAt < GROW_AFTER_MS) return false;
    this.#current += 1;
    this.#changedAt = now;
    return true;
  }
}
