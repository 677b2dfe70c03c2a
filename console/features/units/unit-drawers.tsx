import create from 'operation:business_units.create';
import rename from 'operation:business_units.rename';
import { useNavigate } from '@tanstack/react-router';
import type { schemas } from '../../../sdk/src/index.ts';
import { DraftFrame } from '../../drafts/draft-frame.tsx';
import { useDraft } from '../../drafts/use-draft.ts';
import { FormField } from '../../forms/form-field.tsx';
import { OperationForm } from '../../forms/operation-form.tsx';
import { useEditForm } from '../../forms/use-edit-form.ts';
import { useForm } from '../../forms/use-form.ts';
import { useApi } from '../../session/session-context.tsx';
import { useRefreshSession } from '../../session/use-refresh-session.ts';
import { useInvalidate } from '../../session/use-tenant-query.ts';
import { Drawer } from '../../ui/drawer.tsx';
import { toasts } from '../../ui/toasts.tsx';
import { unitsRoute } from './index.ts';
import { texts } from './texts.ts';

const { translate } = texts;
const EMPTY_UNIT: Partial<schemas.UnitCreate> = {};

/** The draft of a unit that does not exist yet. */
export const NEW_UNIT = { type: 'business_unit', itemKey: null };

/** The drawers that create and rename a unit; the URL says which one is open. */
export function UnitDrawers({ units }: { readonly units: readonly schemas.BusinessUnit[] }) {
  const { new: isNew = false, edit } = unitsRoute.useSearch();
  const navigate = useNavigate({ from: unitsRoute.fullPath });
  const close = () => void navigate({ search: {} });
  const edited = units.find((unit) => unit.bu_id === edit);
  return (
    <>
      <Drawer title={translate('create.title')} isOpen={isNew} onClose={close}>
        <CreateForm onDone={close} />
      </Drawer>
      <Drawer
        title={translate('rename.title', { name: edited?.name ?? '' })}
        isOpen={edited !== undefined}
        onClose={close}
      >
        {edited === undefined ? null : <RenameForm unit={edited} onDone={close} />}
      </Drawer>
    </>
  );
}

function CreateForm({ onDone }: { readonly onDone: () => void }) {
  const api = useApi();
  const refresh = useRefreshUnits();
  const draft = useDraft({
    ...NEW_UNIT,
    saved: EMPTY_UNIT,
    fields: { name: { label: translate('create.name') }, slug: { label: translate('create.slug') } },
  });
  const { value } = draft;
  const form = useForm({
    operation: create,
    call: (body: schemas.UnitCreate, once) => draft.save(() => api.businessUnits.create(body, once)),
    value,
    onChange: draft.set,
    onDone: async () => {
      await refresh();
      toasts.add({ title: translate('created', { name: value.name ?? '' }) });
      onDone();
    },
  });
  return (
    <DraftFrame draft={draft}>
      <OperationForm form={form} action={translate('create.action')} isKept>
        <FormField form={form} name="name" label={translate('create.name')} autoFocus />
        <FormField
          form={form}
          name="slug"
          label={translate('create.slug')}
          help={translate('create.slug.help')}
          formatText={translate('create.slug.format')}
          isMono
        />
      </OperationForm>
    </DraftFrame>
  );
}

interface RenameFormProps {
  readonly unit: schemas.BusinessUnit;
  readonly onDone: () => void;
}

function RenameForm({ unit: { bu_id, name }, onDone }: RenameFormProps) {
  const api = useApi();
  const refresh = useRefreshUnits();
  const form = useEditForm({
    operation: rename,
    path: [bu_id],
    saved: { name },
    call: (body: schemas.UnitRename) => api.businessUnits.rename(bu_id, body),
    onDone: async () => {
      await refresh();
      toasts.add({ title: translate('renamed', { name: form.value.name ?? '' }) });
      onDone();
    },
  });
  return (
    <OperationForm form={form} action={translate('rename.action')}>
      <FormField form={form} name="name" label={translate('create.name')} autoFocus />
    </OperationForm>
  );
}

/** Returns a function that reads the units again, in the list and in the switch of the top bar. */
function useRefreshUnits() {
  const invalidate = useInvalidate();
  const refreshSession = useRefreshSession();
  return () => Promise.all([invalidate('units'), refreshSession()]);
}
