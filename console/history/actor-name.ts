import type { schemas } from '../../sdk/src/index.ts';
import { historyTexts } from './texts.ts';

const { translate } = historyTexts;

/** Returns the name of the author of a change. `userId` is the user who reads it. */
export function actorName(actor: schemas.Actor | null, userId: string): string {
  if (actor === null) return translate('actor.unknown');
  const { kind, name, user_id, key = '' } = actor;
  if (kind === 'automation') return translate('actor.automation', { key });
  if (kind !== 'member') return translate(`actor.${kind}`);
  if (name === undefined) return translate('actor.former');
  return user_id === userId ? translate('actor.you', { name }) : name;
}
