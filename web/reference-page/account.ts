/** The part of the page where somebody signs in, chooses which reference is shown, and signs out. */
import type { Login, SignInOutcome } from './session.ts';

/** Which reference the page shows: that of the service, or that of one's own entities. */
export type Shown = 'service' | 'own';

/** Text below the buttons: a note or an error. */
export interface Told {
  readonly note?: string;
  readonly problem?: string;
}

/** Actions of the buttons. */
export interface AccountActions {
  signIn(login: Login): Promise<SignInOutcome>;
  /** Shows a reference, and gives what there is to say of it; with a problem, it is not shown. */
  show(shown: Shown): Promise<Told>;
  signOut(): void;
}

/** The part of the page, once it is alive. */
export interface Account {
  /** Says that the session has ended, and asks for the password again. */
  tellEnded(): void;
  /** Signs out whoever is signed in. */
  leave(): void;
}

/** Brings the part to life. */
export function connectAccount(actions: AccountActions): Account {
  const parts = findParts();
  const { stranger, form, email, tenant, member, who, own, service, notice, status } = parts;
  const setSignedIn = (isSignedIn: boolean) => {
    form.reset();
    tenant.disabled = true;
    stranger.hidden = isSignedIn;
    member.hidden = !isSignedIn;
  };
  const say = ({ note = '', problem = '' }: Told = {}) => {
    status.textContent = note;
    notice.textContent = problem;
  };
  const show = async (shown: Shown) => {
    say({ note: 'Loading …' });
    const told = await actions.show(shown);
    // Meanwhile it may have turned out that the session has ended, which is told already.
    if (member.hidden) return;
    if (told.problem !== undefined) service.checked = true;
    say(told);
  };
  onSubmit(parts, actions, say, async (person) => {
    setSignedIn(true);
    stranger.open = false;
    who.textContent = `Signed in as ${person}`;
    own.checked = true;
    who.focus();
    await show('own');
  });
  const leave = () => {
    if (member.hidden) return;
    actions.signOut();
    setSignedIn(false);
    say({ note: 'You have signed out.' });
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
    tellEnded() {
      setSignedIn(false);
      stranger.open = true;
      say({ problem: 'Your session has ended. Sign in again.' });
      email.focus();
    },
  };
}

/** Signs in with what the form says, one attempt at a time. */
function onSubmit(
  { form, email, password, tenant, tenantCode }: Parts,
  { signIn }: AccountActions,
  say: (told?: Told) => void,
  enter: (person: string) => Promise<void>,
): void {
  let isBusy = false;
  const attempt = async () => {
    say({ note: 'Signing in …' });
    const code = tenant.disabled ? {} : { tenant_code: tenantCode.value.trim() };
    const outcome = await signIn({ email: email.value.trim(), password: password.value, ...code });
    say();
    switch (outcome.kind) {
      case 'signed-in':
        return enter(`${outcome.name} (${outcome.email})`);
      case 'which-tenant':
        tenant.disabled = false;
        say({ problem: 'You belong to several tenants. Which one? Its owner knows the code.' });
        return tenantCode.focus();
      default:
        say({ problem: outcome.message });
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
    stranger: find('account-stranger', HTMLDetailsElement),
    summary: find('account-summary', HTMLElement),
    form: find('account-form', HTMLFormElement),
    email: find('account-email', HTMLInputElement),
    password: find('account-password', HTMLInputElement),
    /** Disabled, and not shown, until it is known that there are several. */
    tenant: find('account-tenant', HTMLFieldSetElement),
    tenantCode: find('account-tenant-code', HTMLInputElement),
    member: find('account-member', HTMLElement),
    who: find('account-who', HTMLElement),
    own: find('account-own', HTMLInputElement),
    service: find('account-service', HTMLInputElement),
    leave: find('account-leave', HTMLButtonElement),
    notice: find('account-notice', HTMLElement),
    status: find('account-status', HTMLElement),
  };
}

/** @throws Error when it is not there: the page and this script are built together. */
function find<E extends HTMLElement>(id: string, kind: new () => E): E {
  const element = document.getElementById(id);
  if (element instanceof kind) return element;
  throw new Error(`The reference has no element #${id}.`);
}
