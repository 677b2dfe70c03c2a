/**
 * Script of `/console/frame`: shows the HTML that the page around it sends, and reports the height of the content and
 * clicks. Links lead nowhere, and forms send nothing.
 */
import { parseInert } from './inert-document.ts';
import { type FrameReport, readContent } from './messages.ts';

/** Lets the page be as high as its content, also if the HTML wants the height of its window. */
const OWN_HEIGHT = { height: 'auto', 'min-height': '0' };

let reportedHeight = 0;
let width = window.innerWidth;
/** True while the page is laid out because its frame got another height. */
let isResized = false;

const content = new ResizeObserver(() => {
  // Content with the height of its window would grow forever.
  if (!isResized) reportHeight();
});

window.addEventListener('message', ({ source, data }) => {
  const sent = source === window.parent && source !== window ? readContent(data) : null;
  if (sent) show(sent.html);
});
window.addEventListener('resize', () => {
  isResized = window.innerWidth === width;
  width = window.innerWidth;
  setTimeout(() => {
    isResized = false;
  });
});
// Loaded images. Browsers do not lay out frames outside of the window, so the observer alone would miss them.
document.addEventListener('load', reportHeight, true);
for (const type of ['click', 'auxclick'])
  document.addEventListener(
    type,
    (event) => {
      const link = event.target instanceof Element ? event.target.closest('a, area') : null;
      if (link) event.preventDefault();
      if (type === 'click') report({ kind: 'click', href: link?.getAttribute('href') ?? null });
    },
    true,
  );
document.addEventListener('submit', (event) => event.preventDefault(), true);

function show(html: string): void {
  const { documentElement, body } = parseInert(html);
  for (const element of [documentElement, body])
    for (const [name, value] of Object.entries(OWN_HEIGHT))
      element?.style.setProperty(name, value, 'important');
  document.documentElement.replaceWith(documentElement);
  content.disconnect();
  content.observe(documentElement);
  reportHeight();
}

function reportHeight(): void {
  const height = Math.ceil(document.documentElement.getBoundingClientRect().height);
  if (height === reportedHeight) return;
  reportedHeight = height;
  report({ kind: 'height', height });
}

function report(message: FrameReport): void {
  // The origin of this page is opaque; its address is that of the console.
  window.parent.postMessage(message, window.location.origin);
}
