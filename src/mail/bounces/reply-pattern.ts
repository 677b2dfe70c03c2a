import type { BounceKind } from './bounce-kinds.ts';

/** Pattern of replies with the same meaning. */
export interface ReplyPattern {
  readonly kind: BounceKind;
  readonly words: RegExp;
  /** Servers that send such replies. */
  readonly source: string;
}
