/** The page of the API reference: of the service, or of the entities of the signed-in user. */
import { connectAccount } from './account.ts';
import { drawReference } from './drawn-reference.ts';
import { completeMarkup, followColors } from './markup.ts';
import { replaceOutline } from './outline.ts';
import { readOwnDocument } from './own-document.ts';
import './reference.css';
import { createSession } from './session.ts';

const NO_ENTITIES = 'There are no entities: none are defined yet, or you belong to no business unit.';

const container = document.createElement('div');
followColors();
completeMarkup(container);

const session = createSession(() => {
  leave();
  account.showSessionEnded();
});
const reference = drawReference(container, session, replaceOutline(container));
const account = connectAccount({
  async signIn(login) {
    const outcome = await session.signIn(login);
    if (outcome.kind === 'signed-in') reference.setSignedIn(true);
    return outcome;
  },
  async show(choice) {
    if (choice === 'service') {
      reference.showService();
      return {};
    }
    const own = await readOwnDocument(session);
    if ('problem' in own) return own;
    reference.showDocument(own.text);
    return own.isEmpty ? { note: NO_ENTITIES } : {};
  },
  signOut() {
    session.signOut();
    leave();
  },
});
// Signs out when the page is left, also if the browser restores it from its history.
window.addEventListener('pagehide', () => account.leave());

function leave(): void {
  reference.setSignedIn(false);
  reference.showService();
}
