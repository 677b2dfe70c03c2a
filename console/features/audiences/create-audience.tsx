import create from 'operation:audiences.create';
import { useNavigate } from '@tanstack/react-router';
import type { schemas } from '../../../sdk/src/index.ts';
import { DraftFrame } from '../../drafts/draft-frame.tsx';
import { useDraft } from '../../drafts/use-draft.ts';
import { OperationForm } from '../../forms/operation-form.tsx';
import { UnitField } from '../../forms/unit-field.tsx';
import { useForm } from '../../forms/use-form.ts';
import { useApi } from '../../session/session-context.tsx';
import { useInvalidate } from '../../session/use-tenant-query.ts';
import { Drawer } from '../../ui/drawer.tsx';
import { toasts } from '../../ui/toasts.tsx';
import { audienceFields, NEW_AUDIENCE } from './audience-draft.ts';
import { withoutEmptyItems } from './audience-filters.ts';
import { AudienceFormFields } from './audience-form-fields.tsx';
import { audienceRoute } from './index.ts';
import { texts } from './texts.ts';

const { translate } = texts;
/** An audience by conditions: the usual kind. */
const EMPTY: Partial<schemas.AudienceCreate> = { filters: {} };

interface CreateAudienceDrawerProps {
  readonly isOpen: boolean;
  readonly onClose: () => void;
}

/** The drawer that creates an audience. */
export function CreateAudienceDrawer({ isOpen, onClose }: CreateAudienceDrawerProps) {
  return (
    <Drawer title={translate('create.title')} isOpen={isOpen} onClose={onClose}>
      <CreateForm />
    </Drawer>
  );
}

function CreateForm() {
  const api = useApi();
  const invalidate = useInvalidate();
  const navigate = useNavigate();
  const draft = useDraft({ ...NEW_AUDIENCE, saved: EMPTY, fields: audienceFields() });
  const form = useForm({
    operation: create,
    call: ({ filters, ...body }: schemas.AudienceCreate, once) =>
      draft.save(() =>
        api.audiences.create({ ...body, ...(filters ? { filters: withoutEmptyItems(filters) } : {}) }, once),
      ),
    value: draft.value,
    onChange: draft.set,
    onDone: async (saved) => {
      if (saved === null) return;
      await invalidate('audiences');
      toasts.add({ title: translate('created.done', { name: draft.value.name ?? '' }) });
      await navigate({
        from: '/t/$tenant',
        to: audienceRoute.to,
        params: (before) => ({ ...before, audienceId: saved.reply.id }),
      });
    },
  });
  return (
    <DraftFrame draft={draft}>
      <OperationForm form={form} action={translate('create')} isKept>
        <UnitField form={form} />
        <AudienceFormFields form={form} unit={draft.value.business_unit ?? undefined} />
      </OperationForm>
    </DraftFrame>
  );
}
