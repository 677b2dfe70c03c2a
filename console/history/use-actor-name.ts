import type { schemas } from '../../sdk/src/index.ts';
import { useSession } from '../session/session-context.tsx';
import { useTenantQuery } from '../session/use-tenant-query.ts';
import { historyTexts } from './texts.ts';

const { translate } = historyTexts;

/** Returns a function that names the author of a change. */
export function useActorName(): (actor: schemas.Actor | null) => string {
  const { user } = useSession();
  const { data } = useTenantQuery(['member-names'], (api, options) => api.members.names(options));
  const members = new Map(data?.results.map((member) => [member.membership_id, member]));
  return (actor) => {
    if (actor === null) return translate('actor.unknown');
    const { kind } = actor;
    if (kind === 'automation') return translate('actor.automation', { key: actor.key ?? '' });
    if (kind !== 'member') return translate(`actor.${kind}`);
    if (data === undefined) return '';
    const member = members.get(actor.membership_id ?? '');
    if (member === undefined) return translate('actor.former');
    return member.user_id === user.id ? translate('actor.you', { name: member.name }) : member.name;
  };
}
