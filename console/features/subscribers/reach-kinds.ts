import type { schemas } from '../../../sdk/src/index.ts';
import { texts } from './texts.ts';

const { translate } = texts;

/** A kind of mail, and whether the subscriber gets it. */
export interface KindOfMail {
  readonly group: 'transactional' | 'without_type' | 'type';
  /** Subscription type; null for the other groups. */
  readonly typeId: string | null;
  readonly name: string;
  /** Explanation; empty for types, which have names of their own. */
  readonly help: string;
  readonly ok: boolean;
  readonly reasons: readonly schemas.ReachReason[];
}

/** A reason with the kinds of mail that it stops. */
export interface StoppedMail {
  readonly reason: schemas.ReachReason;
  /** Type that the subscriber left; null for reasons that concern several kinds. */
  readonly typeId: string | null;
  readonly kinds: readonly KindOfMail[];
  /** The part of all mail that it stops. */
  readonly extent: 'all' | 'marketing' | 'some';
}

/** Returns all kinds of mail in the order of the page. */
export function kindsOf({ transactional, without_type, types }: schemas.SubscriberReach): KindOfMail[] {
  return [
    ...types.map(({ id, ...type }) => ({ group: 'type' as const, typeId: id, help: '', ...type })),
    {
      group: 'without_type',
      typeId: null,
      name: translate('reach.without-type'),
      help: translate('reach.without-type.help'),
      ...without_type,
    },
    {
      group: 'transactional',
      typeId: null,
      name: translate('reach.transactional'),
      help: translate('reach.transactional.help'),
      ...transactional,
    },
  ];
}

/** Returns each reason once, with the mail that it stops. An unsubscribe concerns only its own type. */
export function reasonsOf(kinds: readonly KindOfMail[]): StoppedMail[] {
  const found = new Map<
    string,
    { reason: schemas.ReachReason; typeId: string | null; kinds: KindOfMail[] }
  >();
  for (const kind of kinds)
    for (const reason of kind.reasons) {
      const typeId = reason.code === 'unsubscribed' ? kind.typeId : null;
      const key = `${reason.code} ${typeId}`;
      const entry = found.get(key) ?? { reason, typeId, kinds: [] };
      entry.kinds.push(kind);
      found.set(key, entry);
    }
  return [...found.values()].map((entry) => ({ ...entry, extent: extentOf(entry.kinds, kinds) }));
}

function extentOf(stopped: readonly KindOfMail[], all: readonly KindOfMail[]): StoppedMail['extent'] {
  if (stopped.length === all.length) return 'all';
  const marketing = all.filter(({ group }) => group !== 'transactional');
  return marketing.length > 1 && marketing.every((kind) => stopped.includes(kind)) ? 'marketing' : 'some';
}
