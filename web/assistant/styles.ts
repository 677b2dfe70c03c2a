/**
 * Colours of the widget. A page overrides them by custom properties such as `--tessera-accent`. They follow the page's
 * `color-scheme`.
 */
const COLORS = `
:host { --text: var(--tessera-text, #1c1917); --muted: var(--tessera-muted, #57534e);
  --background: var(--tessera-background, #fff); --border: var(--tessera-border, #d6d3d1);
  --bubble: var(--tessera-bubble, #f5f5f4); --error: var(--tessera-error, #b91c1c);
  --accent: var(--tessera-accent, #1d4ed8); --on-accent: var(--tessera-on-accent, #fff);
  --outline: var(--tessera-accent, #1d4ed8); }
@supports (color: light-dark(#000, #fff)) {
  :host { --text: var(--tessera-text, light-dark(#1c1917, #f5f5f4));
    --muted: var(--tessera-muted, light-dark(#57534e, #a8a29e));
    --background: var(--tessera-background, light-dark(#fff, #1c1917));
    --border: var(--tessera-border, light-dark(#d6d3d1, #44403c));
    --bubble: var(--tessera-bubble, light-dark(#f5f5f4, #292524));
    --error: var(--tessera-error, light-dark(#b91c1c, #fca5a5));
    --outline: var(--tessera-accent, light-dark(#1d4ed8, #93c5fd)); }
}
:host { font: 1rem/1.5 system-ui, sans-serif; color: var(--text); text-align: start; }
*, *::before { box-sizing: border-box; }
[hidden] { display: none !important; }
button { display: grid; place-items: center; padding: 0; border: 0; cursor: pointer; font: inherit; }
svg { width: 1.25rem; height: 1.25rem; fill: none; stroke: currentColor; stroke-width: 2;
  stroke-linecap: round; stroke-linejoin: round; }
:focus-visible { outline: 2px solid var(--outline); outline-offset: 2px; }
.visually-hidden { position: absolute; width: 1px; height: 1px; overflow: hidden; clip-path: inset(50%); white-space: nowrap; }
`;

/** Styles of the panel of a conversation. */
export const STYLES = `${COLORS}
:host { display: block; }
section { display: flex; flex-direction: column; height: 100%; min-height: 20rem; max-height: 40rem; overflow: hidden;
  border: 1px solid var(--border); border-radius: .75rem; background: var(--background); }
:host([data-in-bubble]) { height: 100%; }
:host([data-in-bubble]) section { min-height: 0; max-height: none; border: 0; border-radius: 0; }
.log { flex: 1; min-height: 0; overflow-y: auto; overscroll-behavior: contain; display: flex; flex-direction: column;
  gap: 1rem; padding: 1rem; }
.log:focus-visible { outline-offset: -2px; border-radius: .75rem; }
.message { max-width: 88%; align-self: flex-start; }
.message.you { align-self: flex-end; }
.who { display: block; margin-bottom: .125rem; font-size: .75rem; color: var(--muted); }
.you .who { text-align: end; }
.text { margin: 0; padding: .5rem .875rem; border-radius: 1rem; white-space: pre-wrap; overflow-wrap: anywhere;
  background: var(--bubble); border-start-start-radius: .25rem; }
.you .text { background: var(--tessera-own-bubble, var(--accent)); color: var(--on-accent); border-radius: 1rem;
  border-end-end-radius: .25rem; }
.text:empty::before { content: '●●●'; font-size: .5rem; letter-spacing: .25rem; color: var(--muted);
  animation: pulse 1.2s ease-in-out infinite; }
@keyframes pulse { 50% { opacity: .25; } }
@media (prefers-reduced-motion: reduce) { .text:empty::before { animation: none; } }
.status { position: absolute; width: 1px; height: 1px; overflow: hidden; clip-path: inset(50%); }
.error { margin: 0 1rem; font-size: .875rem; color: var(--error); }
form { display: flex; align-items: flex-end; gap: .5rem; margin: .75rem; padding: .375rem; border: 1px solid var(--border);
  border-radius: 1.25rem; }
form:focus-within { border-color: var(--outline); }
textarea { flex: 1; min-width: 0; max-height: 10rem; padding: .25rem .5rem; border: 0; background: none; color: inherit; font: inherit;
  resize: none; field-sizing: content; }
textarea:focus-visible { outline: none; }
textarea::placeholder { color: var(--muted); opacity: 1; }
form button { flex: none; width: 2rem; height: 2rem; border-radius: 50%; color: var(--on-accent); background: var(--accent); }
form button[type='button'] svg { fill: currentColor; }
`;

/** Styles of the bubble and its window. On a phone the window fills the screen. */
export const BUBBLE_STYLES = `${COLORS}
:host { position: fixed; z-index: 2147483000; inset-block-end: calc(1.25rem + env(safe-area-inset-bottom));
  inset-inline-end: 1.25rem; }
.launcher { width: 3.5rem; height: 3.5rem; border-radius: 50%; color: var(--on-accent); background: var(--accent);
  box-shadow: 0 4px 16px rgb(0 0 0 / .2); transition: transform .15s ease; }
.launcher:hover { transform: scale(1.05); }
.launcher svg { width: 1.625rem; height: 1.625rem; }
.window { position: absolute; inset-block-end: 4.5rem; inset-inline-end: 0; display: flex; flex-direction: column; overflow: hidden;
  width: 24rem; height: min(37.5rem, calc(100dvh - 7.5rem)); border: 1px solid var(--border); border-radius: 1rem;
  background: var(--background); box-shadow: 0 12px 40px rgb(0 0 0 / .18); animation: rise .15s ease-out; }
@keyframes rise { from { opacity: 0; transform: translateY(.5rem); } }
header { flex: none; display: flex; align-items: center; justify-content: space-between; gap: 1rem; padding: .75rem .75rem .75rem 1rem;
  border-block-end: 1px solid var(--border); }
h2 { margin: 0; font-size: 1rem; font-weight: 600; }
.close { width: 2.25rem; height: 2.25rem; border-radius: .5rem; color: var(--muted); background: none; }
.close:hover { background: var(--bubble); }
.body { flex: 1; min-height: 0; }
@media (max-width: 30rem) {
  .window { position: fixed; inset: 0; width: auto; height: auto; border: 0; border-radius: 0;
    padding-block-end: env(safe-area-inset-bottom); }
  .window:not([hidden]) ~ .launcher { display: none; }
}
@media (prefers-reduced-motion: reduce) { .launcher, .window { transition: none; animation: none; } }
`;
