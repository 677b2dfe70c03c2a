import { useState } from 'react';
import { Tessera, TesseraError } from '../../sdk/src/index.ts';
import { SERVER_URL } from '../base-path.ts';
import { useSessionState, useSessionStore } from '../session/session-context.tsx';
import type { PasswordReason } from '../session/session-store.ts';
import { Button } from '../ui/button.tsx';
import { Dialog } from '../ui/dialog.tsx';
import { DialogForm } from '../ui/dialog-form.tsx';
import { PasswordField } from '../ui/password-field.tsx';
import { TextLink } from '../ui/text-link.tsx';
import classes from './password-prompt.module.css';
import { shellTexts } from './texts.ts';

const { translate } = shellTexts;

interface PasswordPromptProps {
  readonly reason: PasswordReason;
}

/**
 * A dialog that asks for the user's password while calls wait for it. The page below keeps its content, and the calls
 * continue afterwards.
 */
export function PasswordPrompt({ reason }: PasswordPromptProps) {
  const store = useSessionStore();
  const isConfirmation = reason === 'confirmation';
  return (
    <Dialog
      title={translate(isConfirmation ? 'confirm.title' : 'again.title')}
      isOpen
      {...(isConfirmation ? { onClose: () => store.cancelConfirmation() } : {})}
    >
      <PasswordForm reason={reason} />
    </Dialog>
  );
}

function PasswordForm({ reason }: PasswordPromptProps) {
  const { user } = useSessionState().session;
  const [password, setPassword] = useState('');
  const { send, error, isPending } = useSend(reason);
  return (
    <DialogForm
      text={translate(reason === 'confirmation' ? 'confirm.text' : 'again.text')}
      onSubmit={() => void send(password)}
      actions={
        <>
          {reason === 'confirmation' ? null : (
            <div className={classes.start}>
              <TextLink href="/sign-in" isExternal>
                {translate('again.other')}
              </TextLink>
            </div>
          )}
          <Button type="submit" variant="primary" isPending={isPending}>
            {translate(reason === 'confirmation' ? 'confirm.action' : 'again.sign-in')}
          </Button>
        </>
      }
    >
      <input type="email" autoComplete="username" value={user.email} readOnly hidden />
      <PasswordField
        label={translate('again.password', { email: user.email })}
        autoComplete="current-password"
        value={password}
        onChange={setPassword}
        error={error}
        autoFocus
      />
    </DialogForm>
  );
}

/** Sends the password, and lets the waiting calls continue if it is correct. */
function useSend(reason: PasswordReason) {
  const store = useSessionStore();
  const [error, setError] = useState<string | null>(null);
  const [isPending, setPending] = useState(false);
  const send = async (password: string) => {
    setPending(true);
    setError(null);
    const { session } = store.state();
    // The store's `fetch` would wait for this dialog.
    const { browserSessions } = new Tessera({ url: SERVER_URL, session: { csrfToken: session.csrf_token } });
    try {
      if (reason === 'confirmation') {
        const { confirmed_until } = await browserSessions.confirm({ password });
        store.replace({ ...session, confirmed_until });
      } else {
        store.replace(await browserSessions.create({ email: session.user.email, password }));
      }
    } catch (cause) {
      setError(describe(cause));
      setPending(false);
    }
  };
  return { send, error, isPending };
}

function describe(cause: unknown): string {
  if (!(cause instanceof TesseraError)) throw cause;
  const isWrong = cause.status === 401 || cause.issues.some(({ field }) => field === 'password');
  return isWrong ? translate('again.wrong') : translate('again.failed', { message: cause.message });
}
