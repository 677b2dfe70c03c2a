/** The part of the page to sign in, choose a reference, and sign out. */
import type { Login, SignInOutcome } from './session.ts';

/** The visible reference: of the service, or of the user's own entities. */
export type ReferenceChoice = 'service' | 'own';

/** Text below the buttons: a note or an error. */
export interface StatusMessage {
  readonly note?: string;
  readonly problem?: string;
}

/** Actions of the buttons. */
export interface AccountActions {
  signIn(login: Login): Promise<SignInOutcome>;
  /** Shows a reference and returns a message about it. A problem means that it is not shown. */
  show(choice: ReferenceChoice): Promise<StatusMessage>;
  signOut(): void;
}

/** The account part of the page. */
export interface Account {
  /** Shows that the session has ended and asks for the password again. */
  showSessionEnded(): void;
  /** Signs out if a user is signed in. */
  leave(): void;
}

/** Connects the elements of the account part. */
export function connectAccount(actions: AccountActions): Account {
  const parts = findParts();
  const { signedOut, form, email, tenant, signedIn, userName, own, service, notice, status } = parts;
  const setSignedIn = (isSignedIn: boolean) => {
    form.reset();
    tenant.disabled = true;
    signedOut.hidden = isSignedIn;
    signedIn.hidden = !isSignedIn;
  };
  const showStatus = ({ note = '', problem = '' }: StatusMessage = {}) => {
    status.textContent = note;
    notice.textContent = problem;
  };
  const show = async (choice: ReferenceChoice) => {
    showStatus({ note: 'Loading …' });
    const message = await actions.show(choice);
    // The session may have ended meanwhile, which is already shown.
    if (signedIn.hidden) return;
    if (message.problem !== undefined) service.checked = true;
    showStatus(message);
  };
  onSubmit(parts, actions, showStatus, async (user) => {
    setSignedIn(true);
    signedOut.open = false;
    userName.textContent = `Signed in as ${user}`;
    own.checked = true;
    userName.focus();
    await show('own');
  });
  const leave = () => {
    if (signedIn.hidden) return;
    actions.signOut();
    setSignedIn(false);
    showStatus({ note: 'You have signed out.' });
  };
  own.addEventListener('change', () => show('own'));
  service.addEventListener('change', () => show('service'));
  parts.leave.addEventListener('click', () => {
    leave();
    parts.summary.focus();
  });
  parts.section.hidden = false;
  return {
    leave,
    showSessionEnded() {
      setSignedIn(false);
      signedOut.open = true;
      showStatus({ problem: 'Your session has ended. Sign in again.' });
      email.focus();
    },
  };
}

/** Signs in with the values of the form, one attempt at a time. */
function onSubmit(
  { form, email, password, tenant, tenantCode }: Parts,
  { signIn }: AccountActions,
  showStatus: (message?: StatusMessage) => void,
  onSignedIn: (user: string) => Promise<void>,
): void {
  let isBusy = false;
  const attempt = async () => {
    showStatus({ note: 'Signing in …' });
    const code = tenant.disabled ? {} : { tenant_code: tenantCode.value.trim() };
    const outcome = await signIn({ email: email.value.trim(), password: password.value, ...code });
    showStatus();
    switch (outcome.kind) {
      case 'signed-in':
        return onSignedIn(`${outcome.name} (${outcome.email})`);
      case 'which-tenant':
        tenant.disabled = false;
        showStatus({ problem: 'You belong to several tenants. Which one? Its owner knows the code.' });
        return tenantCode.focus();
      default:
        showStatus({ problem: outcome.message });
        password.focus();
        return password.select();
    }
  };
  form.addEventListener('submit', async (event) => {
    event.preventDefault();
    if (isBusy) return;
    isBusy = true;
    await attempt();
    isBusy = false;
  });
}

type Parts = ReturnType<typeof findParts>;

function findParts() {
  return {
    section: find('account', HTMLElement),
    signedOut: find('account-stranger', HTMLDetailsElement),
    summary: find('account-summary', HTMLElement),
    form: find('account-form', HTMLFormElement),
    email: find('account-email', HTMLInputElement),
    password: find('account-password', HTMLInputElement),
    /** Disabled and hidden unless the user belongs to several tenants. */
    tenant: find('account-tenant', HTMLFieldSetElement),
    tenantCode: find('account-tenant-code', HTMLInputElement),
    signedIn: find('account-member', HTMLElement),
    userName: find('account-who', HTMLElement),
    own: find('account-own', HTMLInputElement),
    service: find('account-service', HTMLInputElement),
    leave: find('account-leave', HTMLButtonElement),
    notice: find('account-notice', HTMLElement),
    status: find('account-status', HTMLElement),
  };
}

/** Finds an element of the page. @throws Error if it is missing, as page and script are built together. */
function find<E extends HTMLElement>(id: string, kind: new () => E): E {
  const element = document.getElementById(id);
  if (element instanceof kind) return element;
  throw new Error(`The reference has no element #${id}.`);
}
