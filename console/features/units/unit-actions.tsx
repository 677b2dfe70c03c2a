import { useNavigate } from '@tanstack/react-router';
import type { schemas } from '../../../sdk/src/index.ts';
import { useAction } from '../../forms/use-action.ts';
import { useApi, useMembership } from '../../session/session-context.tsx';
import { useRefreshSession } from '../../session/use-refresh-session.ts';
import { useInvalidate } from '../../session/use-tenant-query.ts';
import { ownerReason } from '../../shell/owner-reason.ts';
import { Button } from '../../ui/button.tsx';
import { toasts } from '../../ui/toasts.tsx';
import { unitsRoute } from './index.ts';
import { texts } from './texts.ts';

const { translate } = texts;

interface UnitActionsProps {
  readonly unit: schemas.BusinessUnit;
  readonly isArchived: boolean;
}

/** Renames, archives and restores a unit. The default unit allows neither. */
export function UnitActions({ unit: { bu_id, name, is_default }, isArchived }: UnitActionsProps) {
  const api = useApi();
  const invalidate = useInvalidate();
  const refreshSession = useRefreshSession();
  const navigate = useNavigate({ from: unitsRoute.fullPath });
  const reason = ownerReason(useMembership()) ?? (is_default ? translate('default.help') : undefined);
  const set = async (archive: boolean) => {
    await (archive ? api.businessUnits.archive(bu_id) : api.businessUnits.restore(bu_id));
    await Promise.all([invalidate('units'), refreshSession()]);
  };
  const { run, isPending } = useAction(async () => {
    await set(!isArchived);
    toasts.add({
      title: translate(isArchived ? 'restored.done' : 'archived.done', { name }),
      undo: () => set(isArchived),
    });
  });
  return (
    <>
      {isArchived ? null : (
        <Button
          size="small"
          variant="quiet"
          disabledReason={reason}
          onPress={() => void navigate({ search: { edit: bu_id } })}
        >
          {translate('rename')}
        </Button>
      )}
      <Button size="small" variant="quiet" disabledReason={reason} onPress={run} isPending={isPending}>
        {translate(isArchived ? 'restore' : 'archive')}
      </Button>
    </>
  );
}
