/**
 * How the panel looks. What is told by voice stays in place while it is empty: a region that appears with its text is not always
 * read. A page changes the colours by custom properties on the element around it.
 */
export const STYLES = `
:host { display: block; font: 1rem/1.5 system-ui, sans-serif; color: var(--tessera-text, #1f2937); }
section { display: flex; flex-direction: column; gap: .5rem; height: 100%; min-height: 20rem; max-height: 40rem; }
.log { flex: 1; overflow-y: auto; display: flex; flex-direction: column; gap: .75rem; padding: .75rem;
  border: 1px solid var(--tessera-border, #6b7280); border-radius: .5rem; background: var(--tessera-background, #fff); }
.message { max-width: 85%; }
.you { align-self: flex-end; }
.who { font-size: .8125rem; color: var(--tessera-muted, #4b5563); }
.text { margin: 0; padding: .5rem .75rem; border-radius: .5rem; white-space: pre-wrap; overflow-wrap: anywhere;
  background: var(--tessera-bubble, #f3f4f6); }
.you .text { background: var(--tessera-own-bubble, #dbeafe); }
.status, .error { margin: 0; min-height: 0; font-size: .875rem; }
.error { color: var(--tessera-error, #b91c1c); }
form { display: grid; grid-template-columns: 1fr auto; gap: .25rem .5rem; align-items: end; }
label { grid-column: 1 / -1; font-size: .875rem; }
textarea { font: inherit; padding: .5rem; border: 1px solid var(--tessera-border, #6b7280); border-radius: .5rem; resize: vertical; }
button { font: inherit; padding: .5rem 1rem; border: 0; border-radius: .5rem; cursor: pointer; color: #fff;
  background: var(--tessera-accent, #1d4ed8); }
button[hidden] { display: none; }
:focus-visible { outline: 3px solid var(--tessera-accent, #1d4ed8); outline-offset: 2px; }
`;
