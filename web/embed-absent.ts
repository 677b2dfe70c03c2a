import type { EmbedMessage } from './embed-protocol.ts';

/** Tells the page around that a form which is not there is shown as such: without word it would count as refused. */
const [publicCode = ''] = window.location.pathname.split('/').filter(Boolean).slice(-1);
if (window.parent !== window) {
  const message: EmbedMessage = {
    type: 'tessera:ready',
    publicCode: decodeURIComponent(publicCode),
    title: document.title,
  };
  window.parent.postMessage(message, '*');
}
