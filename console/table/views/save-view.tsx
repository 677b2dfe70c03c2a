import create from 'operation:views.create';
import patch from 'operation:views.patch';
import { useState } from 'react';
import type { schemas } from '../../../sdk/src/index.ts';
import { ApiCallButton } from '../../forms/api-call/api-call-button.tsx';
import { useAction } from '../../forms/use-action.ts';
import { useApi } from '../../session/session-context.tsx';
import { useInvalidate } from '../../session/use-tenant-query.ts';
import { Banner } from '../../ui/banner.tsx';
import { Button } from '../../ui/button.tsx';
import { Checkbox } from '../../ui/checkbox.tsx';
import { Dialog } from '../../ui/dialog.tsx';
import { DialogForm } from '../../ui/dialog-form.tsx';
import { TextField } from '../../ui/text-field.tsx';
import { toasts } from '../../ui/toasts.tsx';
import { tableTexts } from '../texts.ts';
import { useSharingReason } from './use-sharing-reason.ts';

const { translate } = tableTexts;

interface SaveFormProps {
  readonly screen: string;
  /** Content of the table as text. */
  readonly query: string;
  readonly views: readonly schemas.ListedView[];
  readonly onClose: () => void;
}

interface SaveViewProps extends SaveFormProps {
  readonly isOpen: boolean;
}

/** Saves what the table shows under a name. The name of a view that the user may change replaces that view. */
export function SaveView({ isOpen, onClose, ...form }: SaveViewProps) {
  return (
    <Dialog title={translate('views.save.title')} isOpen={isOpen} onClose={onClose}>
      <SaveForm onClose={onClose} {...form} />
    </Dialog>
  );
}

function SaveForm({ screen, query, views, onClose }: SaveFormProps) {
  const [name, setName] = useState('');
  const [isShared, setShared] = useState<boolean | null>(null);
  const api = useApi();
  const invalidate = useInvalidate();
  const sharingReason = useSharingReason();
  const title = name.trim();
  const replaced = views.find((view) => view.can_change && view.name === title);
  const shared = isShared ?? replaced?.shared ?? false;
  const { run, isPending } = useAction(async () => {
    if (replaced === undefined) await api.views.create({ screen, name: title, query, shared });
    else await api.views.patch(replaced.id, { query, shared, version: replaced.version });
    await invalidate('views');
    onClose();
    toasts.add({ title: translate('views.saved', { name: title }) });
  });
  return (
    <DialogForm
      text={translate('views.save.text')}
      onSubmit={() => {
        if (title !== '') run();
      }}
      actions={
        <>
          {replaced === undefined ? (
            <ApiCallButton operation={create} body={{ screen, name: title, query, shared }} />
          ) : (
            <ApiCallButton operation={patch} path={[replaced.id]} body={{ query, shared }} />
          )}
          <Button type="submit" variant="primary" isPending={isPending} isDisabled={title === ''}>
            {translate(replaced === undefined ? 'views.save.action' : 'views.replace.action')}
          </Button>
        </>
      }
    >
      <TextField
        label={translate('views.name')}
        value={name}
        onChange={setName}
        maxLength={100}
        autoComplete="off"
        autoFocus
      />
      <Checkbox
        label={translate('views.share')}
        isSelected={shared}
        onChange={setShared}
        disabledReason={sharingReason}
      />
      {replaced === undefined ? null : (
        <Banner tone="neutral" isLive>
          {translate('views.replace', { name: title })}
        </Banner>
      )}
    </DialogForm>
  );
}
