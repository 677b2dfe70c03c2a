import replace from 'operation:subscribers.replace';
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
import { bodyOf } from './subscriber-body.ts';
import { SUBSCRIBER, subscriberFields } from './subscriber-draft.ts';
import { SubscriberFormFields } from './subscriber-form-fields.tsx';
import { useTakenAddress } from './taken-address.tsx';
import { texts } from './texts.ts';

const { translate } = texts;

interface EditSubscriberDrawerProps {
  readonly subscriber: schemas.Subscriber;
  readonly isOpen: boolean;
  readonly onClose: () => void;
}

/** The drawer that changes a subscriber. */
export function EditSubscriberDrawer({ subscriber, isOpen, onClose }: EditSubscriberDrawerProps) {
  return (
    <Drawer title={translate('edit.title')} description={subscriber.email} isOpen={isOpen} onClose={onClose}>
      <EditForm subscriber={subscriber} onDone={onClose} />
    </Drawer>
  );
}

interface EditFormProps {
  readonly subscriber: schemas.Subscriber;
  readonly onDone: () => void;
}

function EditForm({ subscriber, onDone }: EditFormProps) {
  const { id } = subscriber;
  const api = useApi();
  const invalidate = useInvalidate();
  const draft = useDraft({
    type: SUBSCRIBER,
    itemKey: id,
    saved: useMemo(() => bodyOf(subscriber), [subscriber]),
    read: async () => bodyOf(await api.subscribers.get(id)),
    fields: subscriberFields(),
  });
  const taken = useTakenAddress();
  const form = useForm<schemas.SubscriberReplace, Saved<schemas.IdReply> | null>({
    operation: replace,
    path: [id],
    call: () => draft.save((sent) => api.subscribers.replace(id, sent)),
    value: draft.value,
    onChange: draft.change,
    explain: taken.explain,
    onDone: async (saved) => {
      if (saved === null) return;
      await invalidate('subscribers');
      toasts.add({ title: translate('saved', { email: draft.value.email }) });
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
        <SubscriberFormFields form={form} taken={taken} />
      </OperationForm>
    </DraftFrame>
  );
}
