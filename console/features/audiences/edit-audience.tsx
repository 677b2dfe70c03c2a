import replace from 'operation:audiences.replace';
import { useMemo } from 'react';
import type { schemas } from '../../../sdk/src/index.ts';
import { DraftFrame } from '../../drafts/draft-frame.tsx';
import { UndoButtons } from '../../drafts/undo-buttons.tsx';
import { type Saved, useDraft } from '../../drafts/use-draft.ts';
import { OperationForm } from '../../forms/operation-form.tsx';
import { useForm } from '../../forms/use-form.ts';
import { useApi } from '../../session/session-context.tsx';
import { useInvalidate } from '../../session/use-tenant-query.ts';
import { Drawer } from '../../ui/drawer.tsx';
import { toasts } from '../../ui/toasts.tsx';
import { AUDIENCE, audienceFields } from './audience-draft.ts';
import { withoutEmptyItems } from './audience-filters.ts';
import { AudienceFormFields } from './audience-form-fields.tsx';
import { texts } from './texts.ts';

const { translate } = texts;

interface EditAudienceDrawerProps {
  readonly audience: schemas.Audience;
  readonly isOpen: boolean;
  readonly onClose: () => void;
}

/** The drawer that changes an audience. */
export function EditAudienceDrawer({ audience, isOpen, onClose }: EditAudienceDrawerProps) {
  return (
    <Drawer title={translate('edit.title')} description={audience.name} isOpen={isOpen} onClose={onClose}>
      <EditForm audience={audience} onDone={onClose} />
    </Drawer>
  );
}

function EditForm({
  audience,
  onDone,
}: {
  readonly audience: schemas.Audience;
  readonly onDone: () => void;
}) {
  const { id } = audience;
  const api = useApi();
  const invalidate = useInvalidate();
  const draft = useDraft({
    type: AUDIENCE,
    itemKey: id,
    saved: useMemo(() => bodyOf(audience), [audience]),
    read: async () => bodyOf(await api.audiences.get(id)),
    fields: audienceFields(),
  });
  const form = useForm<schemas.AudienceReplace, Saved<schemas.IdReply> | null>({
    operation: replace,
    path: [id],
    call: () => draft.save((sent) => api.audiences.replace(id, withoutEmpty(sent))),
    value: draft.value,
    onChange: draft.change,
    onDone: async (saved) => {
      if (saved === null) return;
      await invalidate('audiences');
      toasts.add({ title: translate('saved', { name: draft.value.name }) });
      onDone();
    },
  });
  return (
    <DraftFrame draft={draft}>
      <OperationForm
        form={form}
        action={translate('edit.action')}
        isKept
        secondary={<UndoButtons draft={draft} />}
      >
        <AudienceFormFields form={form} unit={audience.business_unit} />
      </OperationForm>
    </DraftFrame>
  );
}

/** Returns the body that stores an audience as it is. */
function bodyOf({ name, description, filters, version }: schemas.Audience): schemas.AudienceReplace {
  return { name, description, filters: filters ?? null, version };
}

function withoutEmpty({ filters, ...body }: schemas.AudienceReplace): schemas.AudienceReplace {
  return { ...body, filters: filters ? withoutEmptyItems(filters) : null };
}
