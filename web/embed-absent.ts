import type { EmbedMessage } from './embed-protocol.ts';

/** Reports the page of a missing form to the parent page, which otherwise treats the frame as blocked. */
const [publicCode = ''] = window.location.pathname.split('/').filter(Boolean).slice(-1);
if (window.parent !== window) {
  const message: EmbedMessage = {
    type: 'tessera:ready',
    publicCode: decodeURIComponent(publicCode),
    title: document.title,
  };
  window.parent.postMessage(message, '*');
}
