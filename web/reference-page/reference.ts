/** The page of the API reference: that of the service and, for whoever signs in here, that of their own entities. */
import { connectAccount } from './account.ts';
import { drawReference } from './drawn-reference.ts';
import { completeMarkup, followColors } from './markup.ts';
import { replaceOutline } from './outline.ts';
import { readOwnDocument } from './own-document.ts';
import './reference.css';
import { createSession } from './session.ts';

const NO_ENTITIES = 'There are no entities: none are defined yet, or you are in no business unit.';

const place = document.createElement('div');
followColors();
completeMarkup(place);

const session = createSession(() => {
  leave();
  account.tellEnded();
});
const reference = drawReference(place, session, replaceOutline(place));
const account = connectAccount({
  async signIn(login) {
    const outcome = await session.signIn(login);
    if (outcome.kind === 'signed-in') reference.setSignedIn(true);
    return outcome;
  },
  async show(shown) {
    if (shown === 'service') {
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
// Whoever comes back to the page by the history finds it as a stranger does.
window.addEventListener('pagehide', () => account.leave());

function leave(): void {
  reference.setSignedIn(false);
  reference.showService();
}
